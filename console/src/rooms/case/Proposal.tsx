import { Alert, Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isError } from "@/api/client";
import { useSession } from "@/api/session";
import { useFailureText } from "@/parts/failures";
import { useReasonWords } from "@/parts/reasons";
import { useStatusText } from "@/parts/StatusBadge";
import classes from "./case.module.css";
import { useActorName } from "./actorNames";
import { useDraft } from "@/parts/typed";
import { useNote } from "./notes";
import { answerProposal, type PendingProposal } from "./queries";
import { useCaseWords } from "./texts";

interface Props {
  id: string;
  proposal: PendingProposal;
  onConfirmed: () => void;
}

/** A proposed decision, which another reviewer than its author confirms or declines. */
export function Proposal({ id, proposal, onConfirmed }: Props) {
  const words = useCaseWords();
  const statusText = useStatusText();
  const reasonWords = useReasonWords();
  const nameActor = useActorName();
  const failureText = useFailureText();
  const queries = useQueryClient();
  const { user } = useSession();
  const why = useNote(proposal);
  const [note, setNote] = useDraft(`proposal ${id}`);
  const what = statusText(proposal.status);
  const isOwn = proposal.by.id === user.id;
  const give = useMutation({
    mutationFn: (answer: "confirm" | "decline") =>
      answerProposal(id, answer, { proposal: proposal.id, notes: note.trim() || null }),
    meta: { quiet: true },
    onSuccess: (_, answer) => {
      setNote("");
      if (answer === "confirm") onConfirmed();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["case", id] }),
  });
  return (
    <Alert color="grape" variant="outline" role="region" aria-label={words("confirmProposal")}>
      <Stack gap="xs">
        <Text fw={600}>
          {isOwn
            ? words("ownProposal", { what })
            : words("proposal", { who: nameActor(proposal.by), what })}
        </Text>
        {proposal.reason !== null && <Text>{reasonWords(proposal.reason).meaning}</Text>}
        {why !== null && <Text className={classes.note}>“{why}”</Text>}
        {!isOwn && (
          <>
            <Textarea
              label={words("note")}
              autosize
              maxLength={2000}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            {give.isError && (
              <Text role="alert" fw={600}>
                {isError(give.error, "NO_PROPOSAL")
                  ? words("proposalGone")
                  : failureText(give.error)}
              </Text>
            )}
            <Group>
              <Button loading={give.isPending} onClick={() => give.mutate("confirm")}>
                {words("confirmProposal")}
              </Button>
              <Button variant="default" onClick={() => give.mutate("decline")}>
                {words("declineProposal")}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Alert>
  );
}
