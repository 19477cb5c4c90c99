/**
 * How far a person has made a move, as the page sees it, so that it can confirm the move. The server
 * judges the film by its own measurements (`domain/liveness/challenge`), whose limits these are.
 */
import type { Move } from "../../api";
import type { Expression } from "./types";

const TURNED = 15;
const RAISED = 7;
const MOUTH_OPEN = 0.15;
const SMILING = 1.08;
// Share of the eyes' contrast that is left when they are closed. Measured on drawn faces: 0.61 amid a
// blink, at least 0.9 amid other moves.
const CLOSED = 0.75;
/** Looks that give the resting face. */
const FEWEST = 3;
const KEPT = 12;

/** The resting face, and what has been seen of the current move. */
export class MoveWatch {
  private resting: Expression[] = [];
  private move: Move | null = null;
  private most = 0;
  private looks = 0;
  private faces = 0;

  /** `null`: the face rests. */
  begin(move: Move | null): void {
    this.move = move === "look_straight" ? null : move;
    this.most = this.looks = this.faces = 0;
  }

  /** null: no face, or several. */
  see(now: Expression | null): void {
    this.looks += 1;
    if (!now) return;
    this.faces += 1;
    if (!this.move) {
      this.resting = [...this.resting, now].slice(-KEPT);
    } else if (this.resting.length >= FEWEST) {
      this.most = Math.max(this.most, progressOf(this.move, now, this.resting));
    }
  }

  get isPosing(): boolean {
    return this.move !== null;
  }

  /** Whether no look since the beginning showed a face. */
  get isFaceAbsent(): boolean {
    return this.looks >= FEWEST && this.faces === 0;
  }

  /** 0 at rest, 1 once the move was seen. */
  get progress(): number {
    return Math.min(1, this.most);
  }
}

function progressOf(move: Move, now: Expression, resting: Expression[]): number {
  const rest = (name: "yaw" | "pitch" | "mouth" | "smile") =>
    median(resting.map((each) => each[name]));
  switch (move) {
    case "turn_left":
      return (now.yaw - rest("yaw")) / TURNED;
    case "turn_right":
      return (rest("yaw") - now.yaw) / TURNED;
    case "look_up":
      return (now.pitch - rest("pitch")) / RAISED;
    case "open_mouth":
      return (now.mouth - rest("mouth")) / MOUTH_OPEN;
    case "smile":
      return (now.smile / rest("smile") - 1) / (SMILING - 1);
    case "blink": {
      const left = now.eyes.map((eye, at) => {
        const open = median(resting.map(({ eyes }) => contrast(eyes[at]!)));
        return contrast(eye) / Math.max(open, 1);
      });
      return (1 - (left[0]! + left[1]!) / 2) / (1 - CLOSED);
    }
    default:
      return 0;
  }
}

/** Return the standard deviation of the grey levels: of white, iris and pupil, or of a lid. */
function contrast(levels: Uint8Array): number {
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  const squares = levels.reduce((sum, level) => sum + (level - mean) ** 2, 0);
  return Math.sqrt(squares / levels.length);
}

function median(values: number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
