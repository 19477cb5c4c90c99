/** The camera's picture with a frame over it, which says where the document or the face belongs. */
import type { ComponentChildren, JSX, RefObject } from "preact";
import { Spinner } from "../components";

export type Guide = "card" | "page" | "face";

/** Height of a face's oval as a share of the picture that is sent, of this aspect. */
export const [FACE_SHARE, FACE_ASPECT] = [0.74, 4 / 5];
// Starts at the top, clockwise; a round of 1.
const OVAL = "M50 1.5a48.5 64.5 0 0 1 0 129a48.5 64.5 0 0 1 0-129";

export function Stage(props: {
  guide: Guide;
  video: RefObject<HTMLVideoElement | null>;
  frame: RefObject<HTMLDivElement | null>;
  isBusy: boolean;
  isGood: boolean;
  /** Share of the oval's ring that is filled. */
  progress?: number;
  /** What a challenge asks for at present; also read by tests. */
  move?: string;
  children?: ComponentChildren;
}): JSX.Element {
  const { guide, video, progress = 0 } = props;
  const isWide = !!video.current && video.current.videoWidth > video.current.videoHeight;
  return (
    <div
      class={`stage ${guide} ${props.isGood ? "good" : ""} ${isWide ? "wide" : ""}`}
      data-move={props.move}
    >
      <div class="seen">
        <video ref={video} muted playsInline class={guide === "face" ? "mirrored" : ""} />
      </div>
      {props.isBusy && <Spinner />}
      <div class="outline" ref={props.frame}>
        {progress > 0 && (
          <svg class="ring" viewBox="0 0 100 132" aria-hidden="true">
            <path d={OVAL} pathLength={1} stroke-dasharray={`${progress} 1`} />
          </svg>
        )}
        {props.children}
      </div>
    </div>
  );
}
