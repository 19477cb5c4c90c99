/** Drawings of what a person is asked to do. They move, unless the device asks for less motion. */
import type { JSX } from "preact";
import type { Move } from "./api";

/** A face that makes the move, mirrored like the camera's picture. */
export function Face({ move }: { move: Move }): JSX.Element {
  return (
    <svg class={`figure ${move}`} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path d="M32 59c13 0 21-11 21-28S45 5 32 5 11 14 11 31s8 28 21 28z" />
      <g class="features">
        <path class="eye" d="M23 24.5v5" />
        <path class="eye" d="M41 24.5v5" />
        <path d="M32 29v8h-3" />
        <path class="mouth" d="M25 46q7 0 14 0" />
        <path class="laugh" d="M23 43q9 11 18 0" />
        <ellipse class="open" cx="32" cy="47" rx="5.5" ry="6.5" />
      </g>
    </svg>
  );
}

/** An identification that a phone photographs. */
export function DocumentFigure(): JSX.Element {
  return (
    <svg class="figure document" viewBox="0 0 96 64" aria-hidden="true" focusable="false">
      <path d="M10 14h76v46H10z" />
      <path d="M18 24h18v24H18zM22 44c2-9 8-9 10 0M24 32a3 3 0 1 0 6 0a3 3 0 1 0-6 0M44 28h32M44 36h24M44 44h30" />
      <path class="corners" d="M4 16V8h10M82 8h10v8M92 58v4H82M14 62H4v-4" />
    </svg>
  );
}

const STEPS = {
  code: ["M18 6h28v52H18zM28 51h8", "M10 16h30v15H24l-7 7v-7h-7z"],
  form: ["M14 6h36v52H14zM22 17h20M22 27h20M22 37h8", "M34 44l5 5 10-12"],
  place: ["M20 56h24", "M32 50C22 38 17 31 17 23a15 15 0 0 1 30 0c0 8-5 15-15 27zM27 23a5 5 0 1 0 10 0a5 5 0 1 0-10 0"],
} as const;

/** What a step asks for that takes no picture: a code that arrives, a form, a position. */
export function StepFigure({ of }: { of: keyof typeof STEPS }): JSX.Element {
  const [resting, moving] = STEPS[of];
  return (
    <svg class="figure" viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path d={resting} />
      <path class="corners" d={moving} />
    </svg>
  );
}
