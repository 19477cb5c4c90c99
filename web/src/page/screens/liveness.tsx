/** The challenge: moves before the camera, one after another, in a random order. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  answerChallenge,
  startChallenge,
  status,
  type Challenge,
  type FaultKind,
  type Move,
  type View,
} from "../api";
import { Film } from "../camera/film";
import { useCamera } from "../camera/stream";
import { token } from "../capability";
import { Button, Icon, Screen, Spinner, type IconName } from "../parts";
import { useSending, type Insist } from "../sending";
import { useLanguage, useTexts } from "../texts";

const TIPS: IconName[] = ["light", "glasses", "person"];

export function Liveness(props: { view: View; onView: (view: View) => void }): JSX.Element {
  const { view, onView } = props;
  const [isOn, setOn] = useState(false);
  const [note, setNote] = useState<Note | null>(null);
  const t = useTexts().liveness;
  const language = useLanguage();
  const step = view.steps.find((each) => each.id === view.next.stepId);
  const advice = step?.code ? step.advice?.[language] : null;
  if (isOn) {
    return (
      <Session
        onView={onView}
        onAgain={(why) => {
          setNote(why);
          setOn(false);
        }}
      />
    );
  }
  return (
    <Screen name="liveness" title={t.title}>
      <p class="lead">{t.lead}</p>
      {(advice || note) && (
        <div class="notice" role="alert">
          <Icon name="warning" />
          <p>{note ? t[note] : advice}</p>
        </div>
      )}
      <ul class="taken">
        {t.tips.map((tip, number) => (
          <li key={tip}>
            <Icon name={TIPS[number]!} />
            <span>{tip}</span>
          </li>
        ))}
      </ul>
      <Button onClick={() => setOn(true)}>{t.start}</Button>
    </Screen>
  );
}

/** The reasons to restart a challenge that have a text. */
type Note = "expired" | "tooMany" | "unusable" | "unchanged";
const NOTES: Partial<Record<FaultKind, Note>> = {
  challenge: "expired",
  challenges: "tooMany",
  file: "unusable",
};

interface Moment {
  /** null while the face must keep still: the next move is not shown before its cue. */
  move: Move | null;
  number: number;
  all: number;
}

function Session(props: { onView: (view: View) => void; onAgain: (why: Note | null) => void }): JSX.Element {
  const texts = useTexts();
  const t = texts.liveness;
  const { video, state, retry } = useCamera("user");
  const [moment, setMoment] = useState<Moment | null>(null);
  const [colour, setColour] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const { send } = useSending();

  useEffect(() => {
    if (state !== "live") return undefined;
    const stopping = new AbortController();
    const run = async (insist: Insist) => {
      const challenge = await insist(startChallenge);
      const camera = new Film(video.current!);
      const frames = await film(challenge, camera, setMoment, stopping.signal);
      if (camera.isIdle) {
        props.onAgain("unchanged");
        return;
      }
      if (challenge.light && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
        frames.push(...(await camera.lit(challenge.light, setColour, stopping.signal)));
        setColour(null);
      }
      setSent(true);
      const view = await insist(async (isAgain) => {
        // An interrupted upload may have arrived: the server would reject a second one.
        const before = isAgain ? await status() : null;
        if (before && before.next.action !== "liveness") return before;
        await answerChallenge(challenge, frames);
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
  const asked = moment && (moment.move ? t.moves[moment.move] : t.still);
  const words = isSent ? t.sending : colour ? t.light : (asked ?? texts.shot.starting);
  return (
    <Screen name="liveness-camera" title={t.title} class="capture">
      <div class="viewfinder">
        {colour && (
          <div class="light" style={{ backgroundColor: colour }}>
            <p aria-hidden="true">{words}</p>
          </div>
        )}
        <div class="stage face" data-move={colour ? "" : (moment?.move ?? "")}>
          <div class="seen">
            <video ref={video} muted playsInline class="mirrored" />
            {(isSent || !moment) && <Spinner />}
            <div class="outline" />
            {moment?.move && !isSent && !colour && <span class={`arrow ${moment.move}`} aria-hidden="true" />}
          </div>
          <p class="hint large" aria-hidden="true">
            {moment && !isSent && <small>{t.step(moment.number, moment.all)}</small>}
            {words}
          </p>
        </div>
        <p class="unseen" role="alert">
          {words}
        </p>
        {moment && (
          <p class="steps">
            <span class="unseen">{t.step(moment.number, moment.all)}</span>
            {Array.from({ length: moment.all }, (_, at) => (
              <i key={at} class={isSent || at + 1 < moment.number ? "past" : at + 1 === moment.number ? "now" : ""} />
            ))}
          </p>
        )}
        <p class="small">{t.judged}</p>
      </div>
    </Screen>
  );
}

/** Return the frames of all prompts; those so far if the camera is idle. */
async function film(
  challenge: Challenge,
  camera: Film,
  onMoment: (moment: Moment) => void,
  stopped: AbortSignal,
): Promise<File[]> {
  const frames: File[] = [];
  const all = challenge.prompts.length;
  for (const [at, prompt] of challenge.prompts.entries()) {
    const { id, action, timeoutMs, stillMs } = prompt;
    if (stillMs) {
      onMoment({ move: null, number: at + 1, all });
      frames.push(...(await camera.still(id, stillMs, stopped)));
    }
    onMoment({ move: action, number: at + 1, all });
    const taken =
      action === "look_straight"
        ? camera.rest(id, timeoutMs, stopped)
        : camera.move(action, id, timeoutMs, stopped);
    frames.push(...(await taken));
    if (camera.isIdle) break;
  }
  return frames;
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

