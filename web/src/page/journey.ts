/** Where a person is on the way through a verification. */
import type { View } from "./api";
import { boot } from "./boot";

type Stage = "consent" | "documents" | "face" | "details" | "check";

/** Return the number of the present stage, from 1, and of all that this verification has. */
export function stageOf(view: View): { at: number; all: number } {
  const takesFace = view.steps.some((step) => boot.steps[step.type]?.takesFace);
  const present = presentStage(view);
  const asksDetails = view.steps.some((step) => boot.steps[step.type]?.asksDetails);
  const stages: Stage[] = ["consent"];
  if (view.steps.some((step) => boot.steps[step.type]?.takesDocument)) stages.push("documents");
  if (takesFace) stages.push("face");
  if (asksDetails || present === "details") stages.push("details");
  stages.push("check");
  return { at: Math.max(1, stages.indexOf(present) + 1), all: stages.length };
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
    case "code":
    case "form":
    case "location":
      return "details";
    default:
      return "check";
  }
}
