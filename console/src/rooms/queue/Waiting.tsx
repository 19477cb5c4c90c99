import { Badge, Stack, Text } from "@mantine/core";
import type { ReviewItem } from "@/api/contract";
import { COLOURS } from "@/app/theme";
import { Age, ageText, useNow } from "@/parts/time";
import { useLanguage } from "@/texts";
import { useQueueWords } from "./texts";

/** The share of the time until the deadline from which it is near. */
const NEAR = 0.75;

/** How long a verification waits, and how long until its deadline, if the organization has one. */
export function Waiting({ row }: { row: ReviewItem }) {
  const words = useQueueWords();
  const language = useLanguage();
  const now = useNow();
  const since = Date.parse(row.waitingSince);
  const deadline = row.deadline === null ? Number.POSITIVE_INFINITY : Date.parse(row.deadline);
  // It may pass before the queue is read again.
  const isOverdue = row.overdue || now >= deadline;
  const isNear = !isOverdue && now >= since + NEAR * (deadline - since);
  return (
    <Stack gap={4} align="flex-start">
      <Age since={row.waitingSince} isLate={isOverdue} />
      {(isOverdue || isNear) && (
        <Badge color={isOverdue ? COLOURS.bad : COLOURS.doubtful} tt="none">
          {isOverdue
            ? words("overdue")
            : words("timeLeft", { time: ageText((deadline - now) / 1000, language) })}
        </Badge>
      )}
      {row.deadline !== null && !isOverdue && !isNear && (
        <Text size="xs" c="dimmed">
          {words("timeLeft", { time: ageText((deadline - now) / 1000, language) })}
        </Text>
      )}
    </Stack>
  );
}
