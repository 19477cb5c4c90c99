import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useFailureText } from "@/parts/failures";
import { faultsOf } from "./faults";
import { OutcomeFields } from "./OutcomeFields";
import { type Draft, policyQuery, type Rule, saveDraft, type Version } from "./queries";
import { RuleFields } from "./RuleFields";
import { usePolicyWords } from "./texts";

interface Props {
  policyId: string;
  version: Version;
  isReadOnly: boolean;
}

const NEW: Rule = { name: "", when: "", then: { outcome: "REVIEW", reasons: [] } };

/** The rules of the newest version. What is saved is a draft; it decides once it is published. */
export function RulesEditor({ policyId, version, isReadOnly }: Props) {
  const words = usePolicyWords();
  const failureText = useFailureText();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({
    rules: version.rules as unknown as Rule[],
    otherwise: version.otherwise as unknown as Draft["otherwise"],
  });
  const save = useMutation({
    mutationFn: () => saveDraft(policyId, draft),
    meta: { quiet: true },
    onSuccess: async () => {
      // Publishing sends the digest that the page shows, so the page shows the new one before it says "saved".
      await queries.invalidateQueries({ queryKey: policyQuery(policyId).queryKey });
      notifications.show({ message: words("saved") });
    },
  });
  const { rules } = draft;
  const setRules = (changed: Rule[]) => setDraft({ ...draft, rules: changed });
  const move = (from: number, to: number) => {
    const changed = [...rules];
    const [moved] = changed.splice(from, 1);
    if (moved) changed.splice(to, 0, moved);
    setRules(changed);
  };
  const { conditions, others } = faultsOf(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={2} size="h3">
          {words("rulesOf", { version: version.version })}
        </Title>
        <Text>
          {words("rulesLead")}{" "}
          <Anchor href="/guide/compliance/policies/" target="_blank" rel="noreferrer" underline="always">
            {words("guide")}
          </Anchor>
        </Text>
        {rules.map((rule, place) => (
          // By place: a rule has no id, and its name is being typed.
          <RuleFields
            key={place}
            place={place}
            rule={rule}
            isReadOnly={isReadOnly}
            isLast={place === rules.length - 1}
            faults={conditions.filter((fault) => fault.rule === place)}
            onChange={(changed) => setRules(rules.with(place, changed))}
            onMove={(by) => move(place, place + by)}
            onRemove={() => setRules(rules.toSpliced(place, 1))}
          />
        ))}
        {!isReadOnly && (
          <Button
            variant="default"
            w="fit-content"
            onClick={() => setRules([...rules, structuredClone(NEW)])}
          >
            {words("addRule")}
          </Button>
        )}
        <Paper withBorder p="md" component="section" aria-label={words("otherwise")}>
          <Title order={3} size="h5" mb="xs">
            {words("otherwise")}
          </Title>
          <OutcomeFields
            outcome={draft.otherwise}
            isReadOnly={isReadOnly}
            onChange={(otherwise) => setDraft({ ...draft, otherwise })}
          />
        </Paper>
        {save.isError && (
          <Alert color="red" variant="outline" role="alert">
            {conditions.length > 0 && <Text>{words("conditionsWrong", { count: conditions.length })}</Text>}
            {others.map((each) => (
              <Text key={each}>{each}</Text>
            ))}
            {conditions.length + others.length === 0 && failureText(save.error)}
          </Alert>
        )}
        {!isReadOnly && (
          <Group>
            <Button type="submit" loading={save.isPending}>
              {words("saveDraft")}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
