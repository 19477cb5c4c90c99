/** The addresses that webhooks are sent to, and their deliveries. */

import { entries, type Slice } from "./pages.ts";
import type { Shape } from "./shapes.ts";
import { type CallOptions, path, type Transport } from "./transport.ts";

export interface DeliveryFilter {
  state?: Shape<"DeliveryShape">["state"];
}

export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A new endpoint. Its `secret` is in this response only. */
  async create(
    webhook: Shape<"WebhookCreate">,
    options?: CallOptions,
  ): Promise<Shape<"CreatedWebhook">> {
    const answer = await this.#transport.json<Shape<"CreatedWebhookAnswer">>("POST", "/v1/webhooks", {
      ...options,
      json: webhook,
    });
    return answer.webhook;
  }

  async list(options?: CallOptions): Promise<Shape<"WebhookShape">[]> {
    const answer = await this.#transport.json<Shape<"WebhookList">>("GET", "/v1/webhooks", options);
    return answer.webhooks;
  }

  async delete(webhookId: string, options?: CallOptions): Promise<void> {
    await this.#transport.send("DELETE", path`/v1/webhooks/${webhookId}`, options);
  }

  /** Sends a test event. Returns whether the endpoint accepted it. */
  async test(webhookId: string, options?: CallOptions): Promise<boolean> {
    const address = path`/v1/webhooks/${webhookId}/test`;
    const answer = await this.#transport.json<Shape<"TestAnswer">>("POST", address, options);
    return answer.delivered;
  }

  /** One page, newest first. */
  async deliveries(
    webhookId: string,
    filter: DeliveryFilter & Slice = {},
    options?: CallOptions,
  ): Promise<Shape<"DeliveryPage">> {
    const address = path`/v1/webhooks/${webhookId}/deliveries`;
    return this.#transport.json("GET", address, { ...options, query: { ...filter } });
  }

  /** All that match, newest first. */
  allDeliveries(
    webhookId: string,
    filter: DeliveryFilter = {},
    options?: CallOptions,
  ): AsyncGenerator<Shape<"DeliveryShape">, void, undefined> {
    return entries(
      (cursor) =>
        this.deliveries(webhookId, { limit: 100, ...filter, ...(cursor && { cursor }) }, options),
      (page) => page.deliveries,
    );
  }

  /** Sends a finished delivery again, with the same bytes. */
  async redeliver(webhookId: string, deliveryId: string, options?: CallOptions): Promise<void> {
    const address = path`/v1/webhooks/${webhookId}/deliveries/${deliveryId}/redeliver`;
    await this.#transport.send("POST", address, options);
  }
}
