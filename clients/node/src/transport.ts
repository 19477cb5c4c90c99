/** Requests with a token that renews itself, repeated where a repetition is safe. */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { ConnectionFailed } from "./errors.ts";
import { type Answer, errorOf, isSuccess, json, retryAfter } from "./response.ts";

export interface Options {
  /** The address of the service, such as `https://acredita.example`. */
  baseUrl: string;
  /** The organization's id. */
  clientId: string;
  /** A raw API key (`ak_…`). */
  clientSecret: string;
  /** The time for one attempt, body included. 30 if not given. */
  timeoutSeconds?: number;
  /** How often a refused (429) or failed request is sent again. 4 if not given. */
  retries?: number;
  /** Another `fetch`, for a proxy or an own certificate authority. */
  fetch?: typeof fetch;
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export interface Request {
  query?: Query;
  /** Sent as JSON. */
  json?: unknown;
  form?: FormData;
  /** Marks repetitions of a request: the service acts once and repeats its response. */
  idempotencyKey?: string;
  /** Ends the request and its retries. The promise then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** What every method takes at last. */
export type CallOptions = Pick<Request, "signal">;
/** What every method that creates takes at last. The key is random if not given. */
export type CreateOptions = Pick<Request, "signal" | "idempotencyKey">;

/** A token is renewed this long before it expires, so that none expires on its way. */
const RENEW_BEFORE_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;
const TOO_MANY_REQUESTS = 429;
const UNAUTHORIZED = 401;
const UNAVAILABLE = new Set([502, 503, 504]);
const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE"]);
/** Codes of failures before anything was sent. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * Sends requests.
 *
 * - 429: waits as long as the response says and sends the request again, as the service did nothing.
 * - 502, 503, 504 and lost connections: sends again where a repetition is safe: methods that are
 *   idempotent, and requests with an `Idempotency-Key`.
 * - 401: requests a new token and sends again once. Keys are rotated, and clocks go wrong.
 */
export class Transport {
  // Private to the language, so that logging a client never shows a secret.
  readonly #baseUrl: string;
  readonly #credentials: { client_id: string; client_secret: string };
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #fetch: typeof fetch;
  #token: Promise<string> | undefined;
  #renewAt = 0;

  constructor(options: Options) {
    this.#baseUrl = checkedAddress(options.baseUrl);
    for (const name of ["clientId", "clientSecret"] as const) {
      if (!options[name]) throw new TypeError(`${name} is missing`);
    }
    this.#credentials = { client_id: options.clientId, client_secret: options.clientSecret };
    this.#timeoutMs = (options.timeoutSeconds ?? 30) * 1000;
    this.#retries = options.retries ?? 4;
    this.#fetch = options.fetch ?? fetch;
  }

  /** The JSON body of the response. Rejects with `ApiError` or `ConnectionFailed`. */
  async json<T>(method: string, path: string, request: Request = {}): Promise<T> {
    return json(await this.send(method, path, request)) as T;
  }

  /** As `json`, with an `Idempotency-Key`: for what must not be created twice. */
  async create<T>(path: string, body: unknown, options: CreateOptions = {}): Promise<T> {
    const idempotencyKey = options.idempotencyKey ?? randomUUID();
    return this.json("POST", path, { ...options, json: body, idempotencyKey });
  }

  async send(method: string, path: string, request: Request = {}): Promise<Answer> {
    const token = await this.#bearer();
    let answer = await this.#repeated(method, path, request, token);
    if (answer.status === UNAUTHORIZED) {
      answer = await this.#repeated(method, path, request, await this.#bearer(token));
    }
    if (!isSuccess(answer)) throw errorOf(answer);
    return answer;
  }

  /** Requests that start together share one request for a token. */
  async #bearer(refused?: string): Promise<string> {
    const current = this.#token;
    if (current !== undefined && performance.now() < this.#renewAt) {
      const token = await current;
      if (token !== refused) return token;
    }
    // While this one waited, another may have asked for a new token already.
    if (this.#token === undefined || this.#token === current) {
      const requested = this.#requestToken();
      this.#token = requested;
      this.#renewAt = Infinity;
      requested.catch(() => {
        if (this.#token === requested) this.#token = undefined;
      });
    }
    return this.#token;
  }

  async #requestToken(): Promise<string> {
    // Without the caller's signal: other requests may wait for the same token.
    const body = { grant_type: "client_credentials", ...this.#credentials };
    const answer = await this.#repeated("POST", "/v1/auth/token", { json: body }, null);
    if (!isSuccess(answer)) throw errorOf(answer);
    const token = json(answer) as { access_token: string; expires_in: number };
    this.#renewAt = performance.now() + token.expires_in * 1000 - RENEW_BEFORE_MS;
    return token.access_token;
  }

  /** `token` is null for the request of a token, which is safe to repeat. */
  async #repeated(
    method: string,
    path: string,
    request: Request,
    token: string | null,
  ): Promise<Answer> {
    const isSafe =
      token === null || IDEMPOTENT.has(method) || request.idempotencyKey !== undefined;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= this.#retries;
      let pause = 250 * 2 ** attempt * (0.5 + Math.random() / 2);
      try {
        const answer = await this.#attempt(method, path, request, token);
        const { status } = answer;
        const isRefused = status === TOO_MANY_REQUESTS || (isSafe && UNAVAILABLE.has(status));
        if (isLast || !isRefused) return answer;
        const asked = retryAfter(answer);
        if (asked !== undefined) pause = asked * 1000;
      } catch (error) {
        request.signal?.throwIfAborted();
        const { code, message } = failure(error);
        const mayRepeat = isSafe || NOT_CONNECTED.has(code);
        if (isLast || !mayRepeat) throw new ConnectionFailed(message, { cause: error });
      }
      await pauseFor(Math.min(LONGEST_PAUSE_MS, pause), request.signal);
    }
  }

