import { Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import type { components } from "@/api/schema";
import { PlainTable } from "@/parts/PlainTable";
import { useCommonWords } from "@/texts/common";
import { useDeveloperWords } from "./texts";

type Person = components["schemas"]["SandboxPerson"];
type Result = Person["results"][number];

/** Invented people by whom each answer of the sandboxes can be tried. */
export function SandboxPeople({ people }: { people: Person[] }) {
  const words = useDeveloperWords();
  return (
    <Stack>
      <Text>{words("sandboxLead")}</Text>
      <PlainTable
        label={words("sandbox")}
        head={[words("name"), "CURP", "RFC", "CIC", words("birth"), words("leadsTo")]}
        rows={people.map((person) => ({
          id: person.curp ?? person.name,
          cells: [
            person.name,
            <ToCopy key="curp" text={person.curp} label="CURP" />,
            <ToCopy key="rfc" text={person.rfc} label="RFC" />,
            <ToCopy key="cic" text={person.cic} label="CIC" />,
            person.dateOfBirth ?? "—",
            <Stack key="results" gap={2} miw={200}>
              {person.results.map((result) => (
                <ResultText key={result.source + result.code} result={result} />
              ))}
            </Stack>,
          ],
        }))}
      />
    </Stack>
  );
}

function ToCopy({ text, label }: { text: string | null; label: string }) {
  const common = useCommonWords();
  if (text === null) return "—";
  return (
    <Group gap="xs" wrap="nowrap">
      <Code>{text}</Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="default"
            onClick={copy}
            aria-label={`${common(copied ? "copied" : "copy")}: ${label} ${text}`}
          >
            {common(copied ? "copied" : "copy")}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}

function ResultText({ result }: { result: Result }) {
  const words = useDeveloperWords();
  const source = words(`source_${result.source}`);
  // The registry's own code and words, and the programs of a list, have no translation.
  const isCode = result.code !== result.code.toLowerCase();
  const text = isCode
    ? `${result.code}${result.source === "government" ? `, ${result.text}` : ""}`
    : words(`${result.source}_${result.code}` as "government_not_found");
  return (
    <Text size="sm">
      {source}: {text}
    </Text>
  );
}
