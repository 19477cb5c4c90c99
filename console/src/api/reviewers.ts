import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, ask } from "./client";
import { covers, useSession } from "./session";

const reviewersQuery = queryOptions({
  queryKey: ["reviewers"],
  queryFn: async () => (await ask(api.GET("/v1/reviews/reviewers"))).reviewers,
  staleTime: 60_000,
});

/** Undefined for a member, who may not read them. */
function useReviewers() {
  const { user } = useSession();
  return useQuery({ ...reviewersQuery, enabled: covers(user.role, "REVIEWER") }).data;
}

/** To whom else a verification or a hit can be handed over. */
export function useColleagues() {
  const { user } = useSession();
  return (useReviewers() ?? []).filter(({ id }) => id !== user.id);
}

/** Return the name of a member of the team while they may review; undefined for nobody and for others. */
export function useReviewerName() {
  const reviewers = useReviewers();
  return useCallback(
    (id: string | null) => reviewers?.find((each) => each.id === id)?.name,
    [reviewers],
  );
}
