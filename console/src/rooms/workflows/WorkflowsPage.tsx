import { Button, Group, Select, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { covers, useSession } from "@/api/session";
import { Failure } from "@/parts/failures";
import { Soon } from "@/parts/Soon";
import { workflowsQuery } from "@/rooms/queue/queries";
import { draftOf } from "./queries";
import { useWorkflowWords } from "./texts";
import { ThemeEditor } from "./ThemeEditor";
import { WorkflowEditor } from "./WorkflowEditor";

const NEW = "new";
const route = getRouteApi("/shell/workflows");

export function WorkflowsPage() {
  const words = useWorkflowWords();
  const navigate = useNavigate();
  const { workflow: asked } = route.useSearch();
  const mayChange = covers(useSession().user.role, "ADMIN");
  const found = useQuery(workflowsQuery);
  const all = found.data?.workflows ?? [];
  const isNew = asked === NEW && mayChange;
  const shown = isNew ? undefined : (all.find(({ id }) => id === asked) ?? all[0]);
  const open = (workflow: string) =>
    void navigate({ to: "/workflows", search: { workflow }, replace: true });
  return (
    <Stack>
      <Title order={1} size="h2">
        {words("title")}
      </Title>
      {found.isPending && <Skeleton h={240} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && !shown && !isNew && <Text>{words("none")}</Text>}
      {found.isSuccess && (
        <Group align="flex-end">
          {all.length > 0 && (
            <Select
              w={360}
              label={words("workflow")}
              placeholder={words("newWorkflow")}
              allowDeselect={false}
              data={all.map(({ id, name, isActive }) => ({
                value: id,
                label: isActive ? name : `${name} (${words("inactive")})`,
              }))}
              value={shown?.id ?? null}
              onChange={(id) => id && open(id)}
            />
          )}
          {mayChange && (
            <Button variant="default" disabled={isNew} onClick={() => open(NEW)}>
              {words("newWorkflow")}
            </Button>
          )}
        </Group>
      )}
      <Soon place="workflows">
        <Stack>
          {isNew && <WorkflowEditor key={NEW} workflow={null} onSaved={open} />}
          {shown && (
            <>
              <WorkflowEditor key={shown.id} workflow={shown} onSaved={open} />
              <ThemeEditor
                key={`theme ${shown.id}`}
                workflowId={shown.id}
                steps={draftOf(shown).steps}
              />
            </>
          )}
        </Stack>
      </Soon>
    </Stack>
  );
}
