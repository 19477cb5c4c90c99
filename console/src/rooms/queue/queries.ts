import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, ask } from "@/api/client";
import type { ReviewFilter } from "@/api/contract";

const PAGE = 50;

export const reviewsQuery = (filter: ReviewFilter) =>
  infiniteQueryOptions({
    queryKey: ["reviews", filter],
    queryFn: ({ pageParam }) =>
      ask(
        api.GET("/v1/reviews", {
          params: { query: { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    // Without events, for example behind a proxy that holds them back.
    refetchInterval: 30_000,
  });

export const filtersQuery = queryOptions({
  queryKey: ["review-filters"],
  queryFn: () => ask(api.GET("/v1/reviews/filters")),
});

export const workflowsQuery = queryOptions({
  queryKey: ["workflows"],
  queryFn: () => ask(api.GET("/v1/workflows")),
  staleTime: 60_000,
});

/** Read the queue again whenever the service says that it changed. */
export function useQueueEvents() {
  const queries = useQueryClient();
  useEffect(() => {
    const source = new EventSource("/v1/reviews/events");
    source.addEventListener("queue", () => {
      void queries.invalidateQueries({ queryKey: ["reviews"] });
    });
    return () => source.close();
  }, [queries]);
}

export const release = (id: string) =>
  ask(api.POST("/v1/reviews/{id}/release", { params: { path: { id } } }));

/** Claim the verification that waits longest. Null if none waits. */
export const claimNext = async ({ assignee: _, ...filter }: ReviewFilter) =>
  (await ask(api.POST("/v1/reviews/next", { body: filter }))) ?? null;
