/** The choice of a document, then its pictures one by one, then one upload of all of them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { status, upload, type Role, type View } from "../api";
import { DocumentFigure } from "../illustrations";
import { SentPicture, remember } from "../sent-pictures";
import { lazyComponent } from "../lazy";
import { Icon, Screen, type IconName } from "../components";
import { useSending } from "../sending";
import { useServerWords, useTexts } from "../texts";
import type { ShotKind, ShotProps } from "./shot";

const Shot = lazyComponent<ShotProps>(() => import("./shot").then(({ Shot }) => Shot));

type Choice = "ine" | "passport" | "licence";

const ICONS: Record<Choice, IconName> = { ine: "card", passport: "passport", licence: "licence" };

interface Plan {
  shots: { role: Role; kind: ShotKind }[];
}

// Any of these can have been sent in place of what is asked for again.
const BY_CHOICE: Role[] = ["front", "back", "passport"];

const asked = (view: View): Role[] => [...view.next.roles, ...view.next.optionalRoles];

/** Roles without a choice: a selfie, or the only missing picture. */
function planWithoutChoice(view: View): Plan | null {
  const wanted = asked(view);
  if (view.next.roles.includes("front")) return null;
  const only = (["passport", "back", "selfie", "proofOfAddress"] as const).find((role) =>
    wanted.includes(role),
  );
  return { shots: [{ role: only ?? "selfie", kind: only ?? "selfie" }] };
}

function planFor(choice: Choice, view: View): Plan {
  const takesBack = asked(view).includes("back");
  switch (choice) {
    case "passport":
      return { shots: [{ role: "passport", kind: "passport" }] };
    case "licence":
      return { shots: [{ role: "front", kind: "licence" }] };
    case "ine":
      return {
        shots: [
          { role: "front", kind: "front" },
          ...(takesBack ? [{ role: "back", kind: "back" } as const] : []),
        ],
      };
  }
}

/** Do not repeat an interrupted upload that arrived. */
async function uploadAgain(before: View, files: Partial<Record<Role, File>>): Promise<View> {
  const now = await status();
  return asked(now).join() === asked(before).join() ? upload(files) : now;
}

export function Documents(props: {
  view: View;
  onView: (view: View) => void;
  onSkip: () => void;
}): JSX.Element {
  const { view, onView, onSkip } = props;
  const [plan, setPlan] = useState<Plan | null>(() => planWithoutChoice(view));
  const [files, setFiles] = useState<Partial<Record<Role, File>>>({});
  const { send, isBusy } = useSending();
  const { adviceFor } = useServerWords();
  const step = view.steps.find((each) => each.id === view.next.stepId);
  const isChosen = plan !== null && planWithoutChoice(view) === null;

  if (plan === null) return <Choose view={view} onChoose={(c) => setPlan(planFor(c, view))} />;
  const taken = plan.shots.filter((shot) => files[shot.role]).length;
  const number = Math.min(taken, plan.shots.length - 1);
  const shot = plan.shots[number]!;

  const accept = (file: File) => {
    const all = { ...files, [shot.role]: file };
    setFiles(all);
    if (Object.keys(all).length < plan.shots.length) return;
    void send(async (insist) => {
      void remember(all);
      onView(await insist((isAgain) => (isAgain ? uploadAgain(view, all) : upload(all))));
      // A document without a back needs no picture of one.
      onSkip();
    }).then((isSent) => {
      if (isSent) return;
      // Take the last one again; keep those before it.
      const { [shot.role]: _, ...kept } = all;
      setFiles(kept);
    });
  };

  return (
    <Shot
      key={shot.role}
      kind={shot.kind}
      number={number + 1}
      of={plan.shots.length}
      front={(shot.kind === "back" && files.front) || null}
      advice={isChosen || !step ? null : adviceFor(step)}
      isSending={isBusy}
      onAccept={accept}
      onBack={isChosen && !isBusy ? () => (setFiles({}), setPlan(null)) : null}
      onSkip={view.next.roles.length === 0 ? onSkip : null}
    />
  );
}

function Choose(props: { view: View; onChoose: (choice: Choice) => void }): JSX.Element {
  const t = useTexts().document;
  const { adviceFor } = useServerWords();
  const step = props.view.steps.find((each) => each.id === props.view.next.stepId);
  const advice = step?.code ? adviceFor(step) : null;
  const choices: Choice[] = ["ine", "passport", "licence"];
  return (
    <Screen name="document" title={advice ? t.retake : t.title}>
      {advice && (
        <>
          <div class="notice">
            <Icon name="warning" />
            <p>
              {advice} {step!.retakesLeft > 0 && t.retakesLeft(step!.retakesLeft)}
            </p>
          </div>
          <div class="formers">
            {BY_CHOICE.map((role) => (
              <SentPicture key={role} role={role} />
            ))}
          </div>
        </>
      )}
      {!advice && <DocumentFigure />}
      <p class="lead">{t.lead}</p>
      <ul class="choices">
        {choices.map((choice) => (
          <li key={choice}>
            <button type="button" class="choice" onClick={() => props.onChoose(choice)}>
              <Icon name={ICONS[choice]} />
              <span>
                <strong>{t[choice]}</strong>
                <small>{t[`${choice}Hint`]}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Screen>
  );
}
