import { Button, Group, Select, Skeleton, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { Moment } from "@/parts/time";
import { useCommonWords } from "@/texts/common";
import { NewMonitor } from "./NewMonitor";
import { monitorsQuery } from "./queries";
import { MONITOR_STATES, type MonitorFilter, OUTCOMES } from "./route";
import { useScreeningWords } from "./texts";

const route = getRouteApi("/shell/screening");

/** People who are screened again every day. The list names no person. */
export function Monitors() {
  const words = useScreeningWords();
  const common = useCommonWords();
  const navigate = useNavigate();
  const { monitors: state, outcome } = route.useSearch();
  const found = useInfiniteQuery(monitorsQuery({ state, outcome }));
  const rows = found.data?.pages.flatMap((page) => page.monitors) ?? [];
  const choose = (changes: { monitors?: MonitorFilter["state"]; outcome?: MonitorFilter["outcome"] }) =>
    void navigate({
      to: "/screening",
      search: { tab: "monitors", monitors: state, outcome, ...changes },
      replace: true,
    });
  return (
    <Stack>
      <Text>{words("monitorsLead")}</Text>
      <Group align="flex-end">
        <Select
          label={words("state")}
          placeholder={words("all")}
          clearable
          data={MONITOR_STATES.map((value) => ({ value, label: words(value) }))}
          value={state ?? null}
          onChange={(value) => choose({ monitors: (value as MonitorFilter["state"]) ?? undefined })}
        />
        <Select
          label={words("outcome")}
          placeholder={words("all")}
          clearable
          data={OUTCOMES.map((value) => ({ value, label: words(value) }))}
          value={outcome ?? null}
          onChange={(value) => choose({ outcome: (value as MonitorFilter["outcome"]) ?? undefined })}
        />
        <NewMonitor />
      </Group>
      {found.isPending && <Skeleton h={240} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Text c="dimmed" role="status">
          {words("monitorsFound", { count: found.data.pages[0]?.pagination.total ?? 0 })}
        </Text>
      )}
      {rows.length > 0 && (
        <PlainTable
          label={words("monitors")}
          head={[
            words("monitor"),
            words("state"),
            words("openMatches"),
            words("screenedAt"),
            words("endsAt"),
          ]}
          rows={rows.map((row) => ({
            id: row.verificationId,
            cells: [
              <RoomLink
                key="monitor"
                to="/screening/monitor/$id"
                params={{ id: row.verificationId }}
                ff="monospace"
                size="sm"
                className="breaks"
              >
                {row.verificationId}
              </RoomLink>,
              words(row.state),
              row.outcome === null ? words("notYet") : row.openMatches,
              row.screenedAt ? <Moment key="screened" at={row.screenedAt} /> : "—",
              <Moment key="ends" at={row.endsAt} />,
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
