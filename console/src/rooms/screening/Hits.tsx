import { Badge, Button, Group, Select, Skeleton, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useReviewerName } from "@/api/reviewers";
import { useSession } from "@/api/session";
import { type Column, DataTable, moveChoice } from "@/parts/DataTable";
import { Failure } from "@/parts/failures";
import { useKeys } from "@/parts/keys";
import { usePercent } from "@/parts/numbers";
import { Age } from "@/parts/time";
import { useCommonWords } from "@/texts/common";
import { type HitSummary, hitsQuery } from "./queries";
import { HIT_STATES, type HitFilter, HOLDERS } from "./route";
import { useScreeningWords } from "./texts";

const route = getRouteApi("/shell/screening");

/** Matches with watchlists that somebody has to decide. */
export function Hits() {
  const words = useScreeningWords();
  const common = useCommonWords();
  const navigate = useNavigate();
  const { state, assigned } = route.useSearch();
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useInfiniteQuery(hitsQuery({ state, assigned }));
  const columns = useColumns();
  const rows = useMemo(() => found.data?.pages.flatMap((page) => page.matches) ?? [], [found.data]);
  const ids = rows.map((row) => row.id);
  useKeys([
    { key: "j", does: words("down"), run: () => moveChoice(ids, chosen, 1) },
    { key: "k", does: words("up"), run: () => moveChoice(ids, chosen, -1) },
  ]);
  const choose = (changes: HitFilter) => {
    const search = { state, assigned, ...changes };
    void navigate({ to: "/screening", search, replace: true });
  };
  return (
    <Stack>
      <Group>
        <Select
          label={words("state")}
          placeholder={words("waiting")}
          clearable
          data={HIT_STATES.map((value) => ({ value, label: words(value) }))}
          value={state ?? null}
          onChange={(value) => choose({ state: (value as HitFilter["state"]) ?? undefined })}
        />
        <Select
          label={words("assigned")}
          placeholder={words("all")}
          clearable
          data={HOLDERS.map((value) => ({ value, label: words(value) }))}
          value={assigned ?? null}
          onChange={(value) => choose({ assigned: (value as HitFilter["assigned"]) ?? undefined })}
        />
      </Group>
      {found.isPending && <Skeleton h={240} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Text c="dimmed" role="status">
          {words("count", { count: found.data.pages[0]?.pagination.total ?? 0 })}
        </Text>
      )}
      {rows.length > 0 && (
        <DataTable
          label={words("hits")}
          rows={rows}
          columns={columns}
          idOf={(row) => row.id}
          chosen={chosen}
          onChoice={setChosen}
          onOpen={({ id }) => void navigate({ to: "/screening/hit/$id", params: { id } })}
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

function useColumns(): Column<HitSummary>[] {
  const words = useScreeningWords();
  const percent = usePercent();
  const { user } = useSession();
  const nameOf = useReviewerName();
  return useMemo(
    () => [
      {
        id: "entry",
        header: words("entry"),
        cell: (row) => (
          <Stack gap={4} align="flex-start">
            <Text size="sm" fw={600}>
              {row.entryName}
            </Text>
            {row.proposalId && (
              <Badge color="grape.9" tt="none">
                {words("proposed")}
              </Badge>
            )}
          </Stack>
        ),
      },
      { id: "list", header: words("list"), cell: (row) => <Text size="sm">{row.list}</Text> },
      { id: "score", header: words("score"), cell: (row) => percent(row.score) },
      { id: "state", header: words("state"), cell: (row) => words(row.state) },
      {
        id: "opened",
        header: words("waits"),
        isWide: true,
        cell: (row) => <Age since={row.openedAt} />,
      },
      {
        id: "holder",
        header: words("assigned"),
        isWide: true,
        cell: (row) => {
          if (row.claimedBy === null) return "—";
          if (row.claimedBy === user.id) return words("me");
          return nameOf(row.claimedBy) ?? words("somebody");
        },
      },
    ],
    [words, percent, user.id, nameOf],
  );
}
