import { Alert, Anchor, Button, Checkbox, Group, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "@/api/errors";
import { covers, useSession } from "@/api/session";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { useFailureText } from "@/parts/failures";
import { policiesQuery } from "@/rooms/policies/queries";
import { workflowsQuery } from "@/rooms/queue/queries";
import { useCommonWords } from "@/texts/common";
import { PersonFlow } from "./PersonFlow";
import {
  deactivate,
  type Draft,
  type DraftStep,
  draftOf,
  EMPTY,
  optionsOf,
  saveWorkflow,
  type Workflow,
} from "./queries";
import { StepFields } from "./StepFields";
import { useWorkflowWords } from "./texts";

interface Props {
  /** Null: a new one. */
  workflow: Workflow | null;
  onSaved: (id: string) => void;
}

/** The API's words about one step: `body.steps.0.config: …`. */
function faultOf(error: unknown, place: number): string | null {
  const details = error instanceof ApiError ? error.details : [];
  const start = `body.steps.${place}`;
  const found = details.filter((each) => each.startsWith(`${start}:`) || each.startsWith(`${start}.`));
  return found.length === 0 ? null : found.join("; ");
}

/** The steps of a workflow and what the person sees of them. */
export function WorkflowEditor({ workflow, onSaved }: Props) {
  const words = useWorkflowWords();
  const common = useCommonWords();
  const failureText = useFailureText();
  const queries = useQueryClient();
  const mayChange = covers(useSession().user.role, "ADMIN") && workflow?.isActive !== false;
  const stored = workflow === null ? EMPTY : draftOf(workflow);
  const [changed, setDraft] = useState<Draft | null>(null);
  const draft = changed ?? stored;
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const refresh = () => queries.invalidateQueries({ queryKey: workflowsQuery.queryKey });
  const save = useMutation({
    mutationFn: () => saveWorkflow(workflow?.id ?? null, draft),
    meta: { quiet: true },
    onSuccess: async (id) => {
      await refresh();
      setDraft(null);
      onSaved(id);
      notifications.show({ message: words("saved") });
    },
  });
  const turnOff = useMutation({ mutationFn: deactivate, onSettled: refresh });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const isWrong = draft.steps.some((step) => optionsOf(step) === null);
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          maw={480}
          label={words("name")}
          required
          maxLength={200}
          readOnly={!mayChange}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          maw={480}
          label={words("description")}
          maxLength={1000}
          readOnly={!mayChange}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <Steps
          steps={draft.steps}
          isReadOnly={!mayChange}
          error={save.error}
          onChange={(steps) => change({ steps })}
        />
        <PolicyOf
          policyId={draft.policyId}
          isReadOnly={!mayChange}
          onChange={(policyId) => change({ policyId })}
        />
        <Checkbox
          label={words("allowFiles")}
          disabled={!mayChange}
          checked={draft.allowFiles}
          onChange={(event) => change({ allowFiles: event.currentTarget.checked })}
        />
        {save.isError && (
          <Alert color="red" variant="outline" role="alert">
            {failureText(save.error)}
          </Alert>
        )}
        {mayChange && (
          <Group>
            <Button type="submit" loading={save.isPending} disabled={changed === null || isWrong}>
              {common("save")}
            </Button>
            {workflow !== null && (
              <ConfirmButton
                size="sm"
                text={words("deactivate")}
                question={words("deactivateQuestion")}
                loading={turnOff.isPending}
                onConfirm={() => turnOff.mutate(workflow.id)}
              />
            )}
          </Group>
        )}
        <PersonFlow steps={draft.steps} />
      </Stack>
    </form>
  );
}

interface StepsProps {
  steps: DraftStep[];
  isReadOnly: boolean;
  error: unknown;
  onChange: (steps: DraftStep[]) => void;
}

function Steps({ steps, isReadOnly, error, onChange }: StepsProps) {
  const words = useWorkflowWords();
  const move = (from: number, to: number) => {
    const changed = [...steps];
    const [moved] = changed.splice(from, 1);
    if (moved) changed.splice(to, 0, moved);
    onChange(changed);
  };
  return (
    <>
      <Title order={2} size="h3">
        {words("steps")}
      </Title>
      <Text>
        {words("stepsLead")}{" "}
        <Anchor href="/guide/integrators/workflow-steps/" target="_blank" rel="noreferrer" underline="always">
          {words("guide")}
        </Anchor>
      </Text>
      {steps.map((step, place) => (
        // By place: a step that is being edited has no id.
        <StepFields
          key={place}
          place={place}
          step={step}
          isLast={place === steps.length - 1}
          isReadOnly={isReadOnly}
          fault={faultOf(error, place)}
          onChange={(changed) => onChange(steps.with(place, changed))}
          onMove={(by) => move(place, place + by)}
          onRemove={() => onChange(steps.toSpliced(place, 1))}
        />
      ))}
      {!isReadOnly && (
        <Button
          variant="default"
          w="fit-content"
          onClick={() => onChange([...steps, { type: "FACE_MATCH", options: "" }])}
        >
          {words("addStep")}
        </Button>
      )}
    </>
  );
}

interface PolicyProps {
  policyId: string | null;
  isReadOnly: boolean;
  onChange: (policyId: string | null) => void;
}

/** Only reviewers see policies. */
function PolicyOf({ policyId, isReadOnly, onChange }: PolicyProps) {
  const words = useWorkflowWords();
  const maySee = covers(useSession().user.role, "REVIEWER");
  const policies = useQuery({ ...policiesQuery, enabled: maySee });
  if (!maySee) return null;
  return (
    <Select
      maw={480}
      label={words("policy")}
      placeholder={words("noPolicy")}
      clearable={!isReadOnly}
      readOnly={isReadOnly}
      data={(policies.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={policyId}
      onChange={onChange}
    />
  );
}
