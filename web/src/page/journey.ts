/** Where a person is on the way through a verification. */
import type { View } from "./api";
import { boot } from "./boot";

type Stage = "consent" | "documents" | "face" | "check";

/** Return the number of the present stage, from 1, and of all that this verification has. */
export function stageOf(view: View): { at: number; all: number } {
  const takesFace = view.steps.some((step) => boot.steps[step.type]?.takesFace);
  const stages: Stage[] = ["consent", "documents", ...(takesFace ? ["face" as const] : []), "check"];
  return { at: Math.max(1, stages.indexOf(presentStage(view)) + 1), all: stages.length };
}

function presentStage({ next }: View): Stage {
  switch (next.action) {
    case "consent":
      return "consent";
    case "liveness":
      return "face";
    case "upload":
      return next.roles.length > 0 && next.roles.every((role) => role === "selfie")
        ? "face"
        : "documents";
    default:
      return "check";
  }
}
