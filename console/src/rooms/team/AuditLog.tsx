import { Alert, Button, Code, Select, Skeleton, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api, ask } from "@/api/client";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { Moment } from "@/parts/time";
import { useCommonWords } from "@/texts/common";
import { useActionNames } from "./actionNames";
import { AuditDetails } from "./AuditDetails";
import { auditQuery } from "./queries";
import { useResourceNames, useWho } from "./resourceNames";
import { useTeamWords } from "./texts";

const HASH_SHOWN = 12;
const route = getRouteApi("/shell/team");

export function AuditLog() {
  const words = useTeamWords();
  const common = useCommonWords();
  const navigate = useNavigate();
  const { action } = route.useSearch();
  const { nameOf, all } = useActionNames();
  const kindOf = useResourceNames();
  const who = useWho();
  const found = useInfiniteQuery(auditQuery(action));
  const rows = found.data?.pages.flatMap((page) => page.auditLogs) ?? [];
  const look = (value: string | null) =>
    void navigate({ to: "/team", search: { tab: "audit", action: value ?? undefined }, replace: true });
  return (
    <Stack>
      <Text>{words("auditLead")}</Text>
      <VerifyChain />
      <Select
        maw={420}
        label={words("action")}
        placeholder={words("anyAction")}
        searchable
        clearable
        data={all}
        value={action ?? null}
        onChange={look}
      />
      {found.isPending && <Skeleton h={240} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Text c="dimmed" role="status">
          {words("entries", { count: found.data.pages[0]?.pagination.total ?? 0 })}
        </Text>
      )}
      {rows.length > 0 && (
        <PlainTable
          label={words("audit")}
          head={[
            words("position"),
            words("when"),
            words("action"),
            words("actor"),
            words("resource"),
            words("details"),
            words("hash"),
          ]}
          rows={rows.map((entry) => ({
            id: entry.id,
            cells: [
              entry.position ?? "…",
              <Moment key="at" at={entry.createdAt} />,
              <Text key="action" size="sm" title={entry.action}>
                {nameOf(entry.action)}
              </Text>,
              <Id
                key="actor"
                kind={actorText(words, entry.actor.type)}
                id={entry.actor.id}
                name={who(entry.actor.id)}
              />,
              <Id
                key="resource"
                kind={kindOf(entry.resourceType)}
                id={entry.resourceId}
                name={who(entry.resourceId)}
              />,
              <AuditDetails key="details" details={entry.details} who={who} />,
              <Code key="hash" title={entry.hash ?? undefined}>
                {entry.hash?.slice(0, HASH_SHOWN) ?? "…"}
              </Code>,
            ],
          }))}
        />
      )}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()}>
          {common("more")}
        </Button>
      )}
    </Stack>
  );
}

const ACTORS = ["client", "user", "service", "link", "holder"] as const;

function actorText(words: ReturnType<typeof useTeamWords>, type: string) {
  const known = ACTORS.find((each) => each === type);
  return known ? words(known) : type;
}

/** Check that no entry was changed, removed or inserted. */
function VerifyChain() {
  const words = useTeamWords();
  const check = useMutation({ mutationFn: () => ask(api.POST("/v1/audit-logs/verify")) });
  const found = check.data;
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
        {words("verifyChain")}
      </Button>
      {found && (
        <Alert
          variant="outline"
          color={found.sound ? "teal" : "red"}
          role={found.sound ? "status" : "alert"}
        >
          {found.sound
            ? words("chainSound", { count: found.entries })
            : words("chainBroken", { position: found.badPosition, fault: found.fault })}
        </Alert>
      )}
    </Stack>
  );
}

interface IdProps {
  kind: string;
  id: string | null;
  /** Undefined: it has none, or is no longer there. */
  name: string | undefined;
}

function Id({ kind, id, name }: IdProps) {
  return (
    <Text size="sm" title={id ?? undefined}>
      {kind} {name ?? (id !== null && <Code>{id.slice(0, 8)}</Code>)}
    </Text>
  );
}
