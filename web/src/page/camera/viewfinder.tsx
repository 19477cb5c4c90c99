/** The camera's picture with a frame, a hint and a shutter. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Button, Icon } from "../components";
import { useTexts } from "../texts";
import { useDocument, type Paper } from "./document-shutter";
import type { Corner } from "./edges";
import { cutOut, toJpeg, type Cut } from "./pictures";
import { useFace } from "./sight/face";
import { Silhouette } from "./document-silhouettes";
import { Stage, type Guide } from "./stage";
import { useCamera, type CameraState } from "./stream";

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

/** `front`: the picture of the document's other side. */
export function Viewfinder(props: Shutter & { guide: Guide; front: File | null }): JSX.Element {
  const { guide, front, ...rest } = props;
  return guide === "face" ? (
    <FaceFinder {...rest} />
  ) : (
    <DocumentFinder guide={guide} front={front} {...rest} />
  );
}

function DocumentFinder(props: Shutter & { guide: Paper; front: File | null }): JSX.Element {
  const { guide, front, name, onPicture, onTrouble } = props;
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const { video, state, torch } = useCamera("environment");
  const isTaking = useRef(false);
  const take = () => {
    if (isTaking.current || !video.current?.videoWidth) return;
    isTaking.current = true;
    onPicture(picture(video.current, cut(), name));
  };
  const { hint, edges, glare, cut } = useDocument(state === "live", video, frame, {
    guide,
    // Of a sheet of paper, only the upper half is in the frame.
    isOpen: name === "proofOfAddress",
    front,
    onReady: () => take(),
  });
  useEffect(() => {
    if (state === "denied" || state === "none") onTrouble(state);
  }, [state]);
  const isSmall = video.current?.videoWidth ? cut().width < FEW_PIXELS : false;
  const isUpright = !!video.current && video.current.videoHeight > video.current.videoWidth;
  const toTurn = hint === "frame" && state === "live" && isSmall && isUpright;
  const words = state === "live" ? texts.shot.hint[toTurn ? "turn" : hint] : texts.shot.starting;

  return (
    <div class="viewfinder">
      <Stage
        guide={guide}
        video={video}
        frame={frame}
        isBusy={state === "starting"}
        isGood={hint === "ready"}
      >
        {edges ? <Edges corners={edges} /> : state === "live" && <Silhouette of={name} />}
        {glare && (
          <i class="glare" style={{ left: `${glare.x * 100}%`, top: `${glare.y * 100}%` }} />
        )}
      </Stage>
      <Hints words={words} />
      {torch && (
        <Button kind="plain" class="torch" aria-pressed={torch.isOn} onClick={torch.toggle}>
          <Icon name="light" />
          {texts.shot.torch}
        </Button>
      )}
      <Button onClick={take} disabled={state !== "live"}>
        {texts.shot.take}
      </Button>
    </div>
  );
}

/** `corners`: in fractions of the outline. */
function Edges({ corners }: { corners: Corner[] }): JSX.Element {
  return (
    <svg class="edges" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      <polygon points={corners.map(({ x, y }) => `${x.toFixed(4)},${y.toFixed(4)}`).join(" ")} />
    </svg>
  );
}

function FaceFinder({ name, onPicture, onTrouble }: Shutter): JSX.Element {
  const texts = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const { video, state } = useCamera("user");
  const { sight, hint, readyFor, cut } = useFace(state === "live", video, frame, {
    onFace: () => readyFor() > STEADY_FACE && take(),
  });
  const isTaking = useRef(false);
  const take = () => {
    if (isTaking.current || !video.current?.videoWidth) return;
    isTaking.current = true;
    onPicture(picture(video.current, cut(), name));
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
      <Button onClick={take} disabled={state !== "live"}>
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

function picture(video: HTMLVideoElement, cut: Cut, name: string): File {
  const canvas = document.createElement("canvas");
  cutOut(video, cut, canvas);
  return toJpeg(canvas, `${name}.jpg`);
}
