import { Button, Code, Group, Paper, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { ConditionFault } from "./faults";
import { OutcomeFields } from "./OutcomeFields";
import type { Rule } from "./queries";
import { usePolicyWords } from "./texts";

interface Props {
  place: number;
  rule: Rule;
  isReadOnly: boolean;
  isLast: boolean;
  faults: ConditionFault[];
  onChange: (rule: Rule) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

/** One rule: its name, its condition in CEL, and what applies where it is true. */
export function RuleFields(props: Props) {
  const { place, rule, isReadOnly, isLast, faults, onChange, onMove, onRemove } = props;
  const words = usePolicyWords();
  const name = words("rule", { place: place + 1 });
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            flex={1}
            miw={200}
            label={words("ruleName", { place: place + 1 })}
            required
            withAsterisk={false}
            maxLength={100}
            readOnly={isReadOnly}
            value={rule.name}
            onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
          />
          {!isReadOnly && (
            <>
              <Button variant="default" disabled={place === 0} onClick={() => onMove(-1)}>
                {words("earlier")}
              </Button>
              <Button variant="default" disabled={isLast} onClick={() => onMove(1)}>
                {words("later")}
              </Button>
              <Button variant="default" onClick={onRemove}>
                {words("removeRule")}
              </Button>
            </>
          )}
        </Group>
        <Textarea
          label={words("when")}
          required
          withAsterisk={false}
          autosize
          minRows={1}
          maxLength={2000}
          spellCheck={false}
          readOnly={isReadOnly}
          styles={{ input: { fontFamily: "monospace" } }}
          value={rule.when}
          onChange={(event) => onChange({ ...rule, when: event.currentTarget.value })}
          error={faults.length > 0 && <Faults condition={rule.when} faults={faults} />}
        />
        <OutcomeFields
          outcome={rule.then}
          isReadOnly={isReadOnly}
          onChange={(then) => onChange({ ...rule, then })}
        />
      </Stack>
    </Paper>
  );
}

/** Each fault with its line and column, and a mark below the place. */
function Faults({ condition, faults }: { condition: string; faults: ConditionFault[] }) {
  const words = usePolicyWords();
  const lines = condition.split("\n");
  return (
    <>
      {faults.map(({ line, column, message }) => (
        <span key={`${line} ${column} ${message}`}>
          <Text component="span" size="sm" display="block">
            {words("fault", { line, column, message })}
          </Text>
          <span className="scrolls" role="region" aria-label={words("faultPlace", { line, column })} tabIndex={0}>
            <Code block>
              {`${lines[line - 1] ?? ""}\n${" ".repeat(Math.max(column - 1, 0))}^`}
            </Code>
          </span>
        </span>
      ))}
    </>
  );
}
