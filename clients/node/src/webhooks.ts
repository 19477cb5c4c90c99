/** Verification of a webhook: the service sent it, unchanged and just now. */

import { createHmac, timingSafeEqual } from "node:crypto";

import { InvalidSignature } from "./errors.ts";
import type { Event } from "./shapes.ts";

export const TOLERANCE_SECONDS = 300;

/** `IncomingMessage.headers` of Node, `Headers`, or an object with names in any case. */
export type ReceivedHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/**
 * The event of a webhook. `body` is the raw body, as it was received: a body that was parsed and
 * serialized again has another signature.
 *
 * Checks both signatures: `X-Service-Signature` over the body alone, and that of Standard Webhooks,
 * which covers the time of sending too. A request without the latter is refused, because it could
 * be the repetition of an old delivery. Throws `InvalidSignature`.
 *
 * An event may arrive more than once, always with the same `id`: store it.
 */
export function verify(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: { toleranceSeconds?: number } = {},
): Event {
  // HMAC takes an empty key, so that a secret that is not configured would accept forgeries.
  if (!secret) throw new TypeError("the secret is empty");
  const raw = Buffer.from(body);
  const sent = byName(headers);
  const own = createHmac("sha256", secret).update(raw).digest("hex");
  requireSignature([sent("x-service-signature")], `sha256=${own}`);
  const time = sent("webhook-timestamp");
  const digest = createHmac("sha256", standardKey(secret))
    .update(`${sent("webhook-id")}.${time}.`)
    .update(raw)
    .digest("base64");
  requireSignature(sent("webhook-signature").split(" "), `v1,${digest}`);
  const age = Math.abs(Date.now() / 1000 - Number(time));
  if (!/^\d+$/.test(time) || age > toleranceSeconds) {
    throw new InvalidSignature("the webhook was not sent just now");
  }
  return JSON.parse(raw.toString("utf8")) as Event;
}

function byName(headers: ReceivedHeaders): (name: string) => string {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const values = new Map(pairs.map(([name, value]) => [name.toLowerCase(), String(value ?? "")]));
  return (name) => values.get(name) ?? "";
}

/** The decoded part after `whsec_`. A secret of the receiver's own choice is used unchanged. */
function standardKey(secret: string): Buffer {
  const encoded = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret)?.[1];
  return encoded === undefined
    ? Buffer.from(secret)
    : Buffer.from(encoded, "base64");
}

/** In constant time, so that the response time does not reveal how much of a signature is right. */
function requireSignature(sent: readonly string[], expected: string): void {
  const wanted = Buffer.from(expected);
  const isSent = sent.some((one) => {
    const candidate = Buffer.from(one);
    return candidate.length === wanted.length && timingSafeEqual(candidate, wanted);
  });
  if (!isSent) throw new InvalidSignature("the webhook's signature is not the service's");
}
