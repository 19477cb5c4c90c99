/** A code by SMS or e-mail: where to send it, then what it is. */
import type { JSX, TargetedSubmitEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { askedCode, confirmCode, sendCode, type AskedCode, type Channel } from "../step-calls";
import { Fault, type View } from "../api";
import { boot } from "../boot";
import { Button, Icon, Screen } from "../components";
import { StepFigure } from "../illustrations";
import { useSending } from "../sending";
import { useTexts, type Texts } from "../texts";
import { Waiting } from "./progress";
import "./steps.css";

const MINUTE = 60;

interface Sent {
  channel: Channel;
  /** null after a reload: the server keeps only a digest. */
  to: string | null;
  /** What the person typed; undefined if the server knows it, and after a reload. */
  typed: string | undefined;
  resendAt: number;
  isAgain: boolean;
}

export interface ActProps {
  view: View;
}

const atOf = (seconds: number): number => Date.now() + 1000 * seconds;

/** Whether the step no longer waits: the next state says what does. */
export const isOver = (fault: Fault): boolean => fault.status === 409;

export function Code({ view }: ActProps): JSX.Element {
  const [asked, setAsked] = useState<AskedCode | null>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  const [isDone, setDone] = useState(false);
  const { send } = useSending();
  useEffect(() => {
    void send(
      async (insist) => {
        const found = await insist(askedCode);
        setAsked(found);
        if (!found.sent) return;
        const { channel, resendIn } = found.sent;
        setSent({ channel, to: null, typed: undefined, resendAt: atOf(resendIn), isAgain: false });
      },
      (fault) => isOver(fault) && (setDone(true), true),
    );
  }, []);
  if (isDone || !asked) return <Waiting view={isDone ? view : null} />;
  const onOver = () => setDone(true);
  return sent ? (
    <Enter
      asked={asked}
      sent={sent}
      onSent={setSent}
      onOther={() => setSent(null)}
      onOver={onOver}
    />
  ) : (
    <Choose asked={asked} onSent={setSent} onOver={onOver} />
  );
}

/** What is wrong with the typed code. */
type Mistake = "digits" | "spent" | { left: number };
type Trouble = { is: "wrongAddress" | "refused" } | { is: "often"; minutes: number };

/** Have a code sent; the words of a refusal stay on the screen. */
function useSender(
  onSent: (sent: Sent) => void,
  onOver: () => void,
): {
  deliver: (channel: Channel, destination: string | undefined, isAgain: boolean) => void;
  trouble: Trouble | null;
  isBusy: boolean;
} {
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const { send, isBusy } = useSending();
  const deliver = (channel: Channel, destination: string | undefined, isAgain: boolean) => {
    setTrouble(null);
    void send(
      // Not repeated by itself: each repetition counts towards the limits.
      async () => {
        const { destination: to, resendIn } = await sendCode(channel, destination);
        onSent({ channel, to, typed: destination, resendAt: atOf(resendIn), isAgain });
      },
      (fault) => {
        if (isOver(fault)) onOver();
        else if (fault.status === 422) setTrouble({ is: destination ? "wrongAddress" : "refused" });
        else if (fault.status === 429)
          setTrouble({ is: "often", minutes: Math.ceil(fault.retryAfter / MINUTE) });
        else return false;
        return true;
      },
    );
  };
  return { deliver, trouble, isBusy };
}

function troubleWords(t: Texts["code"], trouble: Trouble | null, channel: Channel): string {
  if (!trouble) return "";
  if (trouble.is === "often") return t.often(trouble.minutes);
  return trouble.is === "refused" ? t.refused : t.wrongAddress[channel];
}

function Choose(props: {
  asked: AskedCode;
  onSent: (sent: Sent) => void;
  onOver: () => void;
}): JSX.Element {
  const texts = useTexts();
  const t = texts.code;
  const { channels } = props.asked;
  const [channel, setChannel] = useState<Channel>(channels[0]?.channel ?? "sms");
  const { deliver, trouble, isBusy } = useSender(props.onSent, props.onOver);
  const isKnown = channels.find((each) => each.channel === channel)?.destinationKnown ?? false;
  const [isMissed, setMissed] = useState(false);
  const words = isMissed ? t.wrongAddress[channel] : troubleWords(t, trouble, channel);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("destination");
    const destination = isKnown ? undefined : String(given ?? "").trim();
    setMissed(destination === "");
    if (destination === "") document.getElementById("destination")!.focus();
    else deliver(channel, destination, false);
  };
  return (
    <Screen name="code" title={t.title}>
      <StepFigure of="code" />
      <p class="lead">{t.lead(boot.organizationName)}</p>
      <form class="fields" onSubmit={submit} noValidate>
        {channels.length > 1 && (
          <fieldset>
            <legend>{t.choose}</legend>
            {channels.map((each) => (
              <label key={each.channel} class="pick">
                <input
                  type="radio"
                  name="channel"
                  checked={each.channel === channel}
                  onChange={() => setChannel(each.channel)}
                />
                <span>{t.by[each.channel]}</span>
              </label>
            ))}
          </fieldset>
        )}
        {isKnown ? (
          <p>{t.known[channel]}</p>
        ) : (
          <div class="field">
            <label for="destination">{t.to[channel]}</label>
            <small id="destination-hint">{t.toHint[channel]}</small>
            <input
              key={channel}
              id="destination"
              name="destination"
              type={(channel === "sms" ? "tel" : "email") as "email"}
              autocomplete={channel === "sms" ? "tel" : "email"}
              maxLength={320}
              aria-describedby="destination-hint destination-fault"
              aria-invalid={words !== ""}
            />
          </div>
        )}
        <p class="wrong" id="destination-fault" role="alert">
          {words}
        </p>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? texts.working : t.send}
        </Button>
      </form>
    </Screen>
  );
}

