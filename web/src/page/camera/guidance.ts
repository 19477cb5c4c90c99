/**
 * Finds faults of the picture in the viewfinder from a few thousand pixels, eight times a second. The
 * thresholds were set with synthetic documents on tables of many shades, with varied light, glare and
 * blur.
 */
export type Hint = "frame" | "closer" | "farther" | "still" | "dark" | "glare" | "blurred" | "ready";
export const SIDES = ["top", "bottom", "left", "right"] as const;
export type Side = (typeof SIDES)[number];

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
  grey: Float32Array;
  width: number;
  height: number;
  brightness: number;
  /** Share of the outline's pixels that are overexposed. */
  burnt: number;
  /** Mean gradient inside the outline: high for print, low for a bare table. */
  detail: number;
  /** The same only near the outline: low if the document is small in the middle. */
  rim: number;
  /** The same outside of the outline: high if the document does not fit into it. */
  outside: number;
  /** The sides of the outline with an edge along them. */
  sides: Side[];
  /** The middle of the overexposed pixels, in fractions of the outline. */
  glare: { x: number; y: number };
}

const DARK = 55;
const BURNT = 250;
const MOST_BURNT = 0.02;
const LEAST_DETAIL = 3.2;
// An edge has this multiple of the mean gradient of the band around it, and at least this gradient.
const EDGE_OVER_BAND = 2;
const EDGE = 5;
const BAND = 0.09;
// Share of the gradient inside the outline that the table around a document hardly reaches.
const MOST_OUTSIDE = 0.5;
const MOST_MOVEMENT = 4.5;
// Measured on drawn documents between 640 and 1600 pixels wide: 115 to 338 where they are sharp, 14 to 30
// with a blur of three pixels, 8 to 10 with one of five, 7 of a sensor's noise alone.
const LEAST_SHARPNESS = 16;
// The rim is beyond this share of the distance from the middle to the outline.
const MIDDLE = 0.72;

export function measure(pixels: Pixels, outline: Area): Measured {
  const { width, height } = pixels;
  const grey = toGrey(pixels);
  const left = Math.round(outline.x * width);
  const top = Math.round(outline.y * height);
  const right = Math.round((outline.x + outline.width) * width);
  const bottom = Math.round((outline.y + outline.height) * height);
  let sum = 0;
  let [burnt, burntX, burntY] = [0, 0, 0];
  let steepness = 0;
  let count = 0;
  let rim = 0;
  let rimCount = 0;
  const isRim = (x: number, y: number) =>
    Math.abs(x - (left + right) / 2) > ((right - left) / 2) * MIDDLE ||
    Math.abs(y - (top + bottom) / 2) > ((bottom - top) / 2) * MIDDLE;
  for (let y = top + 1; y < bottom - 1; y++) {
    for (let x = left + 1; x < right - 1; x++) {
      const at = y * width + x;
      const value = grey[at]!;
      sum += value;
      if (value >= BURNT) {
        burnt += 1;
        burntX += x;
        burntY += y;
      }
      const steep = Math.abs(grey[at + 1]! - value) + Math.abs(grey[at + width]! - value);
      steepness += steep;
      count += 1;
      if (isRim(x, y)) {
        rim += steep;
        rimCount += 1;
      }
    }
  }
  const across = (line: number) => meanStep(grey, width, line, [left, right], "row");
  const down = (line: number) => meanStep(grey, width, line, [top, bottom], "column");
  const bandY = Math.max(2, Math.round(BAND * height));
  const bandX = Math.max(2, Math.round(BAND * width));
  const hasSide: Record<Side, boolean> = {
    top: hasEdge(across, top, bandY, height),
    bottom: hasEdge(across, bottom, bandY, height),
    left: hasEdge(down, left, bandX, width),
    right: hasEdge(down, right, bandX, width),
  };
  return {
    grey,
    width,
    height,
    brightness: sum / count,
    burnt: burnt / count,
    detail: steepness / count,
    rim: rim / rimCount,
    outside: meanOutside(grey, width, height, { left, top, right, bottom }),
    sides: SIDES.filter((side) => hasSide[side]),
    glare: {
      x: (burntX / burnt - left) / (right - left),
      y: (burntY / burnt - top) / (bottom - top),
    },
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
  outline: { left: number; top: number; right: number; bottom: number },
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

/** Return the gradient across a line, averaged along the line's middle part. */
function meanStep(
  grey: Float32Array,
  width: number,
  line: number,
  [from, to]: [number, number],
  direction: "row" | "column",
): number {
  const inset = Math.round((to - from) * 0.15);
  let sum = 0;
  for (let along = from + inset; along < to - inset; along++) {
    const at = direction === "row" ? line * width + along : along * width + line;
    sum += grey[at + (direction === "row" ? width : 1)]! - grey[at]!;
  }
  // Signed steps cancel out in print and grain; along an edge they add up.
  return Math.abs(sum) / (to - from - 2 * inset);
}

function hasEdge(
  stepAt: (line: number) => number,
  middle: number,
  band: number,
  end: number,
): boolean {
  let steepest = 0;
  let sum = 0;
  let count = 0;
  for (let line = Math.max(0, middle - band); line <= Math.min(end - 2, middle + band); line++) {
    const step = stepAt(line);
    // A slightly tilted edge is spread over neighbouring lines.
    const wide = step + (line > 0 ? stepAt(line - 1) : 0);
    steepest = Math.max(steepest, wide);
    sum += wide;
    count += 1;
  }
  return steepest >= EDGE && steepest >= EDGE_OVER_BAND * (sum / count);
}

/** Return the mean difference of two pictures of the same size, without their change of light. */
export function movement(now: Measured, before: Measured | null): number {
  if (!before || before.grey.length !== now.grey.length) return Infinity;
  let drift = 0;
  for (let at = 0; at < now.grey.length; at++) drift += now.grey[at]! - before.grey[at]!;
  drift /= now.grey.length;
  let sum = 0;
  for (let at = 0; at < now.grey.length; at++) {
    sum += Math.abs(now.grey[at]! - before.grey[at]! - drift);
  }
  return sum / now.grey.length;
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

/** `sharp` measures sharpness; it is called only where nothing else is at fault. */
export function adviseDocument(now: Measured, moved: number, sharp: () => number): Hint {
  if (now.brightness < DARK) return "dark";
  if (now.detail < LEAST_DETAIL) return "frame";
  if (now.sides.length < 3) return now.rim < LEAST_DETAIL ? "closer" : "frame";
  if (now.outside > MOST_OUTSIDE * now.detail) return "farther";
  if (now.burnt > MOST_BURNT) return "glare";
  if (moved > MOST_MOVEMENT) return "still";
  return sharp() < LEAST_SHARPNESS ? "blurred" : "ready";
}
