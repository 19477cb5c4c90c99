import { Badge, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { Failure } from "@/parts/failures";
import { usePercent } from "@/parts/numbers";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { Moment } from "@/parts/time";
import { monitorQuery } from "./queries";
import { useScreeningWords } from "./texts";

type Monitor = components["schemas"]["MonitorShape"];
const route = getRouteApi("/shell/screening/monitor/$id");

/** A monitored person: what was found, and since when. */
export function MonitorPage() {
  const words = useScreeningWords();
  const queries = useQueryClient();
  const { id } = route.useParams();
  const found = useQuery(monitorQuery(id));
  const stop = useMutation({
    mutationFn: (fullName: string) =>
      ask(
        api.POST("/v1/aml/monitor", { body: { verificationId: id, fullName, enabled: false } }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["monitors"] });
      return queries.invalidateQueries({ queryKey: ["monitor", id] });
    },
  });
  if (found.isPending) return <Skeleton h={320} />;
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const monitor = found.data;
  return (
    <Stack>
      <RoomLink to="/screening" search={{ tab: "monitors" }} w="fit-content">
        {words("back")}
      </RoomLink>
      <Title order={1} size="h2">
        {monitor.fullName}
      </Title>
      <Group>
        <Badge color={monitor.monitoring ? "teal.9" : "gray.7"} tt="none">
          {words(monitor.state)}
        </Badge>
        <Text>
          {words("startedAt")} <Moment at={monitor.startedAt} /> · {words("endsAt")}{" "}
          <Moment at={monitor.endsAt} />
        </Text>
        <RoomLink to="/case/$id" params={{ id }} search={{}}>
          {words("toCase")}
        </RoomLink>
        {monitor.monitoring && (
          <ConfirmButton
            text={words("endMonitor")}
            question={words("endMonitorQuestion")}
            loading={stop.isPending}
            onConfirm={() => stop.mutate(monitor.fullName)}
          />
        )}
      </Group>
      <Matches monitor={monitor} />
      <Outcomes monitor={monitor} />
    </Stack>
  );
}

function Matches({ monitor }: { monitor: Monitor }) {
  const words = useScreeningWords();
  const percent = usePercent();
  const stateOf = ({ goneAt, dismissed }: Monitor["matches"][number]) =>
    words(goneAt !== null ? "gone" : dismissed ? "false_hit" : "open");
  return (
    <>
      <Title order={2} size="h3">
        {words("alerts")}
      </Title>
      {monitor.screenedAt === null && <Text>{words("notScreened")}</Text>}
      {monitor.screenedAt !== null && monitor.matches.length === 0 && <Text>{words("noAlert")}</Text>}
      {monitor.matches.length > 0 && (
        <PlainTable
          label={words("alerts")}
          head={[words("entry"), words("list"), words("score"), words("state"), words("firstSeen")]}
          rows={monitor.matches.map((match) => ({
            id: match.id,
            cells: [
              match.matchId === null ? (
                match.name
              ) : (
                <RoomLink key="hit" to="/screening/hit/$id" params={{ id: match.matchId }}>
                  {match.name}
                </RoomLink>
              ),
              match.list,
              percent(match.score),
              stateOf(match),
              <Moment key="seen" at={match.firstSeenAt} />,
            ],
          }))}
        />
      )}
    </>
  );
}

function Outcomes({ monitor }: { monitor: Monitor }) {
  const words = useScreeningWords();
  if (monitor.history.length === 0) return null;
  return (
    <>
      <Title order={2} size="h3">
        {words("history")}
      </Title>
      <PlainTable
        label={words("history")}
        head={[words("when"), words("outcome"), words("openMatches"), words("cause")]}
        rows={monitor.history.map((change) => ({
          id: change.at,
          cells: [
            <Moment key="at" at={change.at} />,
            words(change.outcome),
            change.matches,
            words(`cause_${change.cause}` as "cause_daily"),
          ],
        }))}
      />
    </>
  );
}
