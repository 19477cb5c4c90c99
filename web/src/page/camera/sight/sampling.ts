/** Upright, scaled parts of a picture, for networks that want a fixed size. */
import type { Picture } from "./types";

/** Where the part's pixel (0, 0) is, and the steps to the next pixel across, in the picture's pixels. */
export interface Placement {
  left: number;
  top: number;
  stepX: number;
  stepY: number;
}

/** A square of `side` pixels around a centre, turned by an angle (radians, clockwise). */
export function turned(
  [x, y]: readonly [number, number],
  length: number,
  angle: number,
  side: number,
): Placement {
  const step = length / side;
  const stepX = Math.cos(angle) * step;
  const stepY = Math.sin(angle) * step;
  const half = (side - 1) / 2;
  return { left: x - half * stepX + half * stepY, top: y - half * stepY - half * stepX, stepX, stepY };
}

export const toPicture = (
  { left, top, stepX, stepY }: Placement,
  x: number,
  y: number,
): [number, number] => [left + x * stepX - y * stepY, top + x * stepY + y * stepX];

/** Write RGB of the part, each level times `gain` plus `offset`; pixels outside the picture get black. */
export function sample(
  { pixels, width, height }: Picture,
  { left, top, stepX, stepY }: Placement,
  [across, down]: readonly [number, number],
  gain: number,
  offset: number,
  out: Float32Array = new Float32Array(across * down * 3),
): Float32Array {
  // No calls, no objects and no inner loop: it runs for a hundred thousand levels of each look.
  const row = 4 * width;
  let at = 0;
  for (let y = 0; y < down; y++) {
    let sx = left - y * stepY;
    let sy = top + y * stepX;
    for (let x = 0; x < across; x++, at += 3, sx += stepX, sy += stepY) {
      if (sx < 0 || sy < 0 || sx >= width - 1 || sy >= height - 1) {
        out[at] = out[at + 1] = out[at + 2] = offset;
        continue;
      }
      // Neither is negative: this cuts the fraction off.
      const wholeX = sx | 0;
      const wholeY = sy | 0;
      const upper = wholeY * row + 4 * wholeX;
      const lower = upper + row;
      const fx = sx - wholeX;
      const fy = (sy - wholeY) * gain;
      const upperRight = fx * (gain - fy);
      const upperLeft = gain - fy - upperRight;
      const lowerRight = fx * fy;
      const lowerLeft = fy - lowerRight;
      out[at] =
        upperLeft * pixels[upper]! +
        upperRight * pixels[upper + 4]! +
        lowerLeft * pixels[lower]! +
        lowerRight * pixels[lower + 4]! +
        offset;
      out[at + 1] =
        upperLeft * pixels[upper + 1]! +
        upperRight * pixels[upper + 5]! +
        lowerLeft * pixels[lower + 1]! +
        lowerRight * pixels[lower + 5]! +
        offset;
      out[at + 2] =
        upperLeft * pixels[upper + 2]! +
        upperRight * pixels[upper + 6]! +
        lowerLeft * pixels[lower + 2]! +
        lowerRight * pixels[lower + 6]! +
        offset;
    }
  }
  return out;
}
