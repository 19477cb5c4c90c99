/** The client: one property for each part of the API. */

import { AuditLogs, Organization } from "./account.ts";
import { Aml, Credit, Forms, Location, OneTimePasswords, Signatures } from "./checks.ts";
import { type Options, type Request, Transport } from "./transport.ts";
import { Verifications } from "./verifications.ts";
import { Webhooks } from "./webhook-endpoints.ts";
import { Workflows } from "./workflows.ts";

/**
 * Calls the API for one organization. Requests may run at the same time.
 *
 * Requests and responses are plain objects with the API's names. Fields that a newer service adds
 * are in the responses too.
 */
export class Client {
  readonly #transport: Transport;
  readonly verifications: Verifications;
  readonly workflows: Workflows;
  readonly webhooks: Webhooks;
  readonly organization: Organization;
  readonly auditLogs: AuditLogs;
  readonly aml: Aml;
  readonly otp: OneTimePasswords;
  readonly credit: Credit;
  readonly location: Location;
  readonly signatures: Signatures;
  readonly forms: Forms;

  /** The first request gets a token, which then renews itself. */
  constructor(options: Options) {
    const transport = new Transport(options);
    this.#transport = transport;
    this.verifications = new Verifications(transport);
    this.workflows = new Workflows(transport);
    this.webhooks = new Webhooks(transport);
    this.organization = new Organization(transport);
    this.auditLogs = new AuditLogs(transport);
    this.aml = new Aml(transport);
    this.otp = new OneTimePasswords(transport);
    this.credit = new Credit(transport);
    this.location = new Location(transport);
    this.signatures = new Signatures(transport);
    this.forms = new Forms(transport);
  }

  /** For an endpoint without a method: `client.request("GET", "/v1/policies")`, its JSON body. */
  async request<T = unknown>(method: string, path: string, request?: Request): Promise<T> {
    return this.#transport.json<T>(method, path, request);
  }
}
