/** The organization: its settings, keys, users and audit log. */

import { entries, type Slice } from "./pages.ts";
import type { Shape } from "./shapes.ts";
import { type CallOptions, path, type Transport } from "./transport.ts";

const ME = "/v1/organizations/me";

export class Organization {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(options?: CallOptions): Promise<Shape<"OrganizationShape">> {
    return (await this.#transport.json<Shape<"OrganizationAnswer">>("GET", ME, options)).org;
  }

  /** Fields that are left out stay. */
  async update(
    changes: Shape<"OrganizationUpdate">,
    options?: CallOptions,
  ): Promise<Shape<"OrganizationShape">> {
    const request = { ...options, json: changes };
    return (await this.#transport.json<Shape<"OrganizationAnswer">>("PATCH", ME, request)).org;
  }

  async apiKeys(options?: CallOptions): Promise<Shape<"ApiKeyShape">[]> {
    const address = `${ME}/api-keys`;
    return (await this.#transport.json<Shape<"ApiKeyList">>("GET", address, options)).apiKeys;
  }

  /** A new key. `key` is in this response only. */
  async createApiKey(
    apiKey: Shape<"ApiKeyCreate">,
    options?: CallOptions,
  ): Promise<Shape<"CreatedApiKey">> {
    const answer = await this.#transport.json<Shape<"CreatedApiKeyAnswer">>(
      "POST",
      `${ME}/api-keys`,
      { ...options, json: apiKey },
    );
    return answer.apiKey;
  }

  async revokeApiKey(keyId: string, options?: CallOptions): Promise<void> {
    await this.#transport.send("DELETE", ME + path`/api-keys/${keyId}`, options);
  }

  async users(options?: CallOptions): Promise<Shape<"OrganizationUser">[]> {
    return (await this.#transport.json<Shape<"UserList">>("GET", `${ME}/users`, options)).users;
  }

  async allowedOrigins(options?: CallOptions): Promise<string[]> {
    const address = `${ME}/allowed-origins`;
    const answer = await this.#transport.json<Shape<"AllowedOrigins">>("GET", address, options);
    return answer.allowedOrigins;
  }

  /** Sets the origins whose pages may run the browser flow. */
  async setAllowedOrigins(origins: readonly string[], options?: CallOptions): Promise<string[]> {
    const answer = await this.#transport.json<Shape<"AllowedOrigins">>(
      "PUT",
      `${ME}/allowed-origins`,
      { ...options, json: { allowedOrigins: origins } },
    );
    return answer.allowedOrigins;
  }
}

export interface AuditFilter {
  resourceType?: string;
  resourceId?: string;
  action?: string;
}

export class AuditLogs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, newest first. */
  async list(
    filter: AuditFilter & Slice = {},
    options?: CallOptions,
  ): Promise<Shape<"AuditLogPage">> {
    return this.#transport.json("GET", "/v1/audit-logs", { ...options, query: { ...filter } });
  }

  /** All entries that match, newest first. */
  all(
    filter: AuditFilter = {},
    options?: CallOptions,
  ): AsyncGenerator<Shape<"AuditEntryShape">, void, undefined> {
    return entries(
      (cursor) => this.list({ limit: 100, ...filter, ...(cursor && { cursor }) }, options),
      (page) => page.auditLogs,
    );
  }
}
