/**
 * Finds faults of the picture in the viewfinder from a few thousand pixels, eight times a second. The
 * thresholds were set with synthetic documents on tables of many shades, with varied light, glare and
 * blur.
 */
import type { Corner, Corners } from "./edges";

export type Hint =
  | "frame"
  | "edges"
  | "closer"
  | "farther"
  | "level"
  | "still"
  | "dark"
  | "glare"
  | "blurred"
  | "otherSide"
  | "ready";

export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** In fractions of the viewfinder's picture. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Measured {
  /** Of the document, as far as its edges are found, otherwise of what is inside the outline. */
  brightness: number;
  /** Share of its pixels that are overexposed like their neighbours: the white border of a QR code is narrower. */
  burnt: number;
  /** Its mean gradient: high for print, low for a bare table. */
  detail: number;
  /** The same outside of the outline: high if the document does not fit into it. */
  outside: number;
  /** The middle of the overexposed pixels, in fractions of the outline. */
  glare: Corner;
}

const DARK = 55;
const BURNT = 250;
const MOST_BURNT = 0.015;
const LEAST_DETAIL = 3.2;
// Share of the gradient inside the outline that the table around a document hardly reaches, and the least
// gradient of a document's print: the grain of a table reaches less.
const MOST_OUTSIDE = 0.5;
const LEAST_PRINT = 8;
// A document fills this share of the outline's width, and is outside of the outline by no more than this.
const LEAST_WIDTH = 0.75;
const MOST_ASIDE = 0.06;
// How much longer the farther one of two edges may look, and the slope of a document that is turned.
const MOST_TILTED = 1.18;
const MOST_TURNED = 0.16;
// Share of the picture's width that a corner moves between two looks in a steady hand.
const MOST_MOVED = 0.012;
// Measured on drawn documents between 640 and 1600 pixels wide: 115 to 338 where they are sharp, 14 to 30
// with a blur of three pixels, 8 to 10 with one of five, 7 of a sensor's noise alone.
const LEAST_SHARPNESS = 16;

export function measure(pixels: Pixels, outline: Area, corners: Corners | null): Measured {
  const { width, height } = pixels;
  const grey = toGrey(pixels);
  const box = boxOf(outline, width, height);
  const rangeAt = within(corners ?? cornersOf(box), width);
  let [sum, steepness, count, burnt, burntX, burntY] = [0, 0, 0, 0, 0, 0];
  for (let y = 1; y < height - 1; y++) {
    const [from, to] = rangeAt(y);
    for (let x = from; x < to; x++) {
      const at = y * width + x;
      const value = grey[at]!;
      sum += value;
      count += 1;
      steepness += Math.abs(grey[at + 1]! - value) + Math.abs(grey[at + width]! - value);
      if (value < BURNT || !isBurntAround(grey, at, width)) continue;
      burnt += 1;
      burntX += x;
      burntY += y;
    }
  }
  return {
    brightness: sum / count,
    burnt: burnt / count,
    detail: steepness / count,
    outside: meanOutside(grey, width, height, box),
    glare: {
      x: (burntX / burnt - box.left) / (box.right - box.left),
      y: (burntY / burnt - box.top) / (box.bottom - box.top),
    },
  };
}

const isBurntAround = (grey: Float32Array, at: number, width: number): boolean =>
  [at - 1, at + 1, at - width, at + width].every((near) => grey[near]! >= BURNT);

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const boxOf = (area: Area, width: number, height: number): Box => ({
  left: Math.round(area.x * width),
  top: Math.round(area.y * height),
  right: Math.round((area.x + area.width) * width),
  bottom: Math.round((area.y + area.height) * height),
});

const cornersOf = ({ left, top, right, bottom }: Box): Corners => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

/** Return what gives the pixels of a row that are inside the corners, without the edges: from, to. */
function within(corners: Corners, width: number): (y: number) => [number, number] {
  const sides = corners.map((from, at) => {
    const to = corners[(at + 1) % 4]!;
    const [acrossX, acrossY] = [from.y - to.y, to.x - from.x];
    const inset = Math.hypot(acrossX, acrossY);
    return [acrossX, acrossY, acrossX * from.x + acrossY * from.y + inset] as const;
  });
  return (y) => {
    let [start, end] = [1, width - 1];
    for (const [a, b, least] of sides) {
      const left = least - b * y;
      if (a > 0) start = Math.max(start, Math.ceil(left / a));
      else if (a < 0) end = Math.min(end, Math.floor(left / a) + 1);
      else if (left >= 0) end = start;
    }
    return [start, end];
  };
}

