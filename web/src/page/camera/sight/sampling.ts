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
  placement: Placement,
  [across, down]: readonly [number, number],
  gain: number,
  offset: number,
): Float32Array {
  const out = new Float32Array(across * down * 3);
  let at = 0;
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++, at += 3) {
      const [sx, sy] = toPicture(placement, x, y);
      const left = Math.floor(sx);
      const top = Math.floor(sy);
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) {
        out[at] = out[at + 1] = out[at + 2] = offset;
        continue;
      }
      const fx = sx - left;
      const fy = sy - top;
      const corner = 4 * (top * width + left);
      const below = corner + 4 * width;
      for (let part = 0; part < 3; part++) {
        const above = pixels[corner + part]! * (1 - fx) + pixels[corner + 4 + part]! * fx;
        const under = pixels[below + part]! * (1 - fx) + pixels[below + 4 + part]! * fx;
        out[at + part] = (above * (1 - fy) + under * fy) * gain + offset;
      }
    }
  }
  return out;
}
