import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { AcreditaError, ApiError, Client, ConnectionFailed } from "../src/index.ts";
import { answer, hang, reset, scripted, token } from "./scripted.ts";

const workflows = answer(200, { workflows: [] });
const created = answer(201, { verification: { id: "one" } });
const refused = answer(401, { error: { code: "UNAUTHORIZED", message: "expired" } });
const workflow = { name: "Registries", steps: [{ type: "GOVERNMENT_VERIFY" as const, order: 1 }] };
const paths = (received: { url: string }[]) => received.map(({ url }) => url);

test("requests that start together share one token", async (context) => {
  const { client, received } = await scripted(context, [token(), workflows, workflows, workflows]);
  await Promise.all([client.workflows.list(), client.workflows.list(), client.workflows.list()]);
  assert.equal(paths(received).filter((url) => url === "/v1/auth/token").length, 1);
  assert.deepEqual(JSON.parse(received[0]?.body ?? ""), {
    grant_type: "client_credentials",
    client_id: "org",
    client_secret: "ak_secret",
  });
  assert.equal(received[1]?.headers.authorization, "Bearer t");
});

test("a token is renewed before it expires, and once if the service refuses it", async (context) => {
  const script = [token(59), workflows, token(), refused, token(), workflows, refused, token(), refused];
  const { client, received } = await scripted(context, script);
  await client.workflows.list();
  await client.workflows.list();
  await assert.rejects(client.workflows.list(), { status: 401, code: "UNAUTHORIZED" });
  const urls = paths(received).map((url) => (url === "/v1/auth/token" ? "token" : "list"));
  assert.equal(urls.join(" "), "token list token list token list list token list");
});

test("a failed request for a token fails the request, and the next one asks again", async (context) => {
  const { client } = await scripted(context, [refused, token(), workflows]);
  await assert.rejects(client.workflows.list(), { code: "UNAUTHORIZED" });
  assert.deepEqual(await client.workflows.list(), []);
});

test("a refused request waits as long as the response says", async (context) => {
  const busy = answer(429, {}, { "retry-after": "0.2" });
  const away = answer(503, {}, { "retry-after": new Date(Date.now() - 1000).toUTCString() });
  const { client, received } = await scripted(context, [token(), busy, away, workflows]);
  const start = performance.now();
  await client.workflows.list();
  const elapsed = performance.now() - start;
  assert.ok(elapsed > 190, `it waited ${elapsed} ms`);
  assert.equal(received.length, 4);
});

test("a retried creation keeps its key, and a request that is unsafe to repeat is sent once", async (context) => {
  const now = { "retry-after": "0" };
  const script = [token(), reset, answer(503, {}, now), created, reset, answer(503), created];
  const { client, received } = await scripted(context, script);
  assert.equal((await client.verifications.create({ workflowId: "w" })).id, "one");
  const keys = new Set(received.slice(1).map(({ headers }) => headers["idempotency-key"]));
  assert.equal(keys.size, 1);
  assert.match([...keys][0] as string, /^[0-9a-f-]{36}$/);
  await assert.rejects(client.workflows.create(workflow), ConnectionFailed);
  await assert.rejects(client.workflows.create(workflow), ApiError);
  await client.verifications.create({ workflowId: "w" }, { idempotencyKey: "order-7" });
  assert.equal(received.at(-1)?.headers["idempotency-key"], "order-7");
  assert.equal(received.length, 7);
});

test("an attempt that takes too long fails, and a signal ends a request at once", async (context) => {
  const quick = { timeoutSeconds: 0.2, retries: 0 };
  const { client } = await scripted(context, [token(), hang], quick);
  await assert.rejects(client.workflows.list(), ConnectionFailed);
  const patient = await scripted(context, [token(), answer(503, {}, { "retry-after": "30" })]);
  const reason = new Error("the caller left");
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(reason), 100);
  const asked = patient.client.workflows.list({ signal: leaving.signal });
  await assert.rejects(asked, (error) => error === reason);
});

test("an error has the code, the details and the id of the request", async (context) => {
  const error = { code: "VALIDATION_ERROR", message: "no", details: ["body.name"], requestId: "r1" };
  const page = answer(502, "<html>", { "x-request-id": "r2" });
  const { client } = await scripted(context, [token(), answer(422, { error }), page, answer(200, "<html>")], {
    retries: 0,
  });
  await assert.rejects(client.workflows.list(), (caught) => {
    assert.ok(caught instanceof ApiError && caught instanceof AcreditaError);
    assert.deepEqual([caught.status, caught.code, caught.requestId], [422, "VALIDATION_ERROR", "r1"]);
    assert.deepEqual(caught.details, ["body.name"]);
    assert.equal(caught.message, "422 VALIDATION_ERROR: no");
    return true;
  });
  await assert.rejects(client.workflows.list(), { code: "UNEXPECTED_ANSWER", requestId: "r2" });
  await assert.rejects(client.workflows.list(), { status: 200, code: "UNEXPECTED_ANSWER" });
});

test("pages follow each other by cursor", async (context) => {
  const first = answer(200, { auditLogs: [{ id: "a" }, { id: "b" }], nextCursor: "c+1" });
  const script = [token(), first, answer(200, { auditLogs: [{ id: "c" }] })];
  const { client, received } = await scripted(context, script);
  const found = await Array.fromAsync(client.auditLogs.all({ action: "webhook.created" }), (one) => one.id);
  assert.deepEqual(found, ["a", "b", "c"]);
  const query = "/v1/audit-logs?limit=100&action=webhook.created";
  assert.deepEqual(paths(received).slice(1), [query, `${query}&cursor=c%2B1`]);
});

test("a redirect is not followed, so that no other server gets the secret", async (context) => {
  const elsewhere = await scripted(context, [token()]);
  const away = answer(307, {}, { location: `${elsewhere.baseUrl}/v1/auth/token` });
  const { client } = await scripted(context, [away], { retries: 0 });
  await assert.rejects(client.workflows.list(), { status: 307 });
  assert.equal(elsewhere.received.length, 0);
});

test("an id stays in its segment of the path", async (context) => {
  const { client, received } = await scripted(context, [token(), answer(200, { verification: {} })]);
  await client.verifications.get("../x?y#z");
  assert.equal(received[1]?.url, "/v1/verifications/..%2Fx%3Fy%23z");
  await assert.rejects(client.verifications.get(".."), TypeError);
  await assert.rejects(client.verifications.get(""), TypeError);
});

test("all signals of a verification come on request", async (context) => {
  const shown = answer(200, { verification: {} });
  const { client, received } = await scripted(context, [token(), shown, shown]);
  await client.verifications.get("one", { signals: "all" });
  await client.verifications.get("one");
  assert.deepEqual(paths(received).slice(1), ["/v1/verifications/one?signals=all", "/v1/verifications/one"]);
});

test("a client is refused without credentials and shows none when it is logged", () => {
  const options = { baseUrl: "http://127.0.0.1", clientId: "org", clientSecret: "ak_secret" };
  assert.throws(() => new Client({ ...options, clientSecret: "" }), /clientSecret is missing/);
  assert.throws(() => new Client({ ...options, baseUrl: "acredita.example" }), /baseUrl/);
  assert.doesNotMatch(inspect(new Client(options), { depth: 9, showHidden: true }), /ak_secret/);
});
