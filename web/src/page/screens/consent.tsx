import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { consent, type View } from "../api";
import { boot } from "../boot";
import { Button, Icon, Screen } from "../components";
import { useLanguage, useServerWords, useTexts } from "../texts";
import { useSending } from "../sending";

/** Change this with the meaning of these texts: a consent is stored with this version. */
export const CONSENT_VERSION = "2026-11-3";

export function Consent(props: { view: View; onView: (view: View) => void }): JSX.Element {
  const { view, onView } = props;
  const texts = useTexts();
  const language = useLanguage();
  const { disclosureOf } = useServerWords();
  const t = texts.consent;
  const name = boot.organizationName;
  const [isAgreed, setAgreed] = useState(false);
  const [isMissed, setMissed] = useState(false);
  const { send, isBusy } = useSending();
  const takesFace = view.steps.some((step) => boot.steps[step.type]!.takesFace);
  const types = [...new Set(view.steps.map((step) => step.type))];
  const isTyped = (type: string) => type in t.takenBy;
  const takesId = types.some((type) => boot.steps[type]!.takesDocument && !isTyped(type));
  const disclosed = new Set(view.steps.map((step) => disclosureOf(step.type)));

  const submit = (event: Event) => {
    event.preventDefault();
    setMissed(!isAgreed);
    if (!isAgreed) document.getElementById("agreed")!.focus();
    else
      void send(async (insist) =>
        onView(await insist(() => consent(CONSENT_VERSION, language))),
      );
  };

  return (
    <Screen name="consent" title={t.title(name)}>
      <p class="lead">{takesId ? t.lead : t.leadPlain}</p>
      <form onSubmit={submit} noValidate>
        <h2>{t.takenTitle}</h2>
        <ul class="taken">
          {takesId && (
            <li>
              <Icon name="card" />
              <span>{t.takenDocument}</span>
            </li>
          )}
          {takesFace && (
            <li>
              <Icon name="face" />
              <span>{takesId ? t.takenFace : t.takenFacePlain}</span>
            </li>
          )}
          {types.filter(isTyped).map((type) => (
            <li key={type}>
              <Icon name="person" />
              <span>{t.takenBy[type]}</span>
            </li>
          ))}
          <li>
            <Icon name="eye" />
            <span>{t.takenDevice}</span>
          </li>
        </ul>
        <h2>{t.whyTitle}</h2>
        <p>
          {[takesId ? t.why(name) : t.whyPlain(name), ...disclosed].filter(Boolean).join(" ")}
        </p>
        <details>
          <summary>
            <h2>{t.keptTitle}</h2>
          </summary>
          <p>{t.kept(boot.retentionDays, name)}</p>
        </details>
        {boot.privacyNoticeUrl && (
          <p>
            <a href={boot.privacyNoticeUrl} target="_blank" rel="noopener noreferrer">
              {t.notice} <span class="unseen">({texts.opensNewTab})</span>
            </a>
          </p>
        )}
        <div class="act">
          <label class="agree">
            <input
              type="checkbox"
              id="agreed"
              checked={isAgreed}
              aria-describedby="agreed-missing"
              aria-invalid={isMissed}
              onChange={(event) => {
                setAgreed(event.currentTarget.checked);
                setMissed(false);
              }}
            />
            <span>{takesFace ? t.accept : t.acceptPlain}</span>
          </label>
          <p class="wrong" id="agreed-missing" role="alert">
            {isMissed ? t.missing : ""}
          </p>
          <Button type="submit" disabled={isBusy}>
            {isBusy ? texts.working : texts.next}
          </Button>
        </div>
        <p class="small">{t.version(CONSENT_VERSION)}</p>
      </form>
    </Screen>
  );
}
