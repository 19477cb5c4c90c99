import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import { ApiError } from "@/api/errors";

export type Organization = components["schemas"]["OrganizationShape"];
export type Member = components["schemas"]["OrganizationUser"];
export type ProviderAnswer = components["schemas"]["IdentityProviderAnswer"];
export type Provider = components["schemas"]["IdentityProviderShape"];
export type ProviderWrite = components["schemas"]["IdentityProviderWrite"];
export type GroupRole = components["schemas"]["GroupRole"];
export type GrantableRole = GroupRole["role"];
export const GRANTABLE = ["MEMBER", "REVIEWER", "ADMIN"] as const satisfies GrantableRole[];

export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: () => ask(api.GET("/v1/organizations/me/users")),
});

export const organizationQuery = queryOptions({
  queryKey: ["organization"],
  queryFn: async () => (await ask(api.GET("/v1/organizations/me"))).org,
});

export const originsQuery = queryOptions({
  queryKey: ["allowed-origins"],
  queryFn: () => ask(api.GET("/v1/organizations/me/allowed-origins")),
});

export const providerQuery = queryOptions({
  queryKey: ["identity-provider"],
  queryFn: () => ask(api.GET("/v1/organizations/me/identity-provider")),
});

export const holdsQuery = infiniteQueryOptions({
  queryKey: ["legal-holds"],
  queryFn: ({ pageParam }) =>
    ask(api.GET("/v1/legal-holds", { params: { query: { limit: 50, offset: pageParam } } })),
  initialPageParam: 0,
  getNextPageParam: ({ total }, pages) => {
    const shown = pages.reduce((sum, { holds }) => sum + holds.length, 0);
    return shown < total ? shown : undefined;
  },
});

export const sessionsQuery = queryOptions({
  queryKey: ["own-sessions"],
  queryFn: () => ask(api.GET("/v1/auth/sessions")),
});

/** Null where the service has no second factors yet. */
export const factorsQuery = queryOptions({
  queryKey: ["second-factors"],
  queryFn: async () => {
    try {
      return await ask(api.GET("/v1/auth/second-factors"));
    } catch (fault) {
      if (fault instanceof ApiError && fault.status === 404) return null;
      throw fault;
    }
  },
});

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: async () => (await ask(api.GET("/v1/auth/passkeys"))).passkeys,
});

export const auditQuery = (action: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ["audit", action],
    queryFn: ({ pageParam }) =>
      ask(
        api.GET("/v1/audit-logs", {
          params: {
            query: { limit: 50, ...(action && { action }), ...(pageParam && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
  });
