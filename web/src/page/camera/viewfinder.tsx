/** The camera's picture with an outline, a hint and a shutter. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Spinner } from "../parts";
import { useTexts } from "../texts";
import { adviseDocument, adviseFace, measure, movement, type Hint, type Measured } from "./guidance";
import { cutOut, toJpeg, type Cut } from "./pictures";
import { useCamera, type CameraState } from "./stream";

export type Guide = "card" | "page" | "face";

const SHAPES: Record<Guide, { aspect: number; outline: number; share: number }> = {
  // ISO/IEC 7810: ID-1 and, of a passport's page, ID-3.
  card: { aspect: 4 / 3, outline: 85.6 / 53.98, share: 0.9 },
  page: { aspect: 4 / 3, outline: 125 / 88, share: 0.9 },
  face: { aspect: 4 / 5, outline: 3 / 4, share: 0.7 },
};
const EVERY = 125;
const MEASURED_HEIGHT = 120;
// Consecutive good pictures after which the shutter releases by itself: half a second.
const STEADY = 4;
// How long a hint is shown before a screen reader reads it.
const SPOKEN_AFTER = 1_000;
// Width of a card in pixels below which its print is hard to read.
const FEW_PIXELS = 1_000;

/** Return the part of the video that `object-fit: cover` shows. */
export function visible(video: HTMLVideoElement, aspect: number): Cut {
  const { videoWidth, videoHeight } = video;
  const width = Math.min(videoWidth, videoHeight * aspect);
  const height = width / aspect;
  return { x: (videoWidth - width) / 2, y: (videoHeight - height) / 2, width, height };
}

export function Viewfinder(props: {
  guide: Guide;
  name: string;
  onPicture: (picture: File) => void;
  onTrouble: (state: CameraState) => void;
}): JSX.Element {
  const { guide, name, onPicture, onTrouble } = props;
  const texts = useTexts();
  const shape = SHAPES[guide];
  const { video, state } = useCamera(guide === "face" ? "user" : "environment");
  const [hint, setHint] = useState<Hint>(guide === "face" ? "face" : "frame");
  const [spoken, setSpoken] = useState("");
  const isTaking = useRef(false);
  const isSmall = video.current ? visible(video.current, shape.aspect).width < FEW_PIXELS : false;
  const isUpright = !!video.current && video.current.videoHeight > video.current.videoWidth;
  const toTurn = hint === "frame" && state === "live" && isSmall && isUpright;
  const words = state === "live" ? texts.shot.hint[toTurn ? "turn" : hint] : texts.shot.starting;

  const take = async () => {
    if (isTaking.current || !video.current?.videoWidth) return;
    isTaking.current = true;
    const canvas = document.createElement("canvas");
    cutOut(video.current, visible(video.current, shape.aspect), canvas);
    onPicture(await toJpeg(canvas, `${name}.jpg`));
  };

  useEffect(() => {
    if (state === "denied" || state === "none") onTrouble(state);
    if (state !== "live") return undefined;
    const canvas = new OffscreenCanvas(1, 1);
    let before: Measured | null = null;
    let steady = 0;
    const check = () => {
      if (!video.current?.videoWidth) return;
      const now = measureVideo(video.current, canvas, guide);
      const advise = guide === "face" ? adviseFace : adviseDocument;
      const found = advise(now, movement(now, before));
      before = now;
      steady = found === "ready" ? steady + 1 : 0;
      setHint(found);
      if (steady >= STEADY) void take();
    };
    const timer = setInterval(check, EVERY);
    return () => clearInterval(timer);
  }, [state, guide]);

  useEffect(() => {
    const timer = setTimeout(() => setSpoken(words), SPOKEN_AFTER);
    return () => clearTimeout(timer);
  }, [words]);

  const outline = outlineOf(guide);
  return (
    <div class="viewfinder">
      <div class={`stage ${guide} ${hint === "ready" ? "good" : ""}`}>
        <div class="seen">
          <video ref={video} muted playsInline class={guide === "face" ? "mirrored" : ""} />
          {state === "starting" && <Spinner />}
          <div
            class="outline"
            style={{
              left: `${outline.x * 100}%`,
              top: `${outline.y * 100}%`,
              width: `${outline.width * 100}%`,
              height: `${outline.height * 100}%`,
            }}
          />
        </div>
        <p class="hint" aria-hidden="true">
          {words}
        </p>
      </div>
      <p class="unseen" role="status">
        {spoken}
      </p>
      <Button onClick={() => void take()} disabled={state !== "live"}>
        {texts.shot.take}
      </Button>
    </div>
  );
}

function outlineOf(guide: Guide) {
  const { aspect, outline, share } = SHAPES[guide];
  const height = (share * aspect) / outline;
  return { x: (1 - share) / 2, y: (1 - height) / 2, width: share, height };
}

function measureVideo(video: HTMLVideoElement, canvas: OffscreenCanvas, guide: Guide): Measured {
  const cut = visible(video, SHAPES[guide].aspect);
  const context = cutOut(video, cut, canvas, MEASURED_HEIGHT);
  return measure(context.getImageData(0, 0, canvas.width, canvas.height), outlineOf(guide));
}
