import { useQuery } from "@tanstack/react-query";
import { reviewersQuery } from "@/api/reviewers";
import type { HistoryItem } from "./queries";
import { useCaseWords } from "./texts";

const KINDS = ["service", "user", "client", "holder", "link"] as const;

/** Return who acted: a member of the team by name, while they may review, and others by their kind. */
export function useActorName() {
  const words = useCaseWords();
  const { data: reviewers } = useQuery(reviewersQuery);
  return ({ type, id }: HistoryItem["actor"]) => {
    const name = type === "user" && reviewers?.find((each) => each.id === id)?.name;
    return name || words(KINDS.find((kind) => kind === type) ?? "service");
  };
}
