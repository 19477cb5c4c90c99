import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Failure } from "@/parts/failures";
import { workflowsQuery } from "@/rooms/queue/queries";
import { Matrix } from "./Matrix";
import { shadowQuery } from "./queries";
import { usePolicyWords } from "./texts";

/** What the draft would have decided in the workflows that name the policy as their shadow. */
export function Shadows({ policyId }: { policyId: string }) {
  const words = usePolicyWords();
  const workflows = useQuery(workflowsQuery);
  const following = (workflows.data?.workflows ?? []).filter(
    ({ shadowPolicyId }) => shadowPolicyId === policyId,
  );
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("shadow")}
      </Title>
      <Text>{words("shadowLead")}</Text>
      {workflows.isSuccess && following.length === 0 && <Text c="dimmed">{words("noShadow")}</Text>}
      {following.map(({ id, name }) => (
        <Shadow key={id} workflowId={id} name={name} />
      ))}
    </Stack>
  );
}

function Shadow({ workflowId, name }: { workflowId: string; name: string }) {
  const words = usePolicyWords();
  const found = useQuery(shadowQuery(workflowId));
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const shadow = found.data;
  if (!shadow) return null;
  return (
    <Stack component="section" aria-label={name}>
      <Title order={3} size="h5">
        {name}
      </Title>
      <Text>{words("compared", { compared: shadow.compared, changed: shadow.changed })}</Text>
      {shadow.matrix.length > 0 && (
        <Matrix
          label={words("shadowOf", { name })}
          beforeLabel={words("decidedNow")}
          afterLabel={words("draftSays")}
          cells={shadow.matrix.map(({ decided, proposed, verifications }) => ({
            before: decided,
            after: proposed,
            verifications,
          }))}
        />
      )}
    </Stack>
  );
}