function toGrey({ data, width, height }: Pixels): Float32Array {
  const grey = new Float32Array(width * height);
  for (let at = 0; at < grey.length; at++) {
    grey[at] = 0.299 * data[4 * at]! + 0.587 * data[4 * at + 1]! + 0.114 * data[4 * at + 2]!;
  }
  return grey;
}

function meanOutside(
  grey: Float32Array,
  width: number,
  height: number,
  outline: Box,
): number {
  // The document's own edge is not print.
  const gap = 3;
  let [sum, count] = [0, 0];
  for (let y = 0; y < height - 1; y++) {
    const isBeside = y > outline.top - gap && y < outline.bottom + gap;
    for (let x = 0; x < width - 1; x++) {
      if (isBeside && x > outline.left - gap && x < outline.right + gap) continue;
      const at = y * width + x;
      const value = grey[at]!;
      sum += Math.abs(grey[at + 1]! - value) + Math.abs(grey[at + width]! - value);
      count += 1;
    }
  }
  return sum / Math.max(1, count);
}

/**
 * Return the hundredth greatest bend of the grey levels along a row, in levels, of a part of the picture in
 * the camera's own pixels. Print bends it sharply if it is in focus.
 */
export function sharpness(pixels: Pixels): number {
  const { grey, width, height } = halved(toGrey(pixels), pixels.width, pixels.height);
  const bends: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      bends.push(Math.abs(grey[at - 1]! - 2 * grey[at]! + grey[at + 1]!));
    }
  }
  bends.sort((one, other) => other - one);
  return bends[Math.floor(bends.length / 100)] ?? 0;
}

/** Noise weighs less in means of four pixels. */
function halved(grey: Float32Array, width: number, height: number) {
  const size = { width: width >> 1, height: height >> 1 };
  const small = new Float32Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const at = 2 * y * width + 2 * x;
      const sum = grey[at]! + grey[at + 1]! + grey[at + width]! + grey[at + width + 1]!;
      small[y * size.width + x] = sum / 4;
    }
  }
  return { grey: small, ...size };
}

/** Return the corner's greatest way between two looks, as a share of the picture's width. */
export function movement(now: Corners, before: Corners | null, width: number): number {
  if (!before) return Infinity;
  const ways = now.map(({ x, y }, at) => Math.hypot(x - before[at]!.x, y - before[at]!.y));
  return Math.max(...ways) / width;
}

/** `corners`: of the document, in the picture's pixels, like `box`, the outline. Return null if it is where
 * it should be. */
function advisePlace(corners: Corners, box: Box): Hint | null {
  const [a, b, c, d] = corners;
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  const share = (b.x + c.x - a.x - d.x) / 2 / wide;
  if (share < LEAST_WIDTH) return "closer";
  if (share > 1 + MOST_ASIDE) return "farther";
  const [asideX, asideY] = [MOST_ASIDE * wide, MOST_ASIDE * high];
  const isOut = ({ x, y }: Corner) =>
    x < box.left - asideX || x > box.right + asideX || y < box.top - asideY || y > box.bottom + asideY;
  if (corners.some(isOut)) return "frame";
  const sides = corners.map((from, at) => {
    const to = corners[(at + 1) % 4]!;
    return Math.hypot(to.x - from.x, to.y - from.y);
  }) as [number, number, number, number];
  const [top, right, bottom, left] = sides;
  const tilt = Math.max(top / bottom, bottom / top, left / right, right / left);
  const turn = Math.abs((b.y + c.y - a.y - d.y) / (b.x + c.x - a.x - d.x));
  return tilt > MOST_TILTED || turn > MOST_TURNED ? "level" : null;
}

/**
 * `outline`: where the document belongs; `corners`: where it is, in pixels of the picture of this size;
 * `moved`: see `movement`. `sharp` measures sharpness; it is called only where nothing else is at fault.
 */
export function adviseDocument(
  now: Measured,
  picture: { width: number; height: number; outline: Area; corners: Corners | null },
  moved: number,
  sharp: () => number,
): Hint {
  const { corners, outline, width, height } = picture;
  if (now.brightness < DARK) return "dark";
  if (now.detail < LEAST_DETAIL) return "frame";
  if (!corners) return isPrintOutside(now) ? "farther" : "edges";
  const misplaced = advisePlace(corners, boxOf(outline, width, height));
  if (misplaced) return misplaced;
  if (now.burnt > MOST_BURNT) return "glare";
  if (moved > MOST_MOVED) return "still";
  return sharp() < LEAST_SHARPNESS ? "blurred" : "ready";
}

const isPrintOutside = ({ detail, outside }: Measured): boolean =>
  detail > LEAST_PRINT && outside > MOST_OUTSIDE * detail;
