/**
 * How much a face has changed from one picture to another, whatever the hand does that holds the
 * camera. A smile moves few pixels, and a hand that trembles moves all of them at every edge: so the
 * pictures are laid on each other first, and a pixel counts by what neither it nor its neighbours
 * were. Measured on drawn films that sway by up to 0.75 % of the height: at rest 2.3 grey levels at
 * most (95 %), any move 5.9 at least.
 */
export const [WIDTH, HEIGHT] = [160, 200];
const TILE = 8;
/** Where the outline asks for the face; around it are hair and room. */
const [LEFT, TOP, RIGHT, BOTTOM] = [24, 24, 136, 176];
// The pictures are moved by so many pixels at most, judged by every so manieth pixel.
const FARTHEST = 4;
const SPARSE = 3;

export interface Look {
  grey: Uint8Array;
  /** The least and the greatest level of each pixel and its eight neighbours. */
  low: Uint8Array;
  high: Uint8Array;
}

/** `pixels`: WIDTH × HEIGHT, RGBA. */
export function lookAt(pixels: Uint8ClampedArray): Look {
  const grey = new Uint8Array(WIDTH * HEIGHT);
  for (let at = 0; at < grey.length; at++) grey[at] = pixels[4 * at + 1]!;
  return { grey, low: surroundings(grey, Math.min), high: surroundings(grey, Math.max) };
}

export const isSame = (one: Look, other: Look): boolean =>
  one.grey.every((level, at) => level === other.grey[at]);

/** Grey levels, of the tile that changed most: a blink moves little, but there it moves a lot. */
export function change(now: Look, before: Look): number {
  const shift = bestShift(now, before);
  let most = 0;
  for (let top = TOP; top < BOTTOM; top += TILE) {
    for (let left = LEFT; left < RIGHT; left += TILE) {
      let sum = 0;
      for (let y = top; y < top + TILE; y++) {
        for (let x = left; x < left + TILE; x++) sum += outside(now, before, y * WIDTH + x, shift);
      }
      most = Math.max(most, sum / TILE ** 2);
    }
  }
  return most;
}

function bestShift(now: Look, before: Look): number {
  let [best, least] = [0, Infinity];
  for (let down = -FARTHEST; down <= FARTHEST; down++) {
    for (let right = -FARTHEST; right <= FARTHEST; right++) {
      const shift = down * WIDTH + right;
      let sum = 0;
      for (let y = TOP; y < BOTTOM && sum < least; y += SPARSE) {
        for (let x = LEFT; x < RIGHT; x += SPARSE) sum += outside(now, before, y * WIDTH + x, shift);
      }
      if (sum < least) [best, least] = [shift, sum];
    }
  }
  return best;
}

function outside(now: Look, before: Look, at: number, shift: number): number {
  const level = now.grey[at]!;
  return Math.max(0, level - before.high[at + shift]!, before.low[at + shift]! - level);
}

function surroundings(grey: Uint8Array, choose: (...levels: number[]) => number): Uint8Array {
  const rows = new Uint8Array(grey.length);
  const all = new Uint8Array(grey.length);
  for (let at = 1; at < grey.length - 1; at++) {
    rows[at] = choose(grey[at - 1]!, grey[at]!, grey[at + 1]!);
  }
  for (let at = WIDTH; at < grey.length - WIDTH; at++) {
    all[at] = choose(rows[at - WIDTH]!, rows[at]!, rows[at + WIDTH]!);
  }
  return all;
}
