import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { personFlow } from "./screens";
import type { DraftStep } from "./queries";
import { useWorkflowWords } from "./texts";

/** The screens of the person who goes through these steps, as they are being edited. */
export function PersonFlow({ steps }: { steps: readonly DraftStep[] }) {
  const words = useWorkflowWords();
  const shown = personFlow(steps);
  return (
    <Stack component="section" aria-label={words("personFlow")}>
      <Title order={2} size="h3">
        {words("personFlow")}
      </Title>
      <Text>{words("personFlowLead")}</Text>
      <Group component="ol" role="list" gap="sm" align="stretch" m={0} p={0}>
        {shown.map(({ screen, when }, place) => (
          <Paper key={screen} component="li" withBorder p="sm" w={150} radius="lg" className="card">
            <Text size="xs" c="dimmed">
              {place + 1}
            </Text>
            <Text size="sm" fw={600}>
              {words(`screen_${screen}`)}
            </Text>
            <Text size="xs">{words(`screenLead_${screen}`)}</Text>
            {when !== null && (
              <Text size="xs" c="dimmed" className="breaks-anywhere">
                {words("onlyWhen", { when })}
              </Text>
            )}
          </Paper>
        ))}
      </Group>
    </Stack>
  );
}
