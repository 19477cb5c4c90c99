/** What a person should change so that the face is where the server can judge it. */
import type { Seen, SeenFace } from "./types";

export type FaceHint =
  | "noFace"
  | "several"
  | "closer"
  | "farther"
  | "centre"
  | "straight"
  | "dark"
  | "glasses"
  | "still"
  | "ready";

/** The oval, in fractions of the picture that the detector sees. */
export interface Oval {
  x: number;
  y: number;
  width: number;
  height: number;
}

const DARK = 50;
// The eye's light as a share of the cheek's. Of 889 photographs of well-lit faces, 2 are below it; with
// drawn lenses that let 8, 15 and 25 % of the light through, 82, 88 and 88 % are.
const SHADED = 0.55;
// Height of the face from forehead to chin, as a share of the oval's.
const [SMALLEST, LARGEST] = [0.4, 0.95];
// Distance of the centres as shares of the oval's size. Above the face is hair, so it is lower.
const [MOST_ASIDE, MOST_UP, MOST_DOWN] = [0.16, 0.14, 0.22];
// Degrees. The server's resting face may move by 8.
const [MOST_YAW, MOST_PITCH, MOST_ROLL] = [14, 20, 14];
// Share of the oval's height that a face moves between two looks.
const MOST_MOVED = 0.05;

/** `before`: the face of the last look. `isPosing`: size, place and pose are of no matter amid a move. */
export function adviseSeen(
  seen: Seen,
  oval: Oval,
  picture: { width: number; height: number },
  before: SeenFace | null,
  isPosing = false,
): FaceHint {
  const [face, another] = seen.faces;
  if (!face) return seen.light < DARK ? "dark" : "noFace";
  if (another) return "several";
  if (face.light < DARK) return "dark";
  if (isPosing) return "ready";
  if (face.eyeLight < SHADED) return "glasses";
  const high = oval.height * picture.height;
  const wide = oval.width * picture.width;
  const share = face.box.height / high;
  if (share < SMALLEST) return "closer";
  if (share > LARGEST) return "farther";
  const [x, y] = centreOf(face);
  const aside = Math.abs(x - (oval.x + oval.width / 2) * picture.width) / wide;
  const down = (y - (oval.y + oval.height / 2) * picture.height) / high;
  if (aside > MOST_ASIDE || down > MOST_DOWN || down < -MOST_UP) return "centre";
  const { yaw, pitch, roll } = face.expression;
  const isTurned = Math.abs(yaw) > MOST_YAW || Math.abs(roll) > MOST_ROLL;
  if (isTurned || Math.abs(pitch) > MOST_PITCH) return "straight";
  if (!before) return "still";
  const [fromX, fromY] = centreOf(before);
  return Math.hypot(x - fromX, y - fromY) > MOST_MOVED * high ? "still" : "ready";
}

const centreOf = ({ box }: SeenFace): [number, number] => [
  box.x + box.width / 2,
  box.y + box.height / 2,
];
