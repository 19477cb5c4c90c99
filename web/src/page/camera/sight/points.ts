/** The 468 points that the face mesh lays on a face. */
import type { Box } from "./types";

/** x, y and depth, one after another, in pixels of the picture. */
export type Points = Float32Array;

// Outer and inner corners.
export const RIGHT_EYE = [33, 133] as const;
export const LEFT_EYE = [263, 362] as const;

export function boundsOf(points: Points): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 3) {
    left = Math.min(left, points[at]!);
    right = Math.max(right, points[at]!);
    top = Math.min(top, points[at + 1]!);
    bottom = Math.max(bottom, points[at + 1]!);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
