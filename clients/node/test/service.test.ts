/** Against a running service with a worker; tests/pipeline/test_node_client.py starts it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { ApiError, Client, WaitTimedOut } from "../src/index.ts";

const { ACREDITA_BASE, ACREDITA_MEMBER, ACREDITA_RIVAL } = process.env;
const skip = !ACREDITA_BASE && "ACREDITA_BASE is not set";

function clientOf(member: string | undefined, clientSecret?: string): Client {
  const [clientId = "", key = ""] = member?.split(" ") ?? [];
  return new Client({
    baseUrl: ACREDITA_BASE ?? "",
    clientId,
    clientSecret: clientSecret ?? key,
  });
}

const PERSON = { curp: "XUXX900101HNEXXX02" };
const registries = { name: "Registries", steps: [{ type: "GOVERNMENT_VERIFY" as const, order: 1 }] };

test("a verification is created once, decided, listed and found in the audit log", { skip }, async () => {
  const client = clientOf(ACREDITA_MEMBER);
  const workflow = await client.workflows.create(registries);
  const create = () =>
    client.verifications.create(
      { workflowId: workflow.id, externalId: "cliente-1", metadata: PERSON },
      { idempotencyKey: "cliente-1" },
    );
  const created = await create();
  assert.equal((await create()).id, created.id);
  const shown = await client.verifications.waitForDecision(created.id, { timeoutSeconds: 30 });
  assert.equal(shown.verification.status, "APPROVED");
  const listed = await Array.fromAsync(client.verifications.all({ status: "APPROVED" }));
  assert.deepEqual(listed.map(({ id }) => id), [created.id]);
  const actions = await Array.fromAsync(client.auditLogs.all({ resourceId: workflow.id }));
  assert.ok(actions.length > 0);
});

test("a verification that is not decided in time raises an error with its status; a reviewer decides it", { skip }, async () => {
  const client = clientOf(ACREDITA_MEMBER);
  const steps = [{ type: "DOCUMENT_OCR" as const, order: 1 }];
  const workflow = await client.workflows.create({ name: "Document", steps });
  const created = await client.verifications.create({ workflowId: workflow.id });
  await assert.rejects(
    client.verifications.waitForDecision(created.id, { timeoutSeconds: 0.1 }),
    (error) => error instanceof WaitTimedOut && error.status === "PENDING",
  );
  await client.verifications.setStatus(created.id, { status: "REJECTED", notes: "by hand" });
  const shown = await client.verifications.waitForDecision(created.id);
  assert.equal(shown.verification.status, "REJECTED");
});

test("a link for the person is made, replaced and revoked", { skip }, async () => {
  const { verifications, workflows } = clientOf(ACREDITA_MEMBER);
  const { id: workflowId } = await workflows.create(registries);
  const created = await verifications.create({ workflowId, capture: { language: "pt" } });
  assert.ok(created.capture?.url.includes(`/verify/${created.id}?lang=pt#cl_`));
  const again = await verifications.newLink(created.id);
  assert.notEqual(again.url, created.capture?.url);
  await verifications.revokeLinks(created.id);
  const shown = await verifications.get(created.id);
  assert.equal(shown.verification.capture?.state, "revoked");
});

test("files of each kind of source are uploaded", { skip }, async () => {
  const client = clientOf(ACREDITA_MEMBER);
  const steps = [{ type: "DOCUMENT_OCR" as const, order: 1 }];
  const workflow = await client.workflows.create({ name: "Upload", steps });
  const created = await client.verifications.create({ workflowId: workflow.id });
  const path = process.env["ACREDITA_PICTURE"] ?? "";
  const bytes = new Uint8Array(await readFile(path));
  const uploaded = await client.verifications.upload(created.id, {
    front: path,
    back: bytes,
    selfie: [new Blob([bytes]), new File([bytes], "me.jpg")],
  });
  const roles = uploaded.uploaded.map(({ type }) => type);
  assert.deepEqual(roles.sort(), ["back", "front", "selfie", "selfie"]);
  const [first] = uploaded.uploaded;
  assert.ok((await client.verifications.image(first?.id ?? "")).length > 0);
});

test("an error of the service has its code, its details and the id of the request", { skip }, async () => {
  const client = clientOf(ACREDITA_MEMBER);
  const workflow = await client.workflows.create(registries);
  await assert.rejects(clientOf(ACREDITA_RIVAL).workflows.get(workflow.id), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code], [404, "NOT_FOUND"]);
    assert.ok(error.requestId);
    return true;
  });
  await assert.rejects(client.request("POST", "/v1/workflows", { json: { name: "" } }), (error) => {
    assert.ok(error instanceof ApiError && error.code === "VALIDATION_ERROR");
    return error.details.some((fault) => fault.startsWith("body.name"));
  });
  await assert.rejects(clientOf(ACREDITA_MEMBER, "ak_12345678_wrong").workflows.list(), { status: 401 });
});

test("requests over the limit wait and succeed", { skip }, async () => {
  const owner = clientOf(ACREDITA_MEMBER);
  const { key } = await owner.organization.createApiKey({ name: "slow", rateLimit: 2 });
  const client = clientOf(ACREDITA_MEMBER, key);
  for (let count = 0; count < 7; count++) await client.workflows.list();
});
