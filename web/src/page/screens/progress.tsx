/** The progress of the checks, and the result. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Fault, View } from "../api";
import { boot } from "../boot";
import { returnTo } from "../capability";
import { isEmbedded, tell } from "../embedding";
import { Button, Icon, Screen, Spinner, type IconName } from "../components";
import { forget } from "../sent-pictures";
import { useServerWords, useTexts } from "../texts";

export function Waiting({ view }: { view: View | null }): JSX.Element {
  const texts = useTexts();
  const { nameOf } = useServerWords();
  const t = texts.waiting;
  // The step waits for a code, a form or a signature, which the organization asks for.
  const isElsewhere = view?.next.action === "external";
  return (
    <Screen
      name={isElsewhere ? "elsewhere" : "waiting"}
      title={isElsewhere ? t.elsewhere : view ? t.title : texts.loading}
    >
      {view ? (
        <p class="lead">{isElsewhere ? t.elsewhereLead(boot.organizationName) : t.lead}</p>
      ) : (
        <Spinner />
      )}
      {view && (
        <ol class="checks" aria-live="polite">
          {view.steps.map((step) => (
            <li key={step.id} class={step.status.toLowerCase()}>
              {step.status === "RUNNING" ? <Spinner /> : <Icon name={iconOf(step.status)} />}
              <span>
                {nameOf(step.type)}: <em>{t.statuses[step.status]}</em>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Screen>
  );
}

const iconOf = (status: string): IconName =>
  status === "PASSED" || status === "REVIEW" ? "check" : "clock";

type Ending = "APPROVED" | "REJECTED" | "MANUAL_REVIEW" | "EXPIRED";

const SIGNS: Record<Ending, IconName> = {
  APPROVED: "check",
  REJECTED: "cross",
  MANUAL_REVIEW: "eye",
  EXPIRED: "clock",
};

export function Ended({ ending }: { ending: Ending }): JSX.Element {
  const texts = useTexts();
  const t = texts.ended[ending];
  const name = boot.organizationName;
  useEffect(() => {
    forget();
    tell({ type: "finished", status: ending });
  }, [ending]);
  return (
    <Screen name={`ended-${ending.toLowerCase().replace("_", "-")}`} title={t.title} class="ended">
      <span class={`sign ${ending.toLowerCase()}`}>
        <Icon name={SIGNS[ending]} />
      </span>
      <p class="lead">{t.lead(name)}</p>
      <div class="after">
        <h2>{texts.ended.nextTitle}</h2>
        <ul>
          {texts.ended.next[ending](name).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <h2>{texts.ended.helpTitle}</h2>
        <p>
          {texts.ended.help(name)} <strong class="reference">{boot.verificationId}</strong>
        </p>
        {boot.contact && (
          <p>
            <a href={boot.contact.url} target="_blank" rel="noopener noreferrer">
              {boot.contact.text}
            </a>
          </p>
        )}
      </div>
      <WayOn />
    </Screen>
  );
}

/** `isRepeated`: what failed is tried again without the person. */
export function Problem(props: {
  fault: Fault;
  isRepeated: boolean;
  onRetry: () => void;
}): JSX.Element {
  const { fault, isRepeated, onRetry } = props;
  const texts = useTexts();
  const t = texts.faults[fault.kind];
  const isFinal = fault.kind === "link" || fault.kind === "closed";
  useEffect(() => {
    if (isFinal) forget();
  }, [isFinal]);
  const isWaitedFor = isRepeated && fault.retryAfter > 0;
  useEffect(() => {
    if (fault.kind !== "offline") return undefined;
    window.addEventListener("online", onRetry);
    return () => window.removeEventListener("online", onRetry);
  }, [fault, onRetry]);
  return (
    <Screen name={`problem-${fault.kind}`} title={t.title} class="ended">
      <span class="sign problem">
        <Icon name="warning" />
      </span>
      <p class="lead">
        {fault.kind === "busy" && !isRepeated ? texts.faults.server.lead : t.lead}
      </p>
      {isWaitedFor && (
        <p class="waited">
          <Spinner /> {texts.faults.again(fault.retryAfter)}
        </p>
      )}
      {isFinal && <WayOn />}
      {!isFinal && !isWaitedFor && <Button onClick={onRetry}>{texts.retry}</Button>}
      {fault.requestId && <p class="small">{texts.faults.reference(fault.requestId)}</p>}
    </Screen>
  );
}

function WayOn(): JSX.Element {
  const texts = useTexts();
  if (isEmbedded) return <Button onClick={() => tell({ type: "exit" })}>{texts.close}</Button>;
  if (!returnTo) return <p>{texts.ended.canClose}</p>;
  return (
    <a class="button primary" href={returnTo}>
      {texts.goBackTo(boot.organizationName)}
    </a>
  );
}