function Enter(props: {
  asked: AskedCode;
  sent: Sent;
  onSent: (sent: Sent) => void;
  onOther: () => void;
  onOver: () => void;
}): JSX.Element {
  const { sent, onOver } = props;
  const texts = useTexts();
  const t = texts.code;
  const [fault, setFault] = useState<Mistake | null>(null);
  const { send, isBusy } = useSending();
  const sender = useSender((next) => (setFault(null), props.onSent(next)), onOver);
  const wait = useSecondsTo(sent.resendAt);
  const { channels } = props.asked;
  const mayChange = channels.some((each) => !each.destinationKnown) || channels.length > 1;
  const known = channels.find((each) => each.channel === sent.channel)?.destinationKnown;
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code")).replace(/\D/g, "");
    const complain = (about: Mistake) => {
      setFault(about);
      document.getElementById("code")!.focus();
    };
    if (code.length !== 6) return complain("digits");
    void send(
      async () => {
        const { valid, attemptsRemaining: left } = await confirmCode(sent.channel, code);
        if (valid) onOver();
        else complain(left > 0 ? { left } : "spent");
      },
      (reason) => isOver(reason) && (onOver(), true),
    );
  };
  return (
    <Screen name="code-entry" title={t.enterTitle}>
      <p class="lead">{sent.to ? t.sentTo(sent.to) : t.sent[sent.channel]}</p>
      <form class="fields" onSubmit={submit} noValidate>
        <div class="field">
          <label for="code">{t.code}</label>
          <input
            id="code"
            name="code"
            class="digits"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={10}
            aria-describedby="code-fault"
            aria-invalid={fault !== null}
          />
        </div>
        <p class="wrong" id="code-fault" role="alert">
          {fault && (typeof fault === "string" ? t[fault] : t.wrong(fault.left))}
        </p>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? texts.working : t.confirm}
        </Button>
      </form>
      {(known || sent.typed) && (
        <Button
          kind="plain"
          disabled={wait > 0 || sender.isBusy}
          onClick={() => sender.deliver(sent.channel, sent.typed, true)}
        >
          {wait > 0 ? t.resendIn(wait) : t.resend}
        </Button>
      )}
      <p class="wrong" role="alert">
        {troubleWords(t, sender.trouble, sent.channel)}
      </p>
      <p class="small" role="status">
        {sent.isAgain ? t.resent : ""}
      </p>
      {mayChange && (
        <Button kind="plain" onClick={props.onOther}>
          {t.other}
        </Button>
      )}
      <p class="notice">
        <Icon name="warning" />
        <span>{t.secret}</span>
      </p>
    </Screen>
  );
}

/** Whole seconds until then, rounded up. */
function useSecondsTo(moment: number): number {
  const left = () => Math.max(0, Math.ceil((moment - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [moment]);
  return seconds;
}
