import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";

export type Case = components["schemas"]["VerificationAnswer"];
export type Step = Case["verification"]["steps"][number];
export type HistoryItem = components["schemas"]["HistoryItem"];
export type LocatedField = components["schemas"]["LocatedField"];
export type Link = components["schemas"]["VerificationLinks"]["links"][number];
export type Revealed = components["schemas"]["RevealedVerification"];
export type PersonalData = NonNullable<Case["masked"]>[number];
export type Decision = "APPROVED" | "REJECTED" | "MANUAL_REVIEW";

const path = (id: string) => ({ params: { path: { id } } });

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: ["case", id],
    queryFn: () =>
      ask(
        api.GET("/v1/verifications/{id}", { params: { path: { id }, query: { signals: "all" } } }),
      ),
    // Links to pictures are valid for 15 minutes.
    refetchInterval: ({ state: { data } }) => (data && isWorking(data) ? 5_000 : 10 * 60_000),
  });

/** Whether the service works on the verification: it waits neither for the person nor for staff. */
const isWorking = ({ verification: { status, steps } }: Case) =>
  status === "IN_PROGRESS" && steps.every((step) => step.status !== "WAITING_INPUT");

const MOST_PAGES = 10;

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ["case", id, "history"],
    queryFn: async () => {
      const items: HistoryItem[] = [];
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { limit: 100, offset: items.length };
        const answer = await ask(
          api.GET("/v1/verifications/{id}/history", { params: { path: { id }, query } }),
        );
        items.push(...answer.history);
        if (!answer.pagination.hasMore) break;
      }
      return items;
    },
  });

/** Where the pictures show each field; for reviewers. */
export const fieldsQuery = (id: string) =>
  queryOptions({
    queryKey: ["case", id, "fields"],
    queryFn: async () => (await ask(api.GET("/v1/verifications/{id}/fields", path(id)))).fields,
    staleTime: 5 * 60_000,
  });

export const linksQuery = (id: string) =>
  queryOptions({
    queryKey: ["case", id, "links"],
    queryFn: async () => (await ask(api.GET("/v1/verifications/{id}/links", path(id)))).links,
  });

type FieldLabel = components["schemas"]["FieldLabel"];

/** What reviewers have said so far about the fields of a document. */
export const labelQuery = (documentId: string) =>
  queryOptions({
    queryKey: ["label", documentId],
    queryFn: async () => {
      const params = { path: { docId: documentId } };
      const found = await ask(api.GET("/v1/training/docs/{docId}", { params }));
      // Who corrects a field has revealed the fields; a label keeps what others said before.
      const { document } = found.document.masked
        ? await ask(api.POST("/v1/training/docs/{docId}/reveal", { params }))
        : found;
      return (document.label?.fields ?? []) as unknown as FieldLabel[];
    },
  });

/** Label a document again, with another word about one of its fields. */
export const correct = (documentId: string, former: readonly FieldLabel[], field: FieldLabel) =>
  ask(
    api.POST("/v1/training/docs/{docId}/labels", {
      params: { path: { docId: documentId } },
      body: {
        fields: [...former.filter(({ fieldName }) => fieldName !== field.fieldName), field],
      },
    }),
  );

export const ROLES = ["front", "back", "passport", "selfie", "liveness"] as const;
export type Role = (typeof ROLES)[number];

export type Channel = components["schemas"]["RetakeSending"]["channel"];

export const askForPictures = (
  id: string,
  pictures: Role[],
  message: string | null,
  channel: Channel | null,
  language: "es" | "en",
) =>
  ask(
    api.POST("/v1/verifications/{id}/retake", {
      ...path(id),
      body: { pictures, message, send: channel && { channel }, capture: { language } },
    }),
  );

export type Status = Case["verification"]["status"];
export interface Decided {
  expectedStatus: Status;
  status: Decision;
  reason: string | null;
  notes: string | null;
}

/** Decide, or propose where the organization requires two reviewers; return whether it waits. */
export async function decide(id: string, body: Decided): Promise<{ isProposal: boolean }> {
  const answer = await ask(
    api.PATCH("/v1/verifications/{id}/status", {
      ...path(id),
      body: body as components["schemas"]["StatusChange"],
    }),
  );
  return { isProposal: "proposal" in (answer as object) };
}

export const addNote = (id: string, note: string) =>
  ask(api.POST("/v1/verifications/{id}/notes", { ...path(id), body: { note } }));

/** Show what is masked. The audit log records who asked, so nothing asks by itself. */
export const reveal = (id: string, kind: PersonalData) =>
  ask(api.POST("/v1/verifications/{id}/reveal", { ...path(id), body: { kinds: [kind] } }));

/** The ZIP of a decision. The audit log records each download, and that masked data were revealed. */
export const evidence = (id: string, reveal: boolean) =>
  ask(
    api.GET("/v1/verifications/{id}/evidence", {
      params: { path: { id }, query: { reveal } },
      parseAs: "blob",
    }),
  );

export const runAgain = (id: string) =>
  ask(api.POST("/v1/verifications/{id}/run-again", path(id)));

export const answerProposal = (
  id: string,
  answer: "confirm" | "decline",
  body: { proposal: string; notes: string | null },
) =>
  answer === "confirm"
    ? ask(api.POST("/v1/verifications/{id}/proposal/confirm", { ...path(id), body }))
    : ask(api.POST("/v1/verifications/{id}/proposal/decline", { ...path(id), body }));

const ENDS_PROPOSAL = new Set([
  "verification.pictures_asked_again",
  "verification.decided",
  "verification.overridden",
  "verification.decision_proposed",
  "verification.decision_declined",
]);

export interface PendingProposal {
  id: string;
  status: Decision;
  reason: string | null;
  note: string | null;
  by: HistoryItem["actor"];
}

/** The proposal that waits for a second reviewer: nothing that ends it follows. */
export function pendingProposal(history: readonly HistoryItem[]): PendingProposal | null {
  const last = history.findLast((item) => ENDS_PROPOSAL.has(item.kind));
  if (last?.kind !== "verification.decision_proposed") return null;
  return {
    id: last.id,
    status: last.details.status as Decision,
    reason: (last.details.reason as string | null | undefined) ?? null,
    note: last.note,
    by: last.actor,
  };
}
