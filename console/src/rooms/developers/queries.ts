import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";

export type Webhook = components["schemas"]["WebhookShape"];
export type Delivery = components["schemas"]["DeliveryShape"];
export type DeliveryState = components["schemas"]["DeliveryState"];

export const keysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: () => ask(api.GET("/v1/organizations/me/api-keys")),
});

/** Nobody, if the installation uses no sandbox. */
export const sandboxQuery = queryOptions({
  queryKey: ["sandbox-people"],
  queryFn: () => ask(api.GET("/v1/sandbox/people")),
  staleTime: Number.POSITIVE_INFINITY,
});

export const webhooksQuery = queryOptions({
  queryKey: ["webhooks"],
  queryFn: () => ask(api.GET("/v1/webhooks")),
});

export const deliveriesQuery = (id: string, state: DeliveryState | null) =>
  infiniteQueryOptions({
    queryKey: ["deliveries", id, state],
    queryFn: ({ pageParam }) =>
      ask(
        api.GET("/v1/webhooks/{id}/deliveries", {
          params: {
            path: { id },
            query: { limit: 20, ...(state && { state }), ...(pageParam && { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: 15_000,
  });

export const payloadQuery = (id: string, deliveryId: string) =>
  queryOptions({
    queryKey: ["payload", deliveryId],
    queryFn: async () => {
      const params = { path: { id, deliveryId } };
      return (await ask(api.GET("/v1/webhooks/{id}/deliveries/{deliveryId}/payload", { params })))
        .body;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
