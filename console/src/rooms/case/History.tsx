import { Button, Group, Stack, Text, Textarea, Timeline } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Failure } from "@/parts/failures";
import { useReasonWords } from "@/parts/reasons";
import { useStatusText } from "@/parts/StatusBadge";
import { type STEP_TYPES, useStepNames } from "@/parts/stepNames";
import { Moment } from "@/parts/time";
import classes from "./case.module.css";
import { Section } from "./Findings";
import { useDraft } from "@/parts/typed";
import { useActName } from "./actNames";
import { useActorName } from "./actorNames";
import { useNote } from "./notes";
import { addNote, type HistoryItem, historyQuery } from "./queries";
import { useCaseWords } from "./texts";

interface Props {
  id: string;
  opened: boolean;
  onToggle: () => void;
}

/** What happened, oldest first, with the notes of reviewers. */
export function History({ id, opened, onToggle }: Props) {
  const words = useCaseWords();
  const history = useQuery(historyQuery(id));
  const noted = history.data?.filter((item) => item.note !== null) ?? [];
  return (
    <Section title={words("history")}>
      {!opened && noted.map((item) => <Entry key={item.id} item={item} />)}
      <Button variant="default" size="xs" w="fit-content" aria-expanded={opened} onClick={onToggle}>
        {words("showHistory")}
        {history.data && ` (${history.data.length})`}
      </Button>
      {history.isError && <Failure fault={history.error} onRetry={() => void history.refetch()} />}
      {opened && (
        <Timeline bulletSize={14} lineWidth={2}>
          {history.data?.map((item) => (
            <Timeline.Item key={item.id}>
              <Entry item={item} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Section>
  );
}

function Entry({ item }: { item: HistoryItem }) {
  const nameOf = useActName();
  const names = useStepNames();
  const statusText = useStatusText();
  const reasonWords = useReasonWords();
  const note = useNote(item);
  const { details } = item;
  const status = details.newStatus ?? details.status;
  const code = details.reason ?? details.code;
  const nameActor = useActorName();
  return (
    <Stack gap={0}>
      <Text size="sm" fw={600}>
        {nameOf(item.kind)}
        {typeof details.stepType === "string" && ` ${names(details.stepType as (typeof STEP_TYPES)[number])}`}
        {typeof status === "string" && `: ${statusText(status)}`}
      </Text>
      {typeof code === "string" && <Text size="sm">{reasonWords(code).meaning}</Text>}
      {note !== null && (
        <Text size="sm" className={classes.note}>
          “{note}”
        </Text>
      )}
      <Group gap={6}>
        <Text size="xs" c="dimmed">
          {nameActor(item.actor)}
        </Text>
        <Text size="xs" c="dimmed">
          <Moment at={item.createdAt} />
        </Text>
      </Group>
    </Stack>
  );
}

/** A note that belongs to no decision. */
export function NoteForm({ id }: { id: string }) {
  const words = useCaseWords();
  const queries = useQueryClient();
  const [text, setText] = useDraft(`note ${id}`);
  const add = useMutation({
    mutationFn: () => addNote(id, text.trim()),
    onSuccess: () => {
      setText("");
      notifications.show({ message: words("noteAdded") });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["case", id, "history"] }),
  });
  return (
    <Section title={words("notes")}>
      <Textarea
        id="note"
        aria-label={words("note")}
        placeholder={words("noteHint")}
        autosize
        minRows={2}
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        disabled={!text.trim()}
        loading={add.isPending}
        onClick={() => add.mutate()}
      >
        {words("addNote")}
      </Button>
    </Section>
  );
}
