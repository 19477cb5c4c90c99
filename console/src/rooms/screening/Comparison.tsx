import { Anchor, Stack, Text, Title } from "@mantine/core";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { ENTRY_FIELDS, type EntryField, entryTexts, joined } from "./entryFields";
import type { Hit } from "./queries";
import { useScreeningWords } from "./texts";

/** The person beside the entry as the list has it now. */
export function Comparison({ hit }: { hit: Hit }) {
  const words = useScreeningWords();
  const { person, entryNow: entry } = hit;
  const listed = entryTexts(entry);
  const ours: Partial<Record<EntryField, string>> = {
    names: joined([person.fullName, ...(person.aliases ?? [])]),
    birth: joined([person.dateOfBirth ?? person.birthYear]),
    gender: joined([person.gender]),
    nationalities: joined([...(person.nationalities ?? []), person.country]),
    identifiers: joined([
      person.curp,
      person.rfc,
      ...(person.identifiers ?? []).map(({ value }) => value),
    ]),
  };
  const rows = ENTRY_FIELDS.map((field) => ({
    id: field,
    cells: [words(field), ours[field] ?? "—", listed[field]],
  }));
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("comparison")}
      </Title>
      {!entry.listed && <Text>{words("delisted")}</Text>}
      <PlainTable
        label={words("comparison")}
        head={[words("field"), words("person"), words("entry")]}
        rows={rows.filter(({ cells: [, one, other] }) => one !== "—" || other !== "—")}
      />
      <RoomLink to="/screening/entry/$id" params={{ id: entry.id }} w="fit-content">
        {words("toEntry")}
      </RoomLink>
      {entry.url && (
        <Anchor href={entry.url} target="_blank" rel="noreferrer" w="fit-content">
          {words("publisherPage")}
        </Anchor>
      )}
    </Stack>
  );
}
