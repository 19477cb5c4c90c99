/** Responses that were read to their end, and their errors. */

import { ApiError } from "./errors.ts";

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export const isSuccess = (answer: Answer): boolean => answer.status >= 200 && answer.status < 300;

/** Throws `ApiError` for a success whose body is not JSON: something else answered. */
export function json(answer: Answer): unknown {
  if (answer.body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(answer.body));
  } catch {
    throw new ApiError(answer.status, "UNEXPECTED_ANSWER", "the body is not JSON");
  }
}

/** The error of a response. One that another server sent (a proxy) keeps its status. */
export function errorOf(answer: Answer): ApiError {
  const error = envelope(answer);
  const requestId = text(error["requestId"]) ?? answer.headers.get("x-request-id") ?? undefined;
  const wait = retryAfter(answer);
  return new ApiError(
    answer.status,
    text(error["code"]) ?? "UNEXPECTED_ANSWER",
    text(error["message"]) ?? answer.statusText,
    {
      details: Array.isArray(error["details"]) ? error["details"].map(String) : [],
      ...(requestId !== undefined && { requestId }),
      ...(wait !== undefined && { retryAfter: wait }),
    },
  );
}

/** Seconds to wait, from the header's two forms: a number of seconds, or a date. */
export function retryAfter(answer: Answer): number | undefined {
  const value = answer.headers.get("retry-after")?.trim();
  if (!value) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(value)
    ? Number(value)
    : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function envelope(answer: Answer): Record<string, unknown> {
  try {
    const body = json(answer) as { error?: unknown } | undefined;
    const error = body?.error;
    return typeof error === "object" && error !== null ? { ...error } : {};
  } catch {
    return {};
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value ? value : undefined;
