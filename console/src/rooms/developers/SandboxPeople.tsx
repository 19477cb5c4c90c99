import { Alert, Button, Code, CopyButton, Group, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { workflowsQuery } from "@/rooms/queue/queries";
import { useCommonWords } from "@/texts/common";
import type { SandboxPerson } from "./sandboxStart";
import { StartWithPerson } from "./StartWithPerson";
import { useDeveloperWords } from "./texts";

type Result = SandboxPerson["results"][number];

/** Invented people by whom each answer of the sandboxes can be tried. */
export function SandboxPeople({ people }: { people: SandboxPerson[] }) {
  const words = useDeveloperWords();
  const workflows = useQuery(workflowsQuery);
  const [workflowId, setWorkflowId] = useState<string | null>(null);
  const active = (workflows.data?.workflows ?? []).filter(({ isActive }) => isActive);
  const chosen = active.find(({ id }) => id === workflowId) ?? active[0] ?? null;
  return (
    <Stack>
      <Text>{words("sandboxLead")}</Text>
      {workflows.isError && <Failure fault={workflows.error} />}
      {workflows.isSuccess && active.length === 0 && (
        <Alert variant="outline">{words("noWorkflow")}</Alert>
      )}
      <Select
        maw={360}
        label={words("workflow")}
        allowDeselect={false}
        data={active.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen?.id ?? null}
        onChange={setWorkflowId}
      />
      <PlainTable
        label={words("sandbox")}
        head={[words("name"), words("leadsTo"), words("acts"), "CURP", "RFC", "CIC", words("birth")]}
        rows={people.map((person) => ({
          id: person.id,
          cells: [
            person.name,
            <Stack key="results" gap={2} miw={160}>
              {person.results.map((result) => (
                <ResultText key={result.source + result.code} result={result} />
              ))}
            </Stack>,
            <StartWithPerson key="start" person={person} workflow={chosen} />,
            <ToCopy key="curp" text={person.curp} label="CURP" />,
            <ToCopy key="rfc" text={person.rfc} label="RFC" />,
            <ToCopy key="cic" text={person.cic} label="CIC" />,
            person.dateOfBirth ?? "—",
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
