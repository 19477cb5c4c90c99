/** The face before the camera, as hints for the person. */
import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { around, behind, within } from "../frame";
import type { Cut } from "../pictures";
import { FACE_ASPECT, FACE_SHARE } from "../stage";
import { adviseSeen, type FaceHint } from "./advice";
import { useSight, type Sight } from "./sight";
import type { Expression, SeenFace } from "./types";

// Looks in a row that say the same before the words change: they would flicker.
const CONSTANT = 3;

export interface FaceView {
  sight: Sight;
  /** null until there is something to say, and if the page cannot tell. */
  hint: FaceHint | null;
  /** How long the face has been as it should be, in milliseconds. */
  readyFor: () => number;
  /** The part of the video that is sent. */
  cut: () => Cut;
}

export function useFace(
  isLive: boolean,
  video: RefObject<HTMLVideoElement | null>,
  frame: RefObject<HTMLDivElement | null>,
  options: { isPosing?: () => boolean; onFace?: (expression: Expression | null) => void } = {},
): FaceView {
  const [hint, setHint] = useState<FaceHint | null>(null);
  const before = useRef<SeenFace | null>(null);
  const run = useRef<{ hint: FaceHint | null; count: number; since: number }>({
    hint: null,
    count: 0,
    since: 0,
  });
  const cut = () =>
    around(video.current!, behind(video.current!, frame.current!, true), FACE_ASPECT, FACE_SHARE);
  const sight = useSight(
    isLive,
    () => video.current,
    () => (video.current?.videoWidth && frame.current ? cut() : null),
    (seen, part, picture) => {
      // The answer to a look may come when the screen has just gone.
      if (!video.current || !frame.current) return;
      const oval = within(behind(video.current, frame.current, true), part);
      const isPosing = options.isPosing?.() ?? false;
      const found = adviseSeen(seen, oval, picture, before.current, isPosing);
      before.current = seen.faces[0] ?? null;
      const same = run.current;
      if (found === same.hint) same.count += 1;
      else run.current = { hint: found, count: 1, since: performance.now() };
      // Green ends at once; any other word waits until it is constant.
      if (run.current.count >= CONSTANT) setHint(found);
      else if (found !== "ready") setHint((shown) => (shown === "ready" ? found : shown));
      options.onFace?.(seen.faces.length === 1 ? seen.faces[0]!.expression : null);
    },
  );
  const readyFor = () =>
    run.current.hint === "ready" ? performance.now() - run.current.since : 0;
  return { sight, hint: sight === "seeing" ? hint : null, readyFor, cut };
}
