/** What the chosen side of a document looks like, drawn into the empty frame. */
import type { JSX } from "preact";

/** A portrait within (x, y), w wide: head and shoulders. */
const portrait = (x: number, y: number, w: number): string => {
  const head = w * 0.2;
  const middle = x + w / 2;
  return (
    `M${x} ${y}h${w}v${w * 1.25}h${-w}z` +
    `M${middle - head} ${y + w * 0.48}a${head} ${head * 1.2} 0 1 0 ${2 * head} 0a${head} ${head * 1.2} 0 1 0 ${-2 * head} 0` +
    `M${x + w * 0.12} ${y + w * 1.25}c${w * 0.06} ${-w * 0.6} ${w * 0.7} ${-w * 0.6} ${w * 0.76} 0`
  );
};
const lines = (x: number, y: number, step: number, ...lengths: number[]): string =>
  lengths.map((length, at) => `M${x} ${y + at * step}h${length}`).join("");

// Of 100 by 63, or by 70 for a passport's page and for the upper part of a sheet.
const SHAPES: Record<string, string> = {
  front: `M8 9h40${portrait(8, 18, 25)}${lines(40, 22, 8, 34, 42, 26, 38, 30)}`,
  back: `M8 9h24v18h-24zM68 9h24v24h-24zM76 17h8v8h-8z${lines(8, 42, 7, 84, 84, 84)}`,
  licence: `M8 9h84M8 13h50${portrait(8, 20, 23)}${lines(38, 24, 8, 30, 44, 24, 36)}`,
  passport: `M8 8h30${portrait(8, 14, 25)}${lines(40, 18, 7, 30, 44, 24, 38)}${lines(8, 55, 7, 84, 84)}`,
  proofOfAddress: `M8 8h18v10h-18z${lines(62, 10, 6, 30, 22)}${lines(8, 30, 7, 36, 44, 40)}${lines(8, 58, 6, 84, 84)}`,
};
const TALL = ["passport", "proofOfAddress"];

export function Silhouette({ of }: { of: string }): JSX.Element | null {
  const shape = SHAPES[of];
  if (!shape) return null;
  return (
    <svg class="silhouette" viewBox={`0 0 100 ${TALL.includes(of) ? 70 : 63}`} aria-hidden="true">
      <path d={shape} />
    </svg>
  );
}
