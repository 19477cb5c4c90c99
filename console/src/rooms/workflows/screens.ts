import { type DraftStep, optionsOf } from "./queries";

export type Screen =
  | "consent"
  | "document"
  | "back"
  | "proofOfAddress"
  | "selfie"
  | "challenge"
  | "code"
  | "form"
  | "position"
  | "signature"
  | "end";

/** What the person sees when everything is given. */
const AFTERWARDS = ["checking", "approved", "rejected", "review", "expired"] as const;
export type PreviewScreen = Exclude<Screen, "form" | "end"> | (typeof AFTERWARDS)[number];

export interface ShownScreen {
  screen: Screen;
  /** The condition on which alone the step runs. */
  when: string | null;
}

/** What a step asks the person for; nothing if the service works alone. */
function screensOf(step: DraftStep, options: Record<string, unknown>, hasChallenge: boolean): Screen[] {
  switch (step.type) {
    case "DOCUMENT_OCR":
      return ["document", "back"];
    case "FACE_MATCH":
      // The liveness challenge takes the selfie, too.
      return hasChallenge ? [] : ["selfie"];
    case "LIVENESS":
      return ["challenge"];
    case "PROOF_OF_ADDRESS":
      return ["proofOfAddress"];
    case "OTP":
      return ["code"];
    case "FORM":
      return ["form"];
    case "LOCATION":
      return options.device === "ask" || options.device === "require" ? ["position"] : [];
    case "ESIGNATURE":
      return ["signature"];
    default:
      return [];
  }
}

/** The screens that a person goes through, in order: pictures come before codes and forms. */
export function personFlow(steps: readonly DraftStep[]): ShownScreen[] {
  const hasChallenge = steps.some(
    (step) => step.type === "LIVENESS" && optionsOf(step)?.mode !== "passive",
  );
  const asked = steps.flatMap((step) => {
    const options = optionsOf(step) ?? {};
    const when = typeof options.when === "string" ? options.when : null;
    return screensOf(step, options, hasChallenge).map((screen) => ({ screen, when }));
  });
  const seen = new Set<Screen>();
  const once = asked.filter(({ screen }) => !seen.has(screen) && seen.add(screen));
  return [{ screen: "consent", when: null }, ...once, { screen: "end", when: null }];
}

/** The screens that the preview can show. The page has no form before a verification begins. */
export const previewScreens = (steps: readonly DraftStep[]): PreviewScreen[] => [
  ...personFlow(steps)
    .map(({ screen }) => screen)
    .filter((screen) => screen !== "form" && screen !== "end"),
  ...AFTERWARDS,
];
