import { Alert, Button, Group, Kbd, Radio, Select, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { ApiError } from "@/api/errors";
import { BottomDialog } from "@/parts/BottomDialog";
import { useFailureText } from "@/parts/failures";
import { codesFor, useReasonWords } from "@/parts/reasons";
import { Soon } from "@/parts/Soon";
import { useStatusText } from "@/parts/StatusBadge";
import { useCommonWords } from "@/texts/common";
import { useDraft } from "@/parts/typed";
import { type Decision, decide, type Status } from "./queries";
import { useCaseWords } from "./texts";

const MOST_SUGGESTIONS = 6;

/** The codes that fit a decision best; the first one is chosen at the start. */
export function suggestions(decision: Decision, codes: readonly string[]): string[] {
  const isListed = codes.includes("WATCHLIST_MATCH");
  const own =
    decision === "APPROVED"
      ? [
          ...(isListed ? ["WATCHLIST_MATCH_DISMISSED"] : []),
          "EVIDENCE_CONFIRMED",
          "IDENTITY_CONFIRMED_IN_PERSON",
        ]
      : [
          ...(isListed ? ["WATCHLIST_MATCH_CONFIRMED"] : []),
          ...codes.filter((code) => code !== "WATCHLIST_MATCH"),
          "FRAUD_CONFIRMED",
          "PERSON_WITHDREW",
        ];
  const allowed = codesFor(decision);
  return own.filter((code) => allowed.includes(code)).slice(0, MOST_SUGGESTIONS);
}

interface Props {
  id: string;
  decision: Decision;
  /** Of the verification, as the reviewer sees it. */
  status: Status;
  codes: readonly string[];
  onClose: () => void;
  onDecided: (result: { isProposal: boolean }) => void;
}

/**
 * Reason and note of a decision. The first reason is chosen and the button has the focus, so Enter
 * confirms; a digit chooses another reason. A refusal leaves everything as it was typed.
 */
export function DecisionDrawer({ id, decision, status, codes, onClose, onDecided }: Props) {
  const words = useCaseWords();
  const common = useCommonWords();
  const reasonWords = useReasonWords();
  const statusText = useStatusText();
  const failureText = useFailureText();
  const suggested = suggestions(decision, codes);
  const [reason, setReason] = useState<string | null>(suggested[0] ?? null);
  const [note, setNote] = useDraft(id);
  const queries = useQueryClient();
  // Of the moment when the decision began: who reads it again behind the dialog has not seen it.
  const [expectedStatus] = useState(status);
  const save = useMutation({
    mutationFn: () => decide(id, { status: decision, reason, notes: note.trim() || null, expectedStatus }),
    meta: { quiet: true },
    onSuccess: (result) => {
      setNote("");
      onDecided(result);
    },
    onError: (fault) => {
      if (fault instanceof ApiError && fault.status === 409) {
        void queries.invalidateQueries({ queryKey: ["case", id] });
        void queries.invalidateQueries({ queryKey: ["lease", id] });
      }
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLTextAreaElement;
    const chosen = suggested[Number(event.key) - 1];
    if (isTyping && event.key === "Enter" && (event.ctrlKey || event.metaKey)) save.mutate();
    if (isTyping || chosen === undefined) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "radio") return;
    setReason(chosen);
  };
  const isTaken = save.error instanceof ApiError && save.error.status === 409;
  return (
    <BottomDialog
      opened
      onClose={onClose}
      title={words("decideAs", { what: statusText(decision) })}
    >
      <form onSubmit={submit} onKeyDown={onKeyDown}>
        <Stack maw={760}>
          <Radio.Group label={words("reason")} value={reason} onChange={setReason}>
            <Stack gap={6} mt={6}>
              {suggested.map((code, place) => (
                <Group key={code} gap="xs" wrap="nowrap">
                  <Kbd>{place + 1}</Kbd>
                  <Radio value={code} label={reasonWords(code).meaning} />
                </Group>
              ))}
            </Stack>
          </Radio.Group>
          <Soon place="other reason" h={36}>
            <Select
              aria-label={words("otherReason")}
              placeholder={words("otherReason")}
              searchable
              clearable
              data={codesFor(decision)
                .filter((code) => !suggested.includes(code))
                .map((value) => ({ value, label: reasonWords(value).meaning }))}
              value={reason !== null && !suggested.includes(reason) ? reason : null}
              onChange={(code) => setReason(code ?? suggested[0] ?? null)}
            />
          </Soon>
          <Textarea
            label={words("note")}
            description={words("noteHint")}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={2000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {save.isError && (
            <Alert color="red" variant="outline" role="alert">
              {isTaken ? words("taken") : failureText(save.error)}
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={save.isPending} data-autofocus>
              {words("confirm")}
            </Button>
            <Button variant="default" onClick={onClose}>
              {common("cancel")}
            </Button>
          </Group>
        </Stack>
      </form>
    </BottomDialog>
  );
}
