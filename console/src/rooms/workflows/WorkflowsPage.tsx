import { Code, Select, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { components } from "@/api/schema";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { useStepNames } from "@/parts/stepNames";
import { workflowsQuery } from "@/rooms/queue/queries";
import { useWorkflowWords } from "./texts";
import { ThemeEditor } from "./ThemeEditor";

type Workflow = components["schemas"]["WorkflowShape"];
const route = getRouteApi("/shell/workflows");

export function WorkflowsPage() {
  const words = useWorkflowWords();
  const navigate = useNavigate();
  const { workflow: asked } = route.useSearch();
  const found = useQuery(workflowsQuery);
  const all = found.data?.workflows ?? [];
  const shown = all.find(({ id }) => id === asked) ?? all[0];
  return (
    <Stack>
      <Title order={1} size="h2">
        {words("title")}
      </Title>
      {found.isPending && <Skeleton h={240} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && !shown && <Text>{words("none")}</Text>}
      {shown && (
        <>
          <Select
            maw={360}
            label={words("workflow")}
            allowDeselect={false}
            data={all.map(({ id, name, isActive }) => ({
              value: id,
              label: isActive ? name : `${name} (${words("inactive")})`,
            }))}
            value={shown.id}
            onChange={(id) =>
              id && void navigate({ to: "/workflows", search: { workflow: id }, replace: true })
            }
          />
          <Steps workflow={shown} />
          <ThemeEditor key={shown.id} workflowId={shown.id} />
        </>
      )}
    </Stack>
  );
}

function Steps({ workflow }: { workflow: Workflow }) {
  const words = useWorkflowWords();
  const names = useStepNames();
  const steps = workflow.steps.toSorted((one, other) => one.order - other.order);
  return (
    <Stack>
      {workflow.description && <Text>{workflow.description}</Text>}
      <Title order={2} size="h3">
        {words("steps")}
      </Title>
      <PlainTable
        label={words("steps")}
        head={[words("place"), words("step"), words("config")]}
        rows={steps.map((step, place) => ({
          id: step.id,
          cells: [
            place + 1,
            <Stack key="step" gap={0}>
              <Text size="sm">{names(step.type)}</Text>
              <Text size="xs" c="dimmed">
                {step.type}
              </Text>
            </Stack>,
            <Code key="config" className="breaks">
              {JSON.stringify(step.config)}
            </Code>,
          ],
        }))}
      />
    </Stack>
  );
}
