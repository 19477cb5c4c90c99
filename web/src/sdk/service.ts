/** The calls to the service from a customer's page. */
import {
  AcreditaError,
  type Result,
  type StartOptions,
  type Status,
  type TerminalStatus,
  type WaitOptions,
} from "./types";

export interface Opened {
  verificationId: string;
  token: string;
  pageUrl: string;
  /** From the compatible API alone. */
  identityId?: string;
}

let isCompatible = false;

/** Open sessions in the compatible API, which has a default flow and the identity's id. */
export function useCompatibleApi(): void {
  isCompatible = true;
}

/** Ids of the compatible API; requests with them get its responses. */
const ALIAS = /^[0-9a-f]{24}$/;

/** The detail of an event, in the compatible API with the id that its webhooks have. */
export function inIdsOfThePage<Detail extends { verificationId: string | null }>(
  detail: Detail,
): Detail {
  if (!isCompatible || detail.verificationId === null) return detail;
  return { ...detail, verificationId: detail.verificationId.replaceAll("-", "").slice(0, 24) };
}

// The last one is a proxy's status for an unreachable service.
const PASSING = /^(QUEUE_FULL|RATE_LIMITED|SERVICE_UNAVAILABLE|INTERNAL_ERROR|HTTP_5\d\d)$/;
const TERMINAL: readonly string[] = ["APPROVED", "REJECTED", "MANUAL_REVIEW", "EXPIRED"];
let home = "";

/** The default base URL of the service. */
export function comeFrom(script: string): void {
  home = new URL(script).origin;
}

export const origin = (given?: string): string => new URL(given ?? home).origin;

async function ask<T>(address: string, how: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address, { ...how, credentials: "omit", cache: "no-store" });
  } catch (reason) {
    if (how.signal?.aborted || !(await isReachable(address))) throw reason;
    throw originNotListed();
  }
  if (answer.ok) return (await answer.json()) as T;
  const body = (await answer.json().catch(() => null)) as {
    error?: { message?: string; code?: string; requestId?: string; retryAfter?: number };
    message?: string;
  } | null;
  const { message = body?.message, code, requestId = null, retryAfter = null } = body?.error ?? {};
  throw new AcreditaError(message ?? "", code ?? `HTTP_${answer.status}`, requestId, retryAfter);
}

/**
 * Whether the service answers a request that it answers for every origin. Browsers hide why a
 * request to an API failed; if this one succeeds, the service does not list this page's origin.
 */
async function isReachable(address: string): Promise<boolean> {
  try {
    // A page that has the module from a package has no copy of it, and the service answers no HEAD.
    await fetch(new URL("/web/acredita.js", address), { credentials: "omit" });
    return true;
  } catch {
    return false;
  }
}

const originNotListed = (): AcreditaError =>
  new AcreditaError(
    `${location.origin} is not one of the organization's allowed origins. Add it with ` +
      "PUT /v1/organizations/me/allowed-origins, or in the console.",
    "ORIGIN_NOT_ALLOWED",
  );

export function openSession(options: StartOptions): Promise<Opened> {
  const { clientId, flowId, metadata, consent } = options;
  const isOfThatApi = isCompatible || ALIAS.test(clientId) || ALIAS.test(flowId);
  const api = isOfThatApi ? "/v1/metamap" : "/v1";
  return ask(`${origin(options.baseUrl)}${api}/sdk/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ clientId, flowId, metadata, consent }),
  });
}

export async function readStatus(verificationId: string, options: WaitOptions): Promise<Status> {
  const headers: HeadersInit = options.token ? { Authorization: `Bearer ${options.token}` } : {};
  const address = `${origin(options.baseUrl)}/v1/sdk/verifications/${verificationId}`;
  const signal = options.signal ?? null;
  return (await ask<{ status: Status }>(address, { headers, signal })).status;
}

/**
 * Return why the service's page says nothing in its frame. Browsers hide it; what the service answers to
 * this page tells whether the origin is listed and the verification known.
 */
export async function reasonOfSilence(
  pageUrl: string,
  verificationId: string,
): Promise<AcreditaError> {
  const service = origin(pageUrl);
  try {
    await readStatus(verificationId, { baseUrl: service });
  } catch (reason) {
    if (!(reason instanceof AcreditaError))
      return new AcreditaError(`${service} does not answer.`, "UNREACHABLE");
    // Of a link's verification, it tells nothing without a session.
    if (reason.code !== "UNAUTHORIZED") return reason;
  }
  return new AcreditaError(
    `The page of ${service} did not load in its frame. A Content-Security-Policy of this page must ` +
      "allow it in frame-src.",
    "FRAME_NOT_LOADED",
  );
}

/**
 * Wait for the verification's final status: APPROVED, REJECTED, MANUAL_REVIEW or EXPIRED. Retries
 * while offline or rate-limited; throws any other error.
 */
export async function waitForResult(
  verificationId: string,
  options: WaitOptions = {},
): Promise<Result> {
  for (;;) {
    let pause = options.interval ?? 3000;
    options.signal?.throwIfAborted();
    try {
      const status = await readStatus(verificationId, options);
      if (TERMINAL.includes(status)) return { verificationId, status: status as TerminalStatus };
    } catch (reason) {
      const isRefusal = reason instanceof AcreditaError;
      if (!(reason instanceof TypeError) && !(isRefusal && PASSING.test(reason.code))) throw reason;
      if (isRefusal) pause = Math.max(pause, 1000 * (reason.retryAfter ?? 0));
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
