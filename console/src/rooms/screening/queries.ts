import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import type { HitFilter, MonitorFilter } from "./route";

export type Hit = components["schemas"]["HitShape"];
export type HitSummary = components["schemas"]["HitSummary"];
export type Decision = components["schemas"]["Decision"];

const PAGE = 50;

export const hitsQuery = (filter: HitFilter) =>
  infiniteQueryOptions({
    queryKey: ["hits", filter],
    queryFn: ({ pageParam }) =>
      ask(
        api.GET("/v1/aml/matches", {
          params: { query: { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: 30_000,
  });

export const hitQuery = (id: string) =>
  queryOptions({
    queryKey: ["hit", id],
    queryFn: async () =>
      (await ask(api.GET("/v1/aml/matches/{id}", { params: { path: { id } } }))).match,
  });

export const screeningsQuery = infiniteQueryOptions({
  queryKey: ["screenings"],
  queryFn: ({ pageParam }) =>
    ask(
      api.GET("/v1/aml/screenings", {
        params: { query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
      }),
    ),
  initialPageParam: "",
  getNextPageParam: (page) => page.nextCursor,
});

export const recordQuery = (id: string) =>
  queryOptions({
    queryKey: ["screening", id],
    queryFn: () => ask(api.GET("/v1/aml/screenings/{id}", { params: { path: { id } } })),
    // The audit log records every access.
    staleTime: Number.POSITIVE_INFINITY,
  });

export const entriesQuery = (name: string) =>
  queryOptions({
    queryKey: ["entries", name],
    queryFn: ({ signal }) =>
      ask(api.GET("/v1/aml/entries", { params: { query: { name } }, signal })),
  });

export const entryQuery = (id: string) =>
  queryOptions({
    queryKey: ["entry", id],
    queryFn: async () =>
      (await ask(api.GET("/v1/aml/entries/{id}", { params: { path: { id } } }))).entry,
  });

export const monitorsQuery = (filter: MonitorFilter) =>
  infiniteQueryOptions({
    queryKey: ["monitors", filter],
    queryFn: ({ pageParam }) =>
      ask(
        api.GET("/v1/aml/monitors", {
          params: { query: { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
  });

export const monitorQuery = (verificationId: string) =>
  queryOptions({
    queryKey: ["monitor", verificationId],
    queryFn: () =>
      ask(api.GET("/v1/aml/monitor/{verificationId}", { params: { path: { verificationId } } })),
  });

export const listsQuery = queryOptions({
  queryKey: ["watchlists"],
  queryFn: () => ask(api.GET("/v1/aml/lists")),
});
