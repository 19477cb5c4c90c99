import assert from "node:assert/strict";
import { test } from "node:test";

import { InvalidSignature, webhooks } from "../src/index.ts";

/** A delivery of the service: {body, headers, secret}, as JSON. */
const DELIVERY = process.env["ACREDITA_DELIVERY"];

test("a delivery of the service is verified, and a changed one is not", {
  skip: !DELIVERY && "ACREDITA_DELIVERY is not set; tests/pipeline/test_node_client.py sets it",
}, () => {
  const { body, headers, secret } = JSON.parse(DELIVERY ?? "");
  const event = webhooks.verify(body, headers, secret);
  assert.equal(event.event, "verification.approved");
  assert.ok(event.id);
  // As Node's server and as fetch have them.
  assert.deepEqual(webhooks.verify(Buffer.from(body), new Headers(headers), secret), event);

  const old = `${Number(headers["webhook-timestamp"]) - 3600}`;
  const { "webhook-signature": _, ...unsigned } = headers;
  for (const [changedBody, changedHeaders, otherSecret] of [
    [`${body} `, headers, secret],
    [body, headers, "another secret"],
    [body, { ...headers, "webhook-timestamp": old }, secret],
    [body, { ...headers, "webhook-id": "another" }, secret],
    [body, unsigned, secret],
    [body, {}, secret],
  ]) {
    assert.throws(
      () => webhooks.verify(changedBody, changedHeaders, otherSecret),
      InvalidSignature,
    );
  }
  assert.throws(() => webhooks.verify(body, headers, ""), TypeError);
});

test("a delivery is too old after the tolerance, though its signatures are right", {
  skip: !DELIVERY && "ACREDITA_DELIVERY is not set",
}, (context) => {
  const { body, headers, secret } = JSON.parse(DELIVERY ?? "");
  const sent = Number(headers["webhook-timestamp"]) * 1000;
  context.mock.timers.enable({ apis: ["Date"], now: sent + 299_000 });
  webhooks.verify(body, headers, secret);
  context.mock.timers.setTime(sent + 301_000);
  assert.throws(() => webhooks.verify(body, headers, secret), /just now/);
  webhooks.verify(body, headers, secret, { toleranceSeconds: 600 });
});
