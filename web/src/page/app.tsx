/** The page. The server's next step decides which screen it shows. */
import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { hasEnded, type Fault, type View } from "./api";
import { boot } from "./boot";
import { stageOf } from "./journey";
import { previewed } from "./preview";
import { follow } from "./progress";
import { lazyComponent } from "./lazy";
import type { ActProps } from "./screens/code";
import { Consent } from "./screens/consent";
import { Documents } from "./screens/documents";
import { ContinueOnPhone } from "./screens/continue-on-phone";
import { Liveness } from "./screens/liveness";
import { Ended, Problem, Waiting } from "./screens/progress";
import { FaultContext, type Raised } from "./sending";
import {
  LanguageContext,
  LANGUAGES,
  loadTexts,
  NAMES,
  remember,
  useTexts,
  type Language,
  type Texts,
} from "./texts";

const Code = lazyComponent<ActProps>(() => import("./screens/code").then(({ Code }) => Code));
const Form = lazyComponent<ActProps>(() => import("./screens/form").then(({ Form }) => Form));
const Location = lazyComponent<ActProps>(() =>
  import("./screens/location").then(({ LocationScreen }) => LocationScreen),
);

export function App(props: { language: Language; texts: Texts }): JSX.Element {
  const [{ language, texts }, setSpoken] = useState(props);
  const [raised, setRaised] = useState<Raised | null>(null);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <LanguageContext.Provider value={{ language, texts }}>
      <FaultContext.Provider value={setRaised}>
        <Header
          language={language}
          onLanguage={(chosen) => {
            // Without a connection, the page keeps its language.
            void loadTexts(chosen).then((texts) => {
              remember(chosen);
              setSpoken({ language: chosen, texts });
            }, () => undefined);
          }}
        />
        <main>
          <Flow raised={raised} setRaised={setRaised} />
        </main>
        <Footer />
      </FaultContext.Provider>
    </LanguageContext.Provider>
  );
}

function Flow(props: {
  raised: Raised | null;
  setRaised: (raised: Raised | null) => void;
}): JSX.Element {
  const { raised, setRaised } = props;
  const [view, setView] = useState<View | null>(null);
  const [lineFault, setLineFault] = useState<Fault | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (boot.previewOf === null) return follow(setView, setLineFault);
    // Nothing of a preview reacts, so nothing of it is sent.
    document.body.inert = true;
    setView(previewed(boot.previewOf, boot.previewScreen));
    return undefined;
  }, [attempt]);
  const texts = useTexts();
  const retry = useCallback(() => {
    setRaised(null);
    if (raised) raised.again?.();
    else {
      setLineFault(null);
      setAttempt(attempt + 1);
    }
  }, [raised, attempt]);
  useEffect(() => {
    // A message has arrived, so the connection is back.
    if (raised?.fault.kind === "offline") retry();
  }, [view]);

  const lasting =
    raised?.fault ?? (view === null || lineFault?.kind === "link" ? lineFault : null);
  useEffect(() => {
    // When a fault is over, screen readers read the screen behind it again.
    const heading = lasting ? null : document.querySelector<HTMLElement>("main h1");
    if (!heading) return;
    heading.focus({ preventScroll: true });
    document.title = heading.textContent;
  }, [lasting === null]);
  if (view && hasEnded(view)) return <Ended ending={view.status as "APPROVED"} />;
  return (
    <>
      {lasting && (
        <Problem fault={lasting} isRepeated={!raised || raised.again !== null} onRetry={retry} />
      )}
      {lineFault && !lasting && (
        <p class="line" role="status">
          {lineFault.kind === "offline" ? texts.faults.waiting : texts.faults[lineFault.kind].title}
        </p>
      )}
      {view && !lasting && <Journey view={view} />}
      {/* Hidden, not removed, so that the pictures taken so far survive a fault. */}
      <div hidden={lasting !== null}>
        {view && view.consentGiven && boot.previewOf === null ? (
          <ContinueOnPhone view={view}>
            <Next view={view} onView={setView} />
          </ContinueOnPhone>
        ) : (
          <Next view={view} onView={setView} />
        )}
      </div>
    </>
  );
}

/** One bar over the whole way: consent, documents, face, check. */
function Journey({ view }: { view: View }): JSX.Element {
  const texts = useTexts();
  const { at, all } = stageOf(view);
  return (
    <div
      class="journey"
      role="progressbar"
      aria-label={texts.stage(at, all)}
      aria-valuemin={0}
      aria-valuemax={all}
      aria-valuenow={at - 1}
    >
      <i style={{ width: `${((at - 0.5) / all) * 100}%` }} />
    </div>
  );
}

function Next(props: { view: View | null; onView: (view: View) => void }): JSX.Element {
  const { view, onView } = props;
  const [isSkipping, setSkipping] = useState(false);
  const step = view?.steps.find((each) => each.id === view.next.stepId);
  // A retake starts the same screen again.
  const turn = `${view?.next.stepId}-${view?.next.roles.join()}-${step?.retakesLeft}`;
  // The step runs for a moment after a wrong code too. The screen stays, with what was typed.
  const code = useRef<{ stepId: string; turn: string } | null>(null);
  const isChecked = view?.steps.some(
    (each) => each.id === code.current?.stepId && each.status === "RUNNING",
  );
  if (code.current && isChecked) return <Code key={code.current.turn} view={view!} />;
  code.current = view?.next.action === "code" && step ? { stepId: step.id, turn } : null;
  switch (view?.next.action) {
    case "consent":
      return <Consent view={view} onView={onView} />;
    case "upload":
      if (isSkipping && view.next.roles.length === 0) return <Waiting view={view} />;
      return (
        <Documents key={turn} view={view} onView={onView} onSkip={() => setSkipping(true)} />
      );
    case "liveness":
      return <Liveness key={turn} view={view} onView={onView} />;
    case "code":
      return <Code key={turn} view={view} />;
    case "form":
      return <Form key={turn} view={view} />;
    case "location":
      return <Location key={turn} view={view} />;
    default:
      return <Waiting view={view} />;
  }
}

function Header(props: {
  language: Language;
  onLanguage: (language: Language) => void;
}): JSX.Element {
  const texts = useTexts();
  const [hasLogo, setHasLogo] = useState(boot.logoUrl !== null);
  return (
    <header>
      {hasLogo ? (
        <img
          class="logo"
          src={boot.logoUrl!}
          alt={boot.organizationName}
          referrerpolicy="no-referrer"
          onError={() => setHasLogo(false)}
        />
      ) : (
        <span class="name">{boot.organizationName}</span>
      )}
      <select
        class="language"
        aria-label={texts.chooseLanguage}
        value={props.language}
        onChange={(event) => props.onLanguage(event.currentTarget.value as Language)}
      >
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={each}>
            {NAMES[each]}
          </option>
        ))}
      </select>
    </header>
  );
}

function Footer(): JSX.Element | null {
  const texts = useTexts();
  if (!boot.privacyNoticeUrl) return null;
  return (
    <footer>
      <a href={boot.privacyNoticeUrl} target="_blank" rel="noopener noreferrer">
        {texts.privacyNotice} <span class="unseen">({texts.opensNewTab})</span>
      </a>
    </footer>
  );
}
