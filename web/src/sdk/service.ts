/** What is asked of the service from a customer's page. */
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
}

/** Ids as the API has them that customers come from; what is asked by them is answered its way. */
const ALIAS = /^[0-9a-f]{24}$/;
const TERMINAL: readonly string[] = ["APPROVED", "REJECTED", "MANUAL_REVIEW", "EXPIRED"];
let home = "";

/** Where the service is, unless a call says otherwise. */
export function comeFrom(script: string): void {
  home = new URL(script).origin;
}

export const origin = (given?: string): string => new URL(given ?? home).origin;

async function ask<T>(address: string, how: RequestInit): Promise<T> {
  const answer = await fetch(address, { ...how, credentials: "omit", cache: "no-store" });
  if (answer.ok) return (await answer.json()) as T;
  const body = (await answer.json().catch(() => null)) as {
    error?: { message?: string; code?: string; requestId?: string };
    message?: string;
  } | null;
  const { message = body?.message, code, requestId } = body?.error ?? {};
  throw new AcreditaError(message ?? "", code ?? `HTTP_${answer.status}`, requestId ?? null);
}

export function openSession(options: StartOptions): Promise<Opened> {
  const { clientId, flowId, metadata, consent } = options;
  const api = ALIAS.test(clientId) || ALIAS.test(flowId) ? "/v1/metamap" : "/v1";
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
 * The verification's end: APPROVED, REJECTED, MANUAL_REVIEW or EXPIRED. Being offline or asking too
 * often is waited out; any other refusal is thrown.
 */
export async function waitForResult(
  verificationId: string,
  options: WaitOptions = {},
): Promise<Result> {
  for (;;) {
    options.signal?.throwIfAborted();
    try {
      const status = await readStatus(verificationId, options);
      if (TERMINAL.includes(status)) return { verificationId, status: status as TerminalStatus };
    } catch (reason) {
      const passes =
        reason instanceof TypeError ||
        (reason instanceof AcreditaError &&
          ["RATE_LIMITED", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"].includes(reason.code));
      if (!passes) throw reason;
    }
    await new Promise((resolve) => setTimeout(resolve, options.interval ?? 3000));
  }
}
