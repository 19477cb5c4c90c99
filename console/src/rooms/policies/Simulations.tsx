import { Alert, Button, Group, Progress, Select, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Chart } from "@/parts/Chart";
import { Failure } from "@/parts/failures";
import { Figures } from "@/parts/Figures";
import { PlainTable } from "@/parts/PlainTable";
import { Moment } from "@/parts/time";
import { workflowsQuery } from "@/rooms/queue/queries";
import { useCommonWords } from "@/texts/common";
import { Matrix } from "./Matrix";
import {
  cancelSimulation,
  simulate,
  type Simulation,
  simulationQuery,
  simulationsQuery,
  type Version,
} from "./queries";
import { usePolicyWords } from "./texts";

const route = getRouteApi("/shell/policies");

interface Props {
  policyId: string;
  versions: Version[];
  mayBegin: boolean;
}

/** Try a version on past verifications, and read the former simulations again. */
export function Simulations({ policyId, versions, mayBegin }: Props) {
  const words = usePolicyWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const workflows = useQuery(workflowsQuery);
  const { simulation: shown } = route.useSearch();
  const newest = versions[0]?.version ?? 1;
  const [version, setVersion] = useState(newest);
  const [workflowId, setWorkflowId] = useState<string | null>(null);
  const show = (simulation: string) =>
    void navigate({ to: "/policies", search: { policy: policyId, simulation }, replace: true });
  const begin = useMutation({
    mutationFn: () => simulate(policyId, version, workflowId),
    onSuccess: ({ id }) => show(id),
    onSettled: () => queries.invalidateQueries({ queryKey: simulationsQuery(policyId).queryKey }),
  });
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("simulation")}
      </Title>
      <Text>{words("simulationLead")}</Text>
      {mayBegin && (
        <Group align="flex-end">
          <Select
            label={words("version")}
            allowDeselect={false}
            data={versions.map((each) => String(each.version))}
            value={String(version)}
            onChange={(value) => value && setVersion(Number(value))}
          />
          <Select
            label={words("workflow")}
            placeholder={words("all")}
            clearable
            data={(workflows.data?.workflows ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={workflowId}
            onChange={setWorkflowId}
          />
          <Button loading={begin.isPending} onClick={() => begin.mutate()}>
            {words("simulate")}
          </Button>
        </Group>
      )}
      {shown && <Result key={shown} policyId={policyId} id={shown} mayCancel={mayBegin} />}
      <Former policyId={policyId} shown={shown} mayCancel={mayBegin} onShow={show} />
    </Stack>
  );
}

interface FormerProps {
  policyId: string;
  shown: string | undefined;
  mayCancel: boolean;
  onShow: (id: string) => void;
}

function Former({ policyId, shown, mayCancel, onShow }: FormerProps) {
  const words = usePolicyWords();
  const common = useCommonWords();
  const workflows = useQuery(workflowsQuery).data?.workflows ?? [];
  const found = useInfiniteQuery(simulationsQuery(policyId));
  const rows = found.data?.pages.flatMap((page) => page.simulations) ?? [];
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  if (rows.length === 0) return null;
  return (
    <>
      <Title order={3} size="h5">
        {words("simulations")}
      </Title>
      <PlainTable
        label={words("simulations")}
        head={[
          words("begun"),
          words("version"),
          words("workflow"),
          words("evaluated"),
          words("changed"),
          words("acts"),
        ]}
        rows={rows.map(({ id, createdAt, version, filters, evaluated, changed, status }) => ({
          id,
          cells: [
            <Moment key="begun" at={createdAt} />,
            version,
            workflows.find((each) => each.id === filters.workflowId)?.name ??
              (filters.workflowId === null ? words("all") : "—"),
            evaluated,
            changed,
            status === "DONE" ? (
              <Button
                key="show"
                size="xs"
                variant="default"
                disabled={id === shown}
                onClick={() => onShow(id)}
              >
                {words("show")}
              </Button>
            ) : (
              <Group key="status" gap="xs">
                <Text size="sm">{words(status === "RUNNING" ? "running" : "unfinished")}</Text>
                {status === "RUNNING" && mayCancel && id !== shown && <Cancel policyId={policyId} id={id} />}
              </Group>
            ),
          ],
        }))}
      />
      {found.hasNextPage && (
        <Button variant="default" w="fit-content" onClick={() => void found.fetchNextPage()}>
          {common("more")}
        </Button>
      )}
    </>
  );
}

function Cancel({ policyId, id }: { policyId: string; id: string }) {
  const words = usePolicyWords();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelSimulation(policyId, id),
    onSettled: () => queries.invalidateQueries({ queryKey: simulationsQuery(policyId).queryKey }),
  });
  return (
    <Button size="xs" variant="default" w="fit-content" loading={cancel.isPending} onClick={() => cancel.mutate()}>
      {words("cancel")}
    </Button>
  );
}

interface ResultProps {
  policyId: string;
  id: string;
  mayCancel: boolean;
}

function Result({ policyId, id, mayCancel }: ResultProps) {
  const words = usePolicyWords();
  const found = useQuery(simulationQuery(policyId, id));
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const simulation = found.data;
  if (simulation === undefined || simulation.status === "RUNNING") {
    const share = ((simulation?.processed ?? 0) / (simulation?.total || 1)) * 100;
    return (
      <Stack gap="xs">
        <Progress.Root aria-label={words("running")}>
          <Progress.Section value={share} aria-label={words("running")} animated />
        </Progress.Root>
        {simulation && mayCancel && <Cancel policyId={policyId} id={id} />}
      </Stack>
    );
  }
  if (simulation.status !== "DONE") {
    return (
      <Alert color="orange" variant="outline">
        {words("cancelled")}
      </Alert>
    );
  }
  return <Outcome simulation={simulation} />;
}

function Outcome({ simulation }: { simulation: Simulation }) {
  const words = usePolicyWords();
  const reviewed = simulation.reviewed.reduce((sum, { verifications }) => sum + verifications, 0);
  const figures: [string, number][] = [
    [words("evaluated"), simulation.evaluated],
    [words("changed"), simulation.changed],
    [words("withoutResult"), simulation.withoutResult],
    [words("notEvaluated"), simulation.processed - simulation.evaluated],
  ];
  return (
    <Stack role="status">
      <Figures figures={figures} />
      {simulation.matrix.length > 0 && (
        <Matrix
          label={words("outcomes")}
          beforeLabel={words("decidedThen")}
          afterLabel={words("simulated")}
          cells={simulation.matrix.map(({ decided, simulated, verifications }) => ({
            before: decided,
            after: simulated,
            verifications,
          }))}
        />
      )}
      {reviewed > 0 && (
        <>
          <Text>
            {words("agreement", {
              total: reviewed,
              before: simulation.agreedBefore,
              after: simulation.agreedSimulated,
            })}
          </Text>
          <Chart
            label={words("agreementChart")}
            by="which"
            horizontal
            data={[
              { which: words("decidedThen"), agreed: simulation.agreedBefore },
              { which: words("simulated"), agreed: simulation.agreedSimulated },
            ]}
            series={[{ name: "agreed", label: words("agreementChart"), color: "indigo.6" }]}
          />
        </>
      )}
    </Stack>
  );
}
