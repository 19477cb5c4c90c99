import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";

type Schemas = components["schemas"];
export type Policy = Schemas["PolicyShape"];
export type Version = Schemas["VersionShape"];
export type Draft = Schemas["DraftWrite"];
export type Rule = Schemas["RuleWrite"];
export type Outcome = Schemas["OutcomeWrite"];
export type Simulation = Schemas["SimulationShape"];

const path = (id: string) => ({ params: { path: { id } } });

export const policiesQuery = queryOptions({
  queryKey: ["policies"],
  queryFn: async () => (await ask(api.GET("/v1/policies"))).policies,
});

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: ["policies", id],
    queryFn: async () => (await ask(api.GET("/v1/policies/{id}", path(id)))).policy,
  });

export const createPolicy = async (name: string) => {
  const body = { name, rules: [], otherwise: { outcome: "DEFAULT" as const } };
  return (await ask(api.POST("/v1/policies", { body }))).policy;
};

export const saveDraft = async (id: string, body: Draft) =>
  (await ask(api.PUT("/v1/policies/{id}/draft", { ...path(id), body }))).policy;

export const publish = async (id: string, digest: string) =>
  (await ask(api.POST("/v1/policies/{id}/publish", { ...path(id), body: { digest } }))).policy;

export const simulate = async (id: string, version: number, workflowId: string | null) => {
  const body = { version, workflowId, most: 10_000 };
  return (await ask(api.POST("/v1/policies/{id}/simulate", { ...path(id), body }))).simulation;
};

export const simulationQuery = (id: string, simulationId: string) =>
  queryOptions({
    queryKey: ["policies", id, "simulations", simulationId],
    queryFn: async () => {
      const params = { path: { id, simulationId } };
      return (await ask(api.GET("/v1/policies/{id}/simulations/{simulationId}", { params })))
        .simulation;
    },
    refetchInterval: (query) => (query.state.data?.status === "RUNNING" ? 1000 : false),
  });

export const cancelSimulation = async (id: string, simulationId: string) => {
  const params = { path: { id, simulationId } };
  return (await ask(api.POST("/v1/policies/{id}/simulations/{simulationId}/cancel", { params }))).simulation;
};

/** The simulations of a policy, newest first. */
export const simulationsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["policies", id, "simulations"],
    queryFn: ({ pageParam }) => {
      const params = { ...path(id).params, query: { limit: 10, offset: pageParam } };
      return ask(api.GET("/v1/policies/{id}/simulations", { params }));
    },
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { hasMore, limit, offset } }) =>
      hasMore ? offset + limit : undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ simulations }) => simulations.some(({ status }) => status === "RUNNING"))
        ? 2000
        : false,
  });

export const shadowQuery = (workflowId: string) =>
  queryOptions({
    queryKey: ["shadow", workflowId],
    queryFn: async () => (await ask(api.GET("/v1/workflows/{id}/shadow", path(workflowId)))).shadow,
  });
