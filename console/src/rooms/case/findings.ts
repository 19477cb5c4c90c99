/** What the results of the steps say, in the shapes that the case shows. */
import { cornersOf } from "./places";
import type { Mark } from "./pictures";
import type { Case, Step } from "./queries";

export interface Signal {
  signal: string;
  raised: boolean;
  measure: number | null;
  threshold: number | null;
  detail: string | null;
  place: Mark | null;
}

type Result = Record<string, unknown>;
const resultOf = (steps: readonly Step[], type: string): Result | null =>
  (steps.find((step) => step.type === type)?.result as Result | null | undefined) ?? null;

const isSignal = (value: unknown): value is Result =>
  typeof value === "object" && value !== null && "signal" in value && "raised" in value;
const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

function signalOf(found: Result): Signal {
  const box = found.box as [number, number, number, number] | null | undefined;
  const documentId = found.documentId as string | null | undefined;
  return {
    signal: String(found.signal),
    raised: found.raised === true,
    measure: numberOf(found.measure),
    threshold: numberOf(found.threshold),
    detail: typeof found.detail === "string" ? found.detail : null,
    place: box && documentId ? { documentId, corners: cornersOf(box) } : null,
  };
}

/** The signals of all steps, the raised ones first. */
export function signalsOf(steps: readonly Step[]): Signal[] {
  const found = steps.flatMap((step) => {
    const values = Object.values((step.result ?? {}) as Result);
    return values.flatMap((value) => (Array.isArray(value) ? value : [value])).filter(isSignal);
  });
  return found.map(signalOf).sort((one, other) => Number(other.raised) - Number(one.raised));
}

export interface FaceComparison {
  similarity: number;
  accept: number;
  reject: number;
}

/** The result of FACE_MATCH, if the two faces could be compared. */
export function comparisonOf(steps: readonly Step[]): FaceComparison | null {
  const result = resultOf(steps, "FACE_MATCH");
  const similarity = numberOf(result?.similarity);
  if (similarity === null) return null;
  return {
    similarity,
    accept: numberOf(result?.acceptSimilarity) ?? 0.8,
    reject: numberOf(result?.rejectSimilarity) ?? 0.5,
  };
}

export interface RegistryAnswer {
  registry: string;
  outcome: string;
  status: string | null;
  sandbox: boolean;
  registered: Record<string, string>;
}

/** What each official registry answered. */
export function registriesOf(steps: readonly Step[]): RegistryAnswer[] {
  const answers = resultOf(steps, "GOVERNMENT_VERIFY")?.registries as
    | Record<string, Result>
    | undefined;
  return Object.entries(answers ?? {}).map(([registry, answer]) => ({
    registry: registry.toUpperCase(),
    outcome: String(answer.outcome),
    status: (answer.sourceStatus as string | null | undefined) ?? null,
    sandbox: answer.sandbox === true,
    registered: Object.fromEntries(
      Object.entries((answer.registered ?? {}) as Result)
        // The sex, once more, for programs.
        .filter(([field, value]) => value !== null && field !== "gender")
        .map(([field, value]) => [field, String(value)]),
    ),
  }));
}

export interface Hit {
  id: string;
  name: string;
  list: string;
  score: number;
  assessment: string;
  programs: string[];
}

/** The watchlist matches of AML_SCREEN; null if the workflow has no such step or it did not run. */
export function hitsOf(steps: readonly Step[]): Hit[] | null {
  const matches = resultOf(steps, "AML_SCREEN")?.matches;
  if (!Array.isArray(matches)) return null;
  return (matches as Result[]).map((match) => ({
    id: String(match.matchId),
    name: String(match.matchedName ?? match.name),
    list: String(match.list),
    score: numberOf(match.score) ?? 0,
    assessment: String(match.assessment ?? ""),
    programs: Array.isArray(match.programs) ? match.programs.map(String) : [],
  }));
}

/** The codes of the steps that did not pass. */
const stepCodes = (steps: readonly Step[]) =>
  steps
    .filter(({ status }) => status === "REVIEW" || status === "FAILED")
    .flatMap(({ result }) => (result?.code ? [String(result.code)] : []));

/** The same codes and those of the rules' decision, without repetition. */
export function codesOf({ steps, decision }: Case["verification"]): string[] {
  // "POLICY: RISK_ABOVE_LIMIT"
  const decisive = (decision?.reasons ?? []).map((reason) => reason.split(": ").at(-1) ?? reason);
  return [...new Set([...stepCodes(steps), ...decisive])];
}

/** Whether a step could not ask a service, and can do so again. */
export const canRunAgain = (steps: readonly Step[]) =>
  stepCodes(steps).some((code) => code === "CHECK_UNAVAILABLE" || code === "REGISTRY_UNAVAILABLE");
