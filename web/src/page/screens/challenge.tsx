/** The moves of a challenge before the camera, filmed one after another and sent. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  answerChallenge,
  startChallenge,
  status,
  type Challenge,
  type FaultKind,
  type Light,
  type Move,
  type View,
} from "../api";
import { firstOf } from "../abort";
import { Film, type Encoding } from "../camera/film";
import { prepareEncoder } from "../camera/jpeg";
import { MoveWatch } from "../camera/sight/moves";
import { useFace, type FaceView } from "../camera/sight/face";
import { Stage } from "../camera/stage";
import { useCamera } from "../camera/stream";
import { token } from "../capability";
import { Face } from "../illustrations";
import { remember } from "../sent-pictures";
import { Button, Screen } from "../components";
import { pause } from "../progress";
import { useSending, type Insist } from "../sending";
import { useTexts } from "../texts";

/** The reasons to restart a challenge that have a text. */
export type Note = "expired" | "tooMany" | "unusable" | "unchanged" | "absent";
const NOTES: Partial<Record<FaultKind, Note>> = {
  challenge: "expired",
  challenges: "tooMany",
  file: "unusable",
};
// Milliseconds that the face has to be right before the challenge begins.
const STEADY = 600;
// Consecutive prompts without any face after which the film ends.
const ABSENT = 2;
const POLL = 50;
// Not everybody can place the face as the page wants it, and the server judges otherwise: after this time
// in milliseconds, a button begins as it is.
const STRUGGLE = 10_000;

interface Moment {
  /** null while the face must keep still: the next move is not shown before its cue. */
  move: Move | null;
  number: number;
  all: number;
}

export interface SessionProps {
  onView: (view: View) => void;
  onAgain: (why: Note | null) => void;
}

export function Session(props: SessionProps): JSX.Element {
  const texts = useTexts();
  const t = texts.liveness;
  const { video, state, retry } = useCamera("user");
  const frame = useRef<HTMLDivElement>(null);
  const watch = useRef(new MoveWatch());
  const [moment, setMoment] = useState<Moment | null>(null);
  const [made, setMade] = useState(0);
  const [colour, setColour] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const [isStruggling, setStruggling] = useState(false);
  const isForced = useRef(false);
  const skipLight = useRef(() => {});
  const { send } = useSending();
  const face = useFace(state === "live", video, frame, {
    isPosing: () => watch.current.isPosing,
    onFace: (expression) => {
      watch.current.see(expression);
      setMade(watch.current.progress);
    },
  });
  const seeing = useRef<FaceView>(face);
  seeing.current = face;

  useEffect(prepareEncoder, []);
  useEffect(() => {
    if (state !== "live") return undefined;
    const timer = setTimeout(() => setStruggling(true), STRUGGLE);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    if (state !== "live") return undefined;
    const stopping = new AbortController();
    const run = async (insist: Insist) => {
      // Before an empty chair no challenge begins: each counts towards the verification's limit.
      await faceIsReady(() => isForced.current || isReady(seeing.current), stopping.signal);
      const canSee = seeing.current.sight === "seeing";
      const challenge = await insist(startChallenge);
      const part = seeing.current.cut();
      const camera = new Film(video.current!, () => part, canSee ? watch.current : null);
      const recorded = await film(challenge, camera, watch.current, setMoment, stopping.signal);
      if (recorded.stopped) {
        props.onAgain(recorded.stopped);
        return;
      }
      const frames = recorded.frames;
      if (challenge.light) {
        const skipping = new AbortController();
        skipLight.current = () => skipping.abort();
        frames.push(...(await lit(challenge.light, camera, setColour, stopping.signal, skipping.signal)));
        setColour(null);
      }
      setSent(true);
      const view = await insist(async (isAgain) => {
        // An interrupted upload may have arrived: the server would reject a second one.
        const before = isAgain ? await status() : null;
        if (before && before.next.action !== "liveness") return before;
        await answerChallenge(challenge, frames);
        if (frames[0]) void remember({ liveness: frames[0] });
        return status();
      });
      if (!stopping.signal.aborted) props.onView(view);
    };
    void send(
      (insist) => run(insist).catch((reason: unknown) => {
        if (!stopping.signal.aborted) throw reason;
      }),
      (fault) => {
        const why = NOTES[fault.kind] ?? null;
        // After any failure, the server does not accept this challenge's frames a second time.
        if (!stopping.signal.aborted) props.onAgain(why);
        return why !== null;
      },
    );
    return () => stopping.abort();
  }, [state]);

  if (state === "denied" || state === "none") {
    return <NoCamera isDenied={state === "denied"} onRetry={retry} />;
  }
  const isMoving = moment?.move != null && moment.move !== "look_straight";
  const isSeen = isMoving && made >= 1;
  const asked = moment && (moment.move ? t.moves[moment.move] : t.still);
  // What to change about the place comes before the move: the film needs the face first.
  const { hint } = face;
  const advice = hint && hint !== "ready" && hint !== "still" ? texts.shot.face[hint] : null;
  const waiting = advice ?? (hint ? texts.shot.face[hint] : texts.shot.starting);
  const words = isSent
    ? t.sending
    : colour
      ? t.light
      : isSeen
        ? t.seen
        : moment
          ? (advice ?? asked!)
          : waiting;
  const done = moment ? (moment.number - 1 + (isMoving ? made : 0)) / moment.all : 0;
  return (
    <Screen name="liveness-camera" title={t.title} class="capture">
      <div class="viewfinder" data-sight={face.sight}>
        {colour && (
          <div class="light" style={{ backgroundColor: colour }}>
            <p aria-hidden="true">{words}</p>
            <button type="button" onClick={() => skipLight.current()}>
              {t.skipLight}
            </button>
          </div>
        )}
        <Stage
          guide="face"
          video={video}
          frame={frame}
          isBusy={isSent || (!moment && face.sight === "opening")}
          isGood={hint === "ready" || isSeen}
          progress={face.sight === "seeing" ? (isSent ? 1 : done) : 0}
          move={colour ? "" : (moment?.move ?? "")}
        >
          {isMoving && !isSent && !colour && !isSeen && (
            <span class={`arrow ${moment!.move}`} aria-hidden="true" />
          )}
        </Stage>
        <p class="hint large" aria-hidden="true">
          {moment && !isSent && <small>{t.step(moment.number, moment.all)}</small>}
          {isMoving && !isSent && !colour && !isSeen && !advice && <Face move={moment!.move!} />}
          {words}
        </p>
        <p class="unseen" role="alert">
          {words}
        </p>
        <Steps moment={moment} isSent={isSent} />
        {!moment && isStruggling && face.sight === "seeing" ? (
          <Button kind="plain" onClick={() => (isForced.current = true)}>
            {t.startAnyway}
          </Button>
        ) : (
          <p class="small">{face.sight === "blind" ? t.unseen : t.judged}</p>
        )}
      </div>
    </Screen>
  );
}

