/** The camera's picture with a frame, a hint and a shutter. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Icon } from "../parts";
import { useTexts } from "../texts";
import { around, behind, within } from "./frame";
import {
  adviseDocument,
  measure,
  movement,
  sharpness,
  type Hint,
  type Measured,
} from "./guidance";
import { cutOut, toJpeg, type Cut } from "./pictures";
import { useFace } from "./sight/face";
import { Silhouette } from "./silhouettes";
import { Stage, type Guide } from "./stage";
import { useCamera, type CameraState } from "./stream";

// Of a document's picture, the frame has this share of the width; ISO/IEC 7810: ID-1 and, of a
// passport's page, ID-3.
const ASPECT = 4 / 3;
const SHARE = 0.9;
const SHAPES = { card: 85.6 / 53.98, page: 125 / 88 };
const EVERY = 125;
const MEASURED_HEIGHT = 120;
// The part in the middle whose sharpness is measured, in the camera's own pixels.
const SHARP_PART = { width: 320, height: 192 };
// Consecutive good pictures after which the shutter releases by itself: half a second.
const STEADY = 4;
// Milliseconds that a face has to be right before the shutter releases by itself.
const STEADY_FACE = 1_000;
// How long a hint is shown before a screen reader reads it.
const SPOKEN_AFTER = 1_000;
// Width of a card in pixels below which its print is hard to read.
const FEW_PIXELS = 1_000;

interface Shutter {
  name: string;
  onPicture: (picture: File) => void;
  onTrouble: (state: CameraState) => void;
}

export function Viewfinder({ guide, ...rest }: Shutter & { guide: Guide }): JSX.Element {
  return guide === "face" ? <FaceFinder {...rest} /> : <DocumentFinder guide={guide} {...rest} />;
}

function DocumentFinder(props: Shutter & { guide: "card" | "page" }): JSX.Element {
  const { guide, name, onPicture, onTrouble } = props;
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const { video, state, torch } = useCamera("environment");
  const [hint, setHint] = useState<Hint>("frame");
  const [found, setFound] = useState<Measured | null>(null);
  const isTaking = useRef(false);
  const cut = () => cutOfDocument(video.current!, frame.current!, guide);
  const isSmall = video.current?.videoWidth ? cut().width < FEW_PIXELS : false;
  const isUpright = !!video.current && video.current.videoHeight > video.current.videoWidth;
  const toTurn = hint === "frame" && state === "live" && isSmall && isUpright;
  const words = state === "live" ? texts.shot.hint[toTurn ? "turn" : hint] : texts.shot.starting;

  const take = async () => {
    if (isTaking.current || !video.current?.videoWidth) return;
    isTaking.current = true;
    onPicture(await picture(video.current, cut(), name));
  };

  useEffect(() => {
    if (state === "denied" || state === "none") onTrouble(state);
    if (state !== "live") return undefined;
    const [canvas, detail] = [new OffscreenCanvas(1, 1), new OffscreenCanvas(1, 1)];
    let before: Measured | null = null;
    let steady = 0;
    const check = () => {
      if (!video.current?.videoWidth || !frame.current) return;
      const part = cut();
      const context = cutOut(video.current, part, canvas, MEASURED_HEIGHT);
      const outline = within(behind(video.current, frame.current, false), part);
      const now = measure(context.getImageData(0, 0, canvas.width, canvas.height), outline);
      const sharp = () => sharpnessIn(video.current!, part, detail);
      const advice = adviseDocument(now, movement(now, before), sharp);
      before = now;
      steady = advice === "ready" ? steady + 1 : 0;
      setHint(advice);
      setFound(now);
      if (steady >= STEADY) void take();
    };
    const timer = setInterval(check, EVERY);
    return () => clearInterval(timer);
  }, [state, guide]);

  return (
    <div class="viewfinder">
      <Stage
        guide={guide}
        video={video}
        frame={frame}
        isBusy={state === "starting"}
        isGood={hint === "ready"}
      >
        {found?.sides.map((side) => <i key={side} class={`edge ${side}`} />)}
        {hint === "frame" && state === "live" && <Silhouette of={name} />}
        {hint === "glare" && found && (
          <i
            class="glare"
            style={{ left: `${found.glare.x * 100}%`, top: `${found.glare.y * 100}%` }}
          />
        )}
      </Stage>
      <Hints words={words} />
      {torch && (
        <Button kind="plain" class="torch" aria-pressed={torch.isOn} onClick={torch.toggle}>
          <Icon name="light" />
          {texts.shot.torch}
        </Button>
      )}
      <Button onClick={() => void take()} disabled={state !== "live"}>
        {texts.shot.take}
      </Button>
    </div>
  );
}

function FaceFinder({ name, onPicture, onTrouble }: Shutter): JSX.Element {
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const { video, state } = useCamera("user");
  const { sight, hint, readyFor, cut } = useFace(state === "live", video, frame, {
    onFace: () => readyFor() > STEADY_FACE && void take(),
  });
  const isTaking = useRef(false);
  const take = async () => {
    if (isTaking.current || !video.current?.videoWidth) return;
    isTaking.current = true;
    onPicture(await picture(video.current, cut(), name));
  };
  useEffect(() => {
    if (state === "denied" || state === "none") onTrouble(state);
  }, [state]);
  const words =
    state !== "live" ? texts.shot.starting : hint ? texts.shot.face[hint] : texts.shot.hint.face;
  return (
    <div class="viewfinder" data-sight={sight}>
      <Stage
        guide="face"
        video={video}
        frame={frame}
        isBusy={state === "starting"}
        isGood={hint === "ready"}
      />
      <Hints words={words} />
      <Button onClick={() => void take()} disabled={state !== "live"}>
        {texts.shot.take}
      </Button>
    </div>
  );
}

/** Words over the picture, read out once they have stood for a moment. */
function Hints({ words }: { words: string }): JSX.Element {
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(words), SPOKEN_AFTER);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <>
      <p class="hint" aria-hidden="true">
        {words}
      </p>
      <p class="unseen" role="status">
        {spoken}
      </p>
    </>
  );
}

function picture(video: HTMLVideoElement, cut: Cut, name: string): Promise<File> {
  const canvas = document.createElement("canvas");
  cutOut(video, cut, canvas);
  return toJpeg(canvas, `${name}.jpg`);
}

function sharpnessIn(video: HTMLVideoElement, part: Cut, canvas: OffscreenCanvas): number {
  const { width, height } = SHARP_PART;
  const middle = {
    x: Math.round(part.x + (part.width - width) / 2),
    y: Math.round(part.y + (part.height - height) / 2),
    width,
    height,
  };
  const context = cutOut(video, middle, canvas);
  return sharpness(context.getImageData(0, 0, canvas.width, canvas.height));
}

function cutOfDocument(video: HTMLVideoElement, element: Element, guide: "card" | "page"): Cut {
  const frame = behind(video, element, false);
  return around(video, frame, ASPECT, (SHARE * ASPECT) / SHAPES[guide]);
}
