import { Badge, Button, Code, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { PlainTable } from "@/parts/PlainTable";
import { Moment } from "@/parts/time";
import { COLOURS } from "@/app/theme";
import { policyQuery, type Policy, publish, type Version } from "./queries";
import { usePolicyWords } from "./texts";

const STATES = {
  DRAFT: COLOURS.doubtful,
  PUBLISHED: COLOURS.good,
  RETIRED: COLOURS.neutral,
} as const;
const DIGEST_SHOWN = 12;

/** All versions of a policy; the draft can be published. */
export function Versions({ policy, mayPublish }: { policy: Policy; mayPublish: boolean }) {
  const words = usePolicyWords();
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("versions")}
      </Title>
      <PlainTable
        label={words("versions")}
        head={[words("version"), words("state"), words("rules"), words("digest"), words("since"), words("acts")]}
        rows={policy.versions.map((version) => ({
          id: String(version.version),
          cells: [
            version.version,
            <Badge key="state" color={STATES[version.status]} tt="none">
              {words(version.status)}
            </Badge>,
            version.rules.length,
            <Code key="digest" title={version.digest}>
              {version.digest.slice(0, DIGEST_SHOWN)}
            </Code>,
            <Moment key="since" at={version.publishedAt ?? version.createdAt} />,
            mayPublish && version.status === "DRAFT" ? (
              <Publish key="publish" policyId={policy.id} version={version} />
            ) : (
              <Text key="none" size="sm">
                —
              </Text>
            ),
          ],
        }))}
      />
    </Stack>
  );
}

function Publish({ policyId, version }: { policyId: string; version: Version }) {
  const words = usePolicyWords();
  const queries = useQueryClient();
  const act = useMutation({
    // The digest of what is shown: a draft that changed meanwhile is not published.
    mutationFn: () => publish(policyId, version.digest),
    onSuccess: () => notifications.show({ message: words("published") }),
    onSettled: () => queries.invalidateQueries({ queryKey: policyQuery(policyId).queryKey }),
  });
  return (
    <Button size="xs" loading={act.isPending} onClick={() => act.mutate()}>
      {words("publish")}
    </Button>
  );
}
