import { Button, Group, JsonInput, Paper, Select } from "@mantine/core";
import { STEP_TYPES, useStepNames } from "@/parts/stepNames";
import { type DraftStep, optionsOf, type StepType } from "./queries";
import { useWorkflowWords } from "./texts";

interface Props {
  place: number;
  step: DraftStep;
  isLast: boolean;
  isReadOnly: boolean;
  fault: string | null;
  onChange: (step: DraftStep) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
}

/** A step: what it checks, and its options. */
export function StepFields({ place, step, isLast, isReadOnly, fault, ...does }: Props) {
  const words = useWorkflowWords();
  const names = useStepNames();
  const number = place + 1;
  const wrong = optionsOf(step) === null ? words("optionsWrong") : fault;
  return (
    <Paper withBorder p="md" component="section" aria-label={words("stepOf", { number })}>
      <Group align="flex-end">
        <Select
          flex={1}
          miw={220}
          label={words("stepOf", { number })}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={STEP_TYPES.map((type) => ({ value: type, label: names(type) }))}
          value={step.type}
          onChange={(type) => type && does.onChange({ type: type as StepType, options: "" })}
        />
        {!isReadOnly && (
          <Group gap="xs">
            <Button
              variant="default"
              disabled={place === 0}
              aria-label={words("stepUp", { number })}
              onClick={() => does.onMove(-1)}
            >
              ↑
            </Button>
            <Button
              variant="default"
              disabled={isLast}
              aria-label={words("stepDown", { number })}
              onClick={() => does.onMove(1)}
            >
              ↓
            </Button>
            <Button
              variant="default"
              aria-label={words("stepRemove", { number })}
              disabled={place === 0 && isLast}
              onClick={does.onRemove}
            >
              {words("remove")}
            </Button>
          </Group>
        )}
      </Group>
      <JsonInput
        mt="sm"
        label={words("options", { number })}
        description={words("optionsLead")}
        placeholder="{}"
        autosize
        minRows={1}
        maxRows={12}
        readOnly={isReadOnly}
        error={wrong}
        value={step.options}
        onChange={(options) => does.onChange({ ...step, options })}
      />
    </Paper>
  );
}
