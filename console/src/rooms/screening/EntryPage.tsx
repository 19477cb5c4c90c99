import { Anchor, Badge, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { components } from "@/api/schema";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { Moment } from "@/parts/time";
import { ENTRY_FIELDS, entryTexts } from "./entryFields";
import { entryQuery } from "./queries";
import { useScreeningWords } from "./texts";

type Entry = components["schemas"]["EntryDetail"];
const route = getRouteApi("/shell/screening/entry/$id");

/** An entry as its list has it, its former forms, and the same person on other lists. */
export function EntryPage() {
  const words = useScreeningWords();
  const { id } = route.useParams();
  const found = useQuery(entryQuery(id));
  if (found.isPending) return <Skeleton h={320} />;
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const entry = found.data;
  const texts = entryTexts(entry);
  return (
    <Stack>
      <RoomLink to="/screening" search={{ tab: "entries" }} w="fit-content">
        {words("back")}
      </RoomLink>
      <Title order={1} size="h2">
        {entry.names[0]?.text ?? entry.entryId}
      </Title>
      <Group>
        <Badge color={entry.listed ? "red.9" : "gray.7"} tt="none">
          {words(entry.listed ? "listed" : "unlisted")}
        </Badge>
        <Text>
          {entry.list} · {entry.entryId}
        </Text>
        {entry.url && (
          <Anchor href={entry.url} target="_blank" rel="noreferrer">
            {words("publisherPage")}
          </Anchor>
        )}
      </Group>
      {entry.standing === "cleared" && <Text>{words("cleared")}</Text>}
      <PlainTable
        label={words("listSays")}
        head={[words("field"), words("entry")]}
        rows={ENTRY_FIELDS.filter((field) => texts[field] !== "—").map((field) => ({
          id: field,
          cells: [words(field), texts[field]],
        }))}
      />
      <Sources entry={entry} />
      <Former entry={entry} />
    </Stack>
  );
}

function Sources({ entry }: { entry: Entry }) {
  const words = useScreeningWords();
  const others = entry.sources.filter(({ id }) => id !== entry.id);
  return (
    <>
      <Title order={2} size="h3">
        {words("sources")}
      </Title>
      {others.length === 0 && <Text>{words("noSource")}</Text>}
      {others.length > 0 && (
        <PlainTable
          label={words("sources")}
          head={[words("list"), words("entry"), words("entryId")]}
          rows={others.map((source) => ({
            id: source.id,
            cells: [
              source.list,
              <RoomLink key="entry" to="/screening/entry/$id" params={{ id: source.id }}>
                {source.name}
              </RoomLink>,
              source.entryId,
            ],
          }))}
        />
      )}
    </>
  );
}

function Former({ entry }: { entry: Entry }) {
  const words = useScreeningWords();
  return (
    <>
      <Title order={2} size="h3">
        {words("history")}
      </Title>
      <PlainTable
        label={words("history")}
        head={[words("version"), words("since"), words("until"), words("changes"), words("names")]}
        rows={entry.history.map((form) => ({
          id: String(form.fromVersion),
          cells: [
            form.fromVersion,
            form.from ? <Moment key="from" at={form.from} /> : "—",
            form.until ? <Moment key="until" at={form.until} /> : words("today"),
            form.changed.join(", ") || "—",
            form.content.names.map(({ text }) => text).join(", "),
          ],
        }))}
      />
    </>
  );
}
