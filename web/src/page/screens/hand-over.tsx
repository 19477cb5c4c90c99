/** A QR code and a short link for another device; then what happens there, live. */
import { generate } from "lean-qr";
import type { JSX, TargetedSubmitEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { endHandOver, Fault, handOver, type HandOver as Link, type View } from "../api";
import { boot } from "../boot";
import { Button, Screen, Spinner } from "../components";
import { useSending } from "../sending";
import { useTexts } from "../texts";
import "./hand-over.css";

// Modules of white around the code (ISO/IEC 18004).
const QUIET = 4;

type Trouble = "spent" | "failed";

/** A verification allows a number of links. */
const troubleOf = ({ kind }: Fault): Trouble => (kind === "challenges" ? "spent" : "failed");

export interface HandOverProps {
  view: View;
  onHere: () => void;
}

export function HandOver({ view, onHere }: HandOverProps): JSX.Element {
  const texts = useTexts();
  const t = texts.handOver;
  const { send, isBusy } = useSending();
  const [link, setLink] = useState<Link | null>(null);
  const [isLate, setLate] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const isOpened = view.handOver?.state === "opened";
  const make = () => {
    setTrouble(null);
    void send(
      async (insist) => setLink(await insist(() => handOver())),
      (fault) => {
        if (fault.kind === "link" || fault.kind === "closed") return false;
        setLink(null);
        setTrouble(troubleOf(fault));
        return true;
      },
    );
  };
  useEffect(() => {
    if (!isOpened) make();
  }, []);
  useEffect(() => {
    if (!link) return;
    setLate(false);
    const left = Date.parse(link.expiresAt) - Date.now();
    const timer = setTimeout(() => setLate(true), left);
    return () => clearTimeout(timer);
  }, [link]);
  const stay = () => void send((insist) => insist(endHandOver)).then((ended) => ended && onHere());
  const here = (
    <Button kind="plain" onClick={stay} disabled={isBusy}>
      {t.here}
    </Button>
  );
  if (isOpened) {
    return (
      <Screen name="hand-over-opened" title={t.openedTitle}>
        <p class="lead waited" role="status">
          <Spinner /> {t.openedLead}
        </p>
        {here}
      </Screen>
    );
  }
  return (
    <Screen name="hand-over" title={t.title}>
      <p class="lead">{t.lead}</p>
      {!link && !trouble && <Spinner />}
      {trouble && (
        <div role="alert">
          <p>{trouble === "spent" ? t.spent : texts.faults.server.lead}</p>
          {trouble === "failed" && <Button onClick={make}>{texts.retry}</Button>}
        </div>
      )}
      {link && !isLate && (
        <>
          <Code url={link.url} label={t.code} />
          <p>
            {t.orOpen} <strong class="short-link">{link.url.replace(/^https?:\/\//, "")}</strong>
          </p>
          <p class="small">{t.once}</p>
          {boot.messages.length > 0 && <Send onLink={setLink} />}
        </>
      )}
      {link && isLate && (
        <div role="alert">
          <p>{t.late}</p>
          <Button onClick={make}>{t.again}</Button>
        </div>
      )}
      {here}
    </Screen>
  );
}

/** Black on white in both modes: few cameras read an inverted code. */
function Code(props: { url: string; label: string }): JSX.Element {
  const code = generate(props.url);
  let path = "";
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
    }
  }
  const whole = code.size + 2 * QUIET;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={props.label}
      viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`}
      shape-rendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function Send(props: { onLink: (link: Link) => void }): JSX.Element {
  const t = useTexts().handOver;
  const [note, setNote] = useState<"sent" | "wrong" | "often" | Trouble | null>(null);
  const [isBusy, setBusy] = useState(false);
  const takesMail = boot.messages.includes("email");
  const takesPhones = boot.messages.includes("sms");
  const label = takesMail && takesPhones ? t.toEither : takesMail ? t.toMail : t.toPhone;
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const destination = String(new FormData(event.currentTarget).get("destination")).trim();
    setBusy(true);
    try {
      const channel = destination.includes("@") ? "email" : "sms";
      props.onLink(await handOver({ channel, destination }));
      setNote("sent");
    } catch (reason) {
      const fault = reason instanceof Fault ? reason : new Fault("server");
      const { status } = fault;
      setNote(status === 422 ? "wrong" : status === 429 ? "often" : troubleOf(fault));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="hand-over-send" onSubmit={(event) => void submit(event)}>
      <label for="destination">{label}</label>
      <input
        id="destination"
        name="destination"
        required
        maxLength={320}
        autocomplete={takesPhones ? "tel" : "email"}
        placeholder={takesPhones ? "+52 55 1234 5678" : ""}
        aria-describedby="send-note"
      />
      <button class="button plain" disabled={isBusy}>
        {t.send}
      </button>
      <p id="send-note" class={note === "sent" ? "small" : "wrong"} role="status">
        {note && t[note]}
      </p>
    </form>
  );
}
