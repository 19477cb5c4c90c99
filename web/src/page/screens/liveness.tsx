/** The challenge: moves before the camera, one after another, in a random order. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { View } from "../api";
import { Face } from "../illustrations";
import { SentPicture } from "../sent-pictures";
import { lazyComponent } from "../lazy";
import { Button, Icon, Screen, type IconName } from "../components";
import { useServerWords, useTexts } from "../texts";
import type { Note, SessionProps } from "./challenge";

const Session = lazyComponent<SessionProps>(() => import("./challenge").then(({ Session }) => Session));
const TIPS: IconName[] = ["light", "glasses", "person"];

export function Liveness(props: { view: View; onView: (view: View) => void }): JSX.Element {
  const { view, onView } = props;
  const [isOn, setOn] = useState(false);
  const [note, setNote] = useState<Note | null>(null);
  const t = useTexts().liveness;
  const { adviceFor } = useServerWords();
  const step = view.steps.find((each) => each.id === view.next.stepId);
  const advice = step?.code ? adviceFor(step) : null;
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
          {!note && <SentPicture role="liveness" />}
        </div>
      )}
      <Face move="turn_left" />
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
