import { Alert, Button, Group, Progress, Select, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Chart } from "@/parts/Chart";
import { Failure } from "@/parts/failures";
import { Figures } from "@/parts/Figures";
import { workflowsQuery } from "@/rooms/queue/queries";
import { Matrix } from "./Matrix";
import { simulate, type Simulation, simulationQuery, type Version } from "./queries";
import { usePolicyWords } from "./texts";

/** Try a version on past verifications. */
export function Simulations({ policyId, versions }: { policyId: string; versions: Version[] }) {
  const words = usePolicyWords();
  const workflows = useQuery(workflowsQuery);
  const newest = versions[0]?.version ?? 1;
  const [version, setVersion] = useState(newest);
  const [workflowId, setWorkflowId] = useState<string | null>(null);
  const begin = useMutation({ mutationFn: () => simulate(policyId, version, workflowId) });
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("simulation")}
      </Title>
      <Text>{words("simulationLead")}</Text>
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
      {begin.data && <Result key={begin.data.id} policyId={policyId} id={begin.data.id} />}
    </Stack>
  );
}

function Result({ policyId, id }: { policyId: string; id: string }) {
  const words = usePolicyWords();
  const found = useQuery(simulationQuery(policyId, id));
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const simulation = found.data;
  if (simulation === undefined || simulation.status === "RUNNING") {
    const share = ((simulation?.processed ?? 0) / (simulation?.total || 1)) * 100;
    return <Progress.Root aria-label={words("running")}><Progress.Section value={share} aria-label={words("running")} animated /></Progress.Root>;
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
