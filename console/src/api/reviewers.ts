import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, ask } from "./client";

/** Who may take a verification or a hit over. */
export const reviewersQuery = queryOptions({
  queryKey: ["reviewers"],
  queryFn: async () => (await ask(api.GET("/v1/reviews/reviewers"))).reviewers,
  staleTime: 60_000,
});

/** The name of a member of the team while they may review; undefined for nobody and for others. */
export function useReviewerName(id: string | null) {
  const { data } = useQuery(reviewersQuery);
  return data?.find((each) => each.id === id)?.name;
}
