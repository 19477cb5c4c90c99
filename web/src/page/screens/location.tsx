/** The device's position: why it is asked for, then the browser's question, or the person's refusal. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { givePosition, type Position } from "../step-calls";
import { boot } from "../boot";
import { Button, Icon, Screen, Spinner } from "../components";
import { StepFigure } from "../illustrations";
import { useSending } from "../sending";
import { useTexts } from "../texts";
import { isOver, type ActProps } from "./code";
import { Waiting } from "./progress";

// A first fix of a phone indoors can take this long.
const LONGEST = 20_000;
const RECENT = 60_000;

export function LocationScreen({ view }: ActProps): JSX.Element {
  const t = useTexts().place;
  const name = boot.organizationName;
  const [trouble, setTrouble] = useState<"refused" | "unavailable" | null>(null);
  const [isMeasuring, setMeasuring] = useState(false);
  const [isDone, setDone] = useState(false);
  const { send, isBusy } = useSending();
  if (isDone) return <Waiting view={view} />;

  const give = (answer: Position) =>
    void send(
      async (insist) => {
        await insist(() => givePosition(answer));
        setDone(true);
      },
      (fault) => isOver(fault) && (setDone(true), true),
    );
  const share = async () => {
    setTrouble(null);
    setMeasuring(true);
    const answer = await measure();
    setMeasuring(false);
    if (answer.state === "given") give(answer);
    else setTrouble(answer.state);
  };
  return (
    <Screen name="place" title={t.title}>
      <StepFigure of="place" />
      <p class="lead">{t.lead(name)}</p>
      {trouble ? (
        <div class="notice" role="alert">
          <Icon name="warning" />
          <p>{t[trouble]}</p>
        </div>
      ) : (
        <p>{t.how}</p>
      )}
      <p>{t.free(name)}</p>
      <Button onClick={() => void share()} disabled={isMeasuring || isBusy}>
        {isMeasuring && <Spinner />}
        {isMeasuring ? t.measuring : t.share}
      </Button>
      <Button
        kind="plain"
        onClick={() => give({ state: trouble ?? "refused" })}
        disabled={isMeasuring || isBusy}
      >
        {t.without}
      </Button>
    </Screen>
  );
}

const measure = (): Promise<Position> =>
  new Promise((resolve) => {
    if (!("geolocation" in navigator)) {
      resolve({ state: "unavailable" });
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) =>
        resolve({ state: "given", latitude, longitude, accuracyMetres: accuracy }),
      ({ code, PERMISSION_DENIED }) =>
        resolve({ state: code === PERMISSION_DENIED ? "refused" : "unavailable" }),
      { enableHighAccuracy: true, timeout: LONGEST, maximumAge: RECENT },
    );
  });
