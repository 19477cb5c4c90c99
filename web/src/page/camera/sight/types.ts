/** What the page and its detector's worker say to each other. */

/** RGBA pixels of the part of the camera's picture that is sent to the server, reduced. */
export interface Picture {
  pixels: Uint8ClampedArray;
  width: number;
  height: number;
}

/** In pixels of the picture. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Pose and expression, by the server's rules: degrees, positive `yaw` to the person's left, positive
 * `pitch` up; `mouth` is the opening as a share of its width, `smile` the width of the mouth as a share
 * of the distance between the eyes.
 */
export interface Expression {
  yaw: number;
  pitch: number;
  roll: number;
  mouth: number;
  smile: number;
  /** Grey levels of the right and the left eye, upright and of a fixed size: closed lids change them. */
  eyes: [Uint8Array, Uint8Array];
}

export interface SeenFace {
  /** From forehead to chin, without hair. */
  box: Box;
  expression: Expression;
  /** Mean grey level, 0 to 255. */
  light: number;
  /** The light of the brighter eye, of the white around the iris, as a share of the cheek's below it. */
  eyeLight: number;
}

export interface Seen {
  /** The surest first. */
  faces: SeenFace[];
  /** Mean grey level of the picture, 0 to 255. */
  light: number;
  /** Of the networks' work on this picture. */
  milliseconds: number;
}

/** A picture to look at; the answer has its number. */
export interface Question extends Picture {
  number: number;
}

export type Answer =
  | { type: "ready" }
  | { type: "failed"; why: string }
  | { type: "seen"; number: number; seen: Seen };
