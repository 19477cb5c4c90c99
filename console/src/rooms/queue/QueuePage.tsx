import { Badge, Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { ReviewFilter, ReviewItem } from "@/api/contract";
import { useSession } from "@/api/session";
import { COLOURS } from "@/app/theme";
import { type Column, DataTable, moveChoice } from "@/parts/DataTable";
import { Failure } from "@/parts/failures";
import { useKeys } from "@/parts/keys";
import { ReasonText } from "@/parts/reasons";
import { Soon } from "@/parts/Soon";
import { useCommonWords } from "@/texts/common";
import { notifications } from "@mantine/notifications";
import { Filters } from "./Filters";
import { claimNext, release, reviewsQuery, useQueueEvents } from "./queries";
import { useQueueWords } from "./texts";
import { Waiting } from "./Waiting";

const route = getRouteApi("/shell/");
const MOST_REASONS = 3;

export function QueuePage() {
  const words = useQueueWords();
  const common = useCommonWords();
  const filter = route.useSearch();
  const [chosen, setChosen] = useState<string | null>(null);
  const columns = useColumns();
  const reviews = useInfiniteQuery(reviewsQuery(filter));
  const { open, openNext, letGo } = useActs(filter);
  useQueueEvents();

  const rows = useMemo(() => reviews.data?.pages.flatMap((page) => page.items) ?? [], [reviews.data]);
  const ids = rows.map((row) => row.verificationId);
  const held = rows.find((row) => row.verificationId === chosen);
  useKeys([
    { key: "n", does: words("claimNext"), run: () => openNext.mutate() },
    { key: "j", does: words("down"), run: () => moveChoice(ids, chosen, 1) },
    { key: "k", does: words("up"), run: () => moveChoice(ids, chosen, -1) },
    { key: "Enter", does: words("open"), run: () => {} },
    { key: "r", does: words("releaseChosen"), run: () => held?.assignee && letGo.mutate(held) },
  ]);

  const total = reviews.data?.pages[0]?.total ?? 0;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Title order={1} size="h2">
            {words("title")}
          </Title>
          <Text c="dimmed" role="status" aria-live="polite">
            {reviews.isSuccess ? words("count", { count: total }) : " "}
          </Text>
        </div>
        <Button onClick={() => openNext.mutate()} loading={openNext.isPending}>
          {words("claimNext")} (n)
        </Button>
      </Group>
      <Soon place="queue">
        <Stack>
          <Filters filter={filter} />
          {reviews.isPending && <Skeleton h={240} />}
          {reviews.isError && <Failure fault={reviews.error} onRetry={() => void reviews.refetch()} />}
          {reviews.isSuccess && rows.length === 0 && (
            <Text>{words(isFiltered ? "noneOfFilter" : "none")}</Text>
          )}
          {rows.length > 0 && (
            <DataTable
              label={words("title")}
              rows={rows}
              columns={columns}
              idOf={(row) => row.verificationId}
              chosen={chosen}
              onChoice={setChosen}
              onOpen={(row) => open(row.verificationId)}
            />
          )}
          {reviews.hasNextPage && (
            <Button variant="default" onClick={() => void reviews.fetchNextPage()}>
              {common("more")}
            </Button>
          )}
        </Stack>
      </Soon>
    </Stack>
  );
}

function useActs(filter: ReviewFilter) {
  const words = useQueueWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  // The case claims it.
  const open = (id: string) => void navigate({ to: "/case/$id", params: { id }, search: filter });
  const openNext = useMutation({
    mutationFn: () => claimNext(filter),
    onSuccess: (item) => {
      if (item) open(item.verificationId);
      else notifications.show({ message: words("none") });
    },
  });
  const letGo = useMutation({
    mutationFn: (row: ReviewItem) => release(row.verificationId),
    onSettled: () => queries.invalidateQueries({ queryKey: ["reviews"] }),
  });
  return { open, openNext, letGo };
}

function useColumns(): Column<ReviewItem>[] {
  const words = useQueueWords();
  const { user } = useSession();
  return useMemo(
    () => [
      {
        id: "reference",
        header: words("externalId"),
        cell: (row) => (
          <Stack gap={4} align="flex-start">
            <Text size="sm" fw={600}>
              {row.externalId ?? words("unnamed")}
            </Text>
            {row.proposal && (
              <Badge color={COLOURS.proposed} tt="none">
                {words("proposal")}
              </Badge>
            )}
          </Stack>
        ),
      },
      {
        id: "why",
        header: words("why"),
        cell: (row) => (
          <Stack gap={0}>
            {row.reasons.length === 0 && row.rule === null && (
              <Text size="sm" c="dimmed">
                {words("byHand")}
              </Text>
            )}
            {row.reasons.slice(0, MOST_REASONS).map((reason) => (
              <ReasonText key={reason.code} code={reason.code} lines={2} />
            ))}
            {row.rule !== null && (
              <Text size="sm" c="dimmed" lineClamp={2}>
                {words("byRule", { rule: row.rule })}
              </Text>
            )}
          </Stack>
        ),
      },
      {
        id: "queue",
        header: words("queue"),
        isWide: true,
        cell: (row) => <Text size="sm">{row.queue ?? "—"}</Text>,
      },
      {
        id: "workflow",
        header: words("workflow"),
        isWide: true,
        cell: (row) => <Text size="sm">{row.workflow.name}</Text>,
      },
      {
        id: "waiting",
        header: words("waiting"),
        cell: (row) => <Waiting row={row} />,
      },
      {
        id: "assignee",
        header: words("assignee"),
        isWide: true,
        cell: (row) => (
          <Text size="sm">
            {row.assignee === null
              ? "—"
              : row.assignee.id === user.id
                ? words("me")
                : row.assignee.name || words("somebody")}
          </Text>
        ),
      },
    ],
    [words, user.id],
  );
}
