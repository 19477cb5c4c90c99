/** Parts of the video behind elements that lie over it. */
import type { Cut } from "./pictures";

/** Return the part of a video with `object-fit: cover`, in its pixels, that an element surrounds. */
export function behind(video: HTMLVideoElement, element: Element, isMirrored: boolean): Cut {
  const { videoWidth, videoHeight } = video;
  const seen = video.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  const scale = Math.max(seen.width / videoWidth, seen.height / videoHeight);
  const left = (box.left - seen.left - seen.width / 2) / scale + videoWidth / 2;
  const width = box.width / scale;
  return {
    x: isMirrored ? videoWidth - left - width : left,
    y: (box.top - seen.top - seen.height / 2) / scale + videoHeight / 2,
    width,
    height: box.height / scale,
  };
}

/** Return a cut around the frame, of this aspect, of which the frame has `share` of the height; smaller
 * where the video ends. */
export function around(video: HTMLVideoElement, frame: Cut, aspect: number, share: number): Cut {
  const height = Math.min(frame.height / share, video.videoHeight, video.videoWidth / aspect);
  const width = height * aspect;
  const within = (middle: number, length: number, most: number) =>
    Math.min(Math.max(0, middle - length / 2), most - length);
  return {
    x: within(frame.x + frame.width / 2, width, video.videoWidth),
    y: within(frame.y + frame.height / 2, height, video.videoHeight),
    width,
    height,
  };
}

/** Return the frame in fractions of the cut. */
export function within(frame: Cut, cut: Cut): Cut {
  return {
    x: (frame.x - cut.x) / cut.width,
    y: (frame.y - cut.y) / cut.height,
    width: frame.width / cut.width,
    height: frame.height / cut.height,
  };
}
