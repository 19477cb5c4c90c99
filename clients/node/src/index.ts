/** A client of Acredita's API, with tokens, retries, waiting and the verification of webhooks. */

export { Client } from "./client.ts";
export {
  AcreditaError,
  ApiError,
  ConnectionFailed,
  InvalidSignature,
  WaitTimedOut,
} from "./errors.ts";
export type { Event, Shape, Shapes } from "./shapes.ts";
export type { CallOptions, CreateOptions, Options, Query, Request } from "./transport.ts";
export type { Files, GetOptions, Role, Source, VerificationFilter } from "./verifications.ts";
export * as webhooks from "./webhooks.ts";
