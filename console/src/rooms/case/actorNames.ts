import { useReviewerName } from "@/api/reviewers";
import type { HistoryItem } from "./queries";
import { useCaseWords } from "./texts";

const KINDS = ["service", "user", "client", "holder", "link"] as const;

/** Return who acted: a member of the team by name, while they may review, and others by their kind. */
export function useActorName() {
  const words = useCaseWords();
  const nameOf = useReviewerName();
  return ({ type, id }: HistoryItem["actor"]) => {
    const name = type === "user" && nameOf(id);
    return name || words(KINDS.find((kind) => kind === type) ?? "service");
  };
}
