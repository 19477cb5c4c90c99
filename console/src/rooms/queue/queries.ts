import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, ask } from "@/api/client";
import type { ReviewFilter } from "@/api/contract";
import { useSessionEnded } from "@/api/session";

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

/** The queues of policies. Changes of the review queue make it stale. */
export const queuesQuery = queryOptions({
  queryKey: ["reviews", "queues"],
  queryFn: () => ask(api.GET("/v1/reviews/queues")),
});

export const workflowsQuery = queryOptions({
  queryKey: ["workflows"],
  queryFn: () => ask(api.GET("/v1/workflows")),
  staleTime: 60_000,
});

// Milliseconds. A browser does not open a stream again that was refused, as while the service restarts.
const OPENED_AGAIN_AFTER = 5_000;

/**
 * Read the queue again whenever the service says that it changed.
 *
 * A hidden tab closes its stream: with HTTP/1.1, a browser has six connections to a host for all
 * tabs, and six streams would keep every other request waiting. A new stream begins with an event.
 */
export function useQueueEvents() {
  const queries = useQueryClient();
  const isOver = useSessionEnded();
  useEffect(() => {
    let source: EventSource | null = null;
    let timer = 0;
    const stop = () => {
      clearTimeout(timer);
      source?.close();
      source = null;
    };
    const follow = () => {
      stop();
      if (document.hidden || isOver) return;
      source = new EventSource("/v1/reviews/events");
      source.addEventListener("error", () => {
        if (source?.readyState === EventSource.CLOSED) {
          timer = window.setTimeout(follow, OPENED_AGAIN_AFTER);
        }
      });
      source.addEventListener("queue", () => {
        void queries.invalidateQueries({ queryKey: ["reviews"] });
      });
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop();
    };
  }, [queries, isOver]);
}

export const release = (id: string) =>
  ask(api.POST("/v1/reviews/{id}/release", { params: { path: { id } } }));

/** Claim the verification that waits longest. Null if none waits. */
export const claimNext = async ({ assignee: _, ...filter }: ReviewFilter) =>
  (await ask(api.POST("/v1/reviews/next", { body: filter }))) ?? null;