/** Empty, but as high, before the first move: the oval stays where the person has put the face. */
function Steps({ moment, isSent }: { moment: Moment | null; isSent: boolean }): JSX.Element {
  const t = useTexts().liveness;
  if (!moment) return <p class="steps" />;
  const lookOf = (at: number) =>
    isSent || at + 1 < moment.number ? "past" : at + 1 === moment.number ? "now" : "";
  return (
    <p class="steps">
      <span class="unseen">{t.step(moment.number, moment.all)}</span>
      {Array.from({ length: moment.all }, (_, at) => (
        <i key={at} class={lookOf(at)} />
      ))}
    </p>
  );
}

/** Whether the face is as it should be; also if the page cannot tell. */
const isReady = (face: FaceView): boolean => face.sight === "blind" || face.readyFor() >= STEADY;

async function faceIsReady(isReady: () => boolean, stopped: AbortSignal): Promise<void> {
  while (!isReady()) {
    await pause(POLL, stopped);
    stopped.throwIfAborted();
  }
}

/** Return the frames of the colours; none if the person, or the device, does not want them. */
async function lit(
  light: Light,
  camera: Film,
  show: (colour: string) => void,
  stopped: AbortSignal,
  skipped: AbortSignal,
): Promise<File[]> {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return [];
  try {
    return await Promise.all(await camera.lit(light, show, firstOf(stopped, skipped)));
  } catch (reason) {
    if (stopped.aborted || !skipped.aborted) throw reason;
    return [];
  }
}

/** Return the frames of all prompts, or why the film ended before. */
async function film(
  challenge: Challenge,
  camera: Film,
  watch: MoveWatch,
  onMoment: (moment: Moment) => void,
  stopped: AbortSignal,
): Promise<{ frames: File[]; stopped: Note | null }> {
  const frames: Encoding[] = [];
  const all = challenge.prompts.length;
  let absent = 0;
  for (const [at, prompt] of challenge.prompts.entries()) {
    const { id, action, timeoutMs, stillMs } = prompt;
    if (stillMs) {
      watch.begin(null);
      onMoment({ move: null, number: at + 1, all });
      frames.push(...(await camera.still(id, stillMs, stopped)));
    }
    watch.begin(action);
    onMoment({ move: action, number: at + 1, all });
    const taken =
      action === "look_straight"
        ? camera.rest(id, timeoutMs, stopped)
        : camera.move(action, id, timeoutMs, stopped);
    frames.push(...(await taken));
    absent = watch.isFaceAbsent ? absent + 1 : 0;
    if (absent >= ABSENT) return { frames: [], stopped: "absent" };
    if (camera.isIdle) return { frames: [], stopped: "unchanged" };
  }
  return { frames: await Promise.all(frames), stopped: null };
}

function NoCamera(props: { isDenied: boolean; onRetry: () => void }): JSX.Element {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    const { origin, pathname } = location;
    const address = `${origin}${pathname}${token && `#${token}`}`;
    setCopied(await navigator.clipboard.writeText(address).then(() => true, () => false));
  };
  return (
    <Screen name="no-camera" title={props.isDenied ? texts.shot.denied : texts.shot.none}>
      <p class="lead">{props.isDenied ? texts.liveness.deniedHow : texts.liveness.noneHow}</p>
      <Button onClick={props.onRetry}>{texts.retry}</Button>
      {"clipboard" in navigator && (
        <Button kind="plain" onClick={() => void copy()}>
          {texts.liveness.copy}
        </Button>
      )}
      <p class="small" role="status">
        {isCopied ? texts.liveness.copied : ""}
      </p>
    </Screen>
  );
}
