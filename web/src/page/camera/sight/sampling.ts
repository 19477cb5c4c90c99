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
): Float32Array {
  // No calls and no objects in the loop: it runs for a hundred thousand pixels of each look.
  const out = new Float32Array(across * down * 3);
  const row = 4 * width;
  let at = 0;
  for (let y = 0; y < down; y++) {
    let sx = left - y * stepY;
    let sy = top + y * stepX;
    for (let x = 0; x < across; x++, at += 3, sx += stepX, sy += stepY) {
      const wholeX = Math.floor(sx);
      const wholeY = Math.floor(sy);
      if (wholeX < 0 || wholeY < 0 || wholeX >= width - 1 || wholeY >= height - 1) {
        out[at] = out[at + 1] = out[at + 2] = offset;
        continue;
      }
      const [fx, fy] = [sx - wholeX, sy - wholeY];
      const corner = wholeY * row + 4 * wholeX;
      const [a, b, c, d] = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy];
      for (let part = corner; part < corner + 3; part++) {
        const level =
          a * pixels[part]! + b * pixels[part + 4]! + c * pixels[part + row]! + d * pixels[part + row + 4]!;
        out[at + part - corner] = level * gain + offset;
      }
    }
  }
  return out;
}
