import { Anchor, Stack, Text, Title } from "@mantine/core";
import { PlainTable } from "@/parts/PlainTable";
import type { Hit } from "./queries";
import { useScreeningWords } from "./texts";

const joined = (values: (string | number | null | undefined)[] | null) =>
  (values ?? []).filter(Boolean).join(", ") || "—";

/** The person beside the entry as the list has it now. */
export function Comparison({ hit }: { hit: Hit }) {
  const words = useScreeningWords();
  const { person, entryNow: entry } = hit;
  const identifiers = (all: { kind: string; value: string }[] | null) =>
    joined((all ?? []).map(({ kind, value }) => `${kind} ${value}`));
  const rows: [string, string, string][] = [
    [
      words("names"),
      joined([person.fullName, ...(person.aliases ?? [])]),
      joined(entry.names.map(({ text }) => text)),
    ],
    [
      words("birth"),
      joined([person.dateOfBirth ?? person.birthYear]),
      joined(entry.datesOfBirth),
    ],
    [words("gender"), joined([person.gender]), joined(entry.genders)],
    [
      words("nationalities"),
      joined([...(person.nationalities ?? []), person.country]),
      joined([...entry.nationalities, ...entry.countries]),
    ],
    [
      words("identifiers"),
      joined([person.curp, person.rfc, ...(person.identifiers ?? []).map(({ value }) => value)]),
      identifiers(entry.identifiers),
    ],
    [words("addresses"), "—", joined(entry.addresses)],
    [words("positions"), "—", joined(entry.positions)],
    [words("programs"), "—", joined(entry.programs)],
    [words("remarks"), "—", joined(entry.remarks)],
  ];
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("comparison")}
      </Title>
      {!entry.listed && <Text>{words("delisted")}</Text>}
      <PlainTable
        label={words("comparison")}
        head={[words("field"), words("person"), words("entry")]}
        rows={rows
          .filter(([, ours, theirs]) => ours !== "—" || theirs !== "—")
          .map((cells) => ({ id: cells[0], cells }))}
      />
      {entry.url && (
        <Anchor href={entry.url} target="_blank" rel="noreferrer" w="fit-content">
          {words("publisherPage")}
        </Anchor>
      )}
    </Stack>
  );
}