  async #attempt(
    method: string,
    path: string,
    request: Request,
    token: string | null,
  ): Promise<Answer> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const headers = new Headers({ "User-Agent": "acredita-client-node/0.1.0" });
    if (token !== null) headers.set("Authorization", `Bearer ${token}`);
    if (request.idempotencyKey) headers.set("Idempotency-Key", request.idempotencyKey);
    if (request.json !== undefined) headers.set("Content-Type", "application/json");
    const response = await this.#fetch(this.#baseUrl + path + queryString(request.query), {
      method,
      headers,
      body: request.json === undefined ? (request.form ?? null) : JSON.stringify(request.json),
      // A redirect of a token's request would hand the secret to another address.
      redirect: "manual",
      signal: request.signal ? AbortSignal.any([timeout, request.signal]) : timeout,
    });
    const { status, statusText } = response;
    const body = new Uint8Array(await response.arrayBuffer());
    return { status, statusText, headers: response.headers, body };
  }
}

/** A path whose values cannot leave their segment: path`/v1/documents/${id}/image`. */
export function path(literals: TemplateStringsArray, ...values: string[]): string {
  const encoded = values.map((value) => {
    // fetch resolves these segments, so that the request would reach another endpoint.
    if (value === "" || value === "." || value === "..") throw new TypeError("the id is not valid");
    return encodeURIComponent(value);
  });
  return String.raw({ raw: literals }, ...encoded);
}

/** Waits, and ends at once with the reason of `signal`. */
export async function pauseFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

function checkedAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new TypeError("baseUrl is not an address of http or https");
  }
  return baseUrl.replace(/\/+$/, "");
}

function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  return parameters.size ? `?${parameters}` : "";
}

/** Node's fetch says "fetch failed" and has the reason in `cause`. */
function failure(error: unknown): { code: string; message: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code, message, name } = cause as { code?: string; message?: string; name?: string };
  return { code: String(code ?? ""), message: message || String(code ?? name ?? cause) };
}
