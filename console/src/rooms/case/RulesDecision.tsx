import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { RoomLink } from "@/parts/RoomLink";
import { StatusBadge, useStatusText } from "@/parts/StatusBadge";
import { policiesQuery } from "@/rooms/policies/queries";
import { Section } from "./Findings";
import type { Case } from "./queries";
import { useCaseWords } from "./texts";

type Decision = Case["verification"]["decision"];

/** What the rules decided, and by which policy. Members see none; reviewers' decisions are in the history. */
export function RulesDecision({ decision }: { decision: Decision }) {
  const words = useCaseWords();
  if (decision === null) return null;
  return (
    <Section title={words("rulesDecision")}>
      <Group gap="xs">
        <StatusBadge status={decision.status} />
        <Text size="sm" c="dimmed">
          {words("rulesVersion", { version: decision.rules })}
        </Text>
      </Group>
      {decision.policy && <Policy policy={decision.policy} />}
    </Section>
  );
}

function Policy({ policy }: { policy: NonNullable<NonNullable<Decision>["policy"]> }) {
  const words = useCaseWords();
  const statusText = useStatusText();
  const { data: policies } = useQuery(policiesQuery);
  const { id, version, rule, queue, withoutPolicy } = policy;
  // A policy without a published version decides nothing.
  if (id === null) return null;
  const name = policies?.find((each) => each.id === id)?.name ?? id.slice(0, 8);
  return (
    <>
      <Text size="sm">
        <RoomLink to="/policies" search={{ policy: id }} size="sm">
          {words("policyVersion", { name, version })}
        </RoomLink>
        {": "}
        {rule === null ? words("otherwise") : words("byRule", { rule })}
      </Text>
      {queue !== null && <Text size="sm">{words("policyQueue", { queue })}</Text>}
      <Text size="sm" c="dimmed">
        {words("withoutPolicy", { what: statusText(withoutPolicy) })}
      </Text>
    </>
  );
}
