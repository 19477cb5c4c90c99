import { Group, MultiSelect, Select, TextInput } from "@mantine/core";
import { ALL_CODES, useReasonWords } from "@/parts/reasons";
import { STEP_TYPES, useStepNames } from "@/parts/stepNames";
import type { Outcome } from "./queries";
import { usePolicyWords } from "./texts";

const ACTS = ["DEFAULT", "APPROVE", "REJECT", "REVIEW", "REQUIRE_STEP", "ASK_AGAIN"] as const;
const PICTURES = ["front", "back", "passport", "selfie", "liveness"] as const;
type Act = (typeof ACTS)[number];
type Reasons = NonNullable<Outcome["reasons"]>;
type Pictures = NonNullable<Outcome["pictures"]>;
type StepType = NonNullable<Outcome["step"]>["type"];

interface Props {
  outcome: Outcome;
  isReadOnly: boolean;
  onChange: (outcome: Outcome) => void;
}

/** What applies: the outcome, its reasons, and what belongs to that outcome alone. */
export function OutcomeFields({ outcome, isReadOnly, onChange }: Props) {
  const words = usePolicyWords();
  const steps = useStepNames();
  const meaningOf = useReasonWords();
  const act = outcome.outcome as Act;
  const become = (chosen: Act) =>
    onChange({
      outcome: chosen,
      reasons: outcome.reasons ?? [],
      queue: chosen === "REVIEW" ? (outcome.queue ?? null) : null,
      step: chosen === "REQUIRE_STEP" ? { type: "LIVENESS" as StepType } : null,
      pictures: chosen === "ASK_AGAIN" ? ["selfie"] : null,
    });
  return (
    <Group align="flex-start">
      <Select
        label={words("outcome")}
        miw={270}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={ACTS.map((value) => ({ value, label: words(value) }))}
        value={act}
        onChange={(value) => value && become(value as Act)}
      />
      {act !== "DEFAULT" && (
        <MultiSelect
          flex={1}
          miw={240}
          label={words("reasons")}
          searchable
          readOnly={isReadOnly}
          maxValues={20}
          data={ALL_CODES.map((value) => ({ value, label: meaningOf(value).meaning }))}
          value={outcome.reasons ?? []}
          onChange={(reasons) => onChange({ ...outcome, reasons: reasons as Reasons })}
        />
      )}
      {act === "REVIEW" && (
        <TextInput
          label={words("queue")}
          maxLength={64}
          readOnly={isReadOnly}
          value={outcome.queue ?? ""}
          onChange={(event) => onChange({ ...outcome, queue: event.currentTarget.value || null })}
        />
      )}
      {act === "REQUIRE_STEP" && (
        <Select
          label={words("step")}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={STEP_TYPES.map((value) => ({ value, label: steps(value) }))}
          value={outcome.step?.type ?? null}
          onChange={(type) => type && onChange({ ...outcome, step: { type: type as StepType } })}
        />
      )}
      {act === "ASK_AGAIN" && (
        <MultiSelect
          label={words("pictures")}
          readOnly={isReadOnly}
          data={PICTURES.map((value) => ({ value, label: words(value) }))}
          value={outcome.pictures ?? []}
          onChange={(pictures) =>
            pictures.length > 0 && onChange({ ...outcome, pictures: pictures as Pictures })
          }
        />
      )}
    </Group>
  );
}
