/**
 * The client of the public API, typed from openapi.json.
 *
 *     const page = await ask(api.GET("/v1/verifications", { params: { query: { limit: 20 } } }));
 *
 * The session is a cookie that scripts cannot read. Requests that change something carry the
 * session's CSRF token, which only lives in memory.
 */
import createClient from "openapi-fetch";
import { isAttended } from "./attention";
import { ApiError, errorOf, unreachable } from "./errors";
import type { paths } from "./schema";

let csrfToken: string | null = null;
let onSessionEnd: () => void = () => {};

export const keepCsrfToken = (token: string | null) => {
  csrfToken = token;
};

/** Whether this page has a session, or had one that has ended. */
export const hasSession = () => csrfToken !== null;

/** Set what happens when the API no longer accepts the session. */
export const whenSessionEnds = (callback: () => void) => {
  onSessionEnd = callback;
};

// The organization requires a second factor since, or the user has added one elsewhere.
const SECOND_FACTOR_NEEDED = new Set(["SECOND_FACTOR_REQUIRED", "SECOND_FACTOR_SETUP_REQUIRED"]);
const SAFE_METHODS = new Set(["GET", "HEAD"]);

const MOST_WAITS = 3;
const LONGEST_WAIT = 3;

/**
 * The limit of requests is the organization's, so reviewers at work share it. A refused request has
 * done nothing: where the API says that the wait is short, in seconds, ask again.
 */
async function patiently(request: Request): Promise<Response> {
  for (let left = MOST_WAITS; ; left -= 1) {
    // Looked up at each call: tests replace it.
    const answer = await globalThis.fetch(request.clone());
    const seconds = Number(answer.headers.get("Retry-After") ?? Number.NaN);
    if (answer.status !== 429 || left === 0 || !(seconds <= LONGEST_WAIT)) return answer;
    // Those who wait do not all come back at once.
    await new Promise((resolve) => setTimeout(resolve, 1000 * (seconds + Math.random())));
  }
}

export const api = createClient<paths>({ fetch: patiently });

api.use({
  onRequest({ request }) {
    if (csrfToken !== null && !SAFE_METHODS.has(request.method)) {
      request.headers.set("X-CSRF-Token", csrfToken);
    }
    if (!isAttended()) request.headers.set("X-Unattended", "true");
    return request;
  },
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Return the answer's body. Throw ApiError. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (fault) {
    if (fault instanceof DOMException && fault.name === "AbortError") throw fault;
    throw unreachable();
  }
  if (answer.response.ok) return answer.data as T;
  const error = errorOf(answer.error, answer.response);
  // A wrong code is a 401, too.
  const isEnd =
    (error.status === 401 && error.code !== "SECOND_FACTOR_WRONG") ||
    SECOND_FACTOR_NEEDED.has(error.code);
  if (isEnd && hasSession()) onSessionEnd();
  throw error;
}

export const isError = (fault: unknown, code: string): fault is ApiError =>
  fault instanceof ApiError && fault.code === code;

/** The path of a link of the API: the service may have several names, the cookie only this one. */
export function samePath(url: string): string {
  const parsed = new URL(url, window.location.href);
  return parsed.pathname + parsed.search;
}
