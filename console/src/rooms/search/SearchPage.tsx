import { Button, Code, Group, Select, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type RefObject, useMemo, useRef, useState } from "react";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import { type Column, DataTable, moveChoice } from "@/parts/DataTable";
import { startOf } from "@/parts/days";
import { Failure } from "@/parts/failures";
import { useKeys } from "@/parts/keys";
import { Soon } from "@/parts/Soon";
import { StatusBadge, useStatusText } from "@/parts/StatusBadge";
import { Moment } from "@/parts/time";
import { useLastSearch } from "@/parts/typed";
import { useCommonWords } from "@/texts/common";
import { type SearchFilter, STATUSES, type Status } from "./route";
import { useSearchWords } from "./texts";

type Found = components["schemas"]["ListedVerification"];
const route = getRouteApi("/shell/search");
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const searchQuery = ({ status, from, to, search }: SearchFilter & { search?: string }) =>
  infiniteQueryOptions({
    queryKey: ["search", status, from, to, search],
    queryFn: ({ pageParam, signal }) => {
      const period = {
        createdFrom: from && startOf(from),
        createdBefore: to && startOf(to, 1),
      };
      const page = { limit: 50, ...(pageParam && { cursor: pageParam }) };
      const query = { status, search, ...period, ...page };
      return ask(api.GET("/v1/verifications", { params: { query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });

export function SearchPage() {
  const words = useSearchWords();
  const common = useCommonWords();
  const filter = route.useSearch();
  const navigate = useNavigate();
  const columns = useColumns();
  const [chosen, setChosen] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const [search, setSearch] = useState(useLastSearch("search")[0]);
  const found = useInfiniteQuery(searchQuery({ ...filter, search: search || undefined }));
  const rows = useMemo(
    () => found.data?.pages.flatMap((page) => page.verifications) ?? [],
    [found.data],
  );
  const ids = rows.map((row) => row.id);
  useKeys([
    { key: "/", does: words("focus"), run: () => field.current?.focus() },
    { key: "j", does: words("down"), run: () => moveChoice(ids, chosen, 1) },
    { key: "k", does: words("up"), run: () => moveChoice(ids, chosen, -1) },
  ]);
  return (
    <Stack>
      <Title order={1} size="h2">
        {words("title")}
      </Title>
      <Fields filter={filter} field={field} onText={setSearch} />
      <Soon place="search">
        <Stack>
          {found.isPending && <Skeleton h={240} />}
          {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
          {found.isSuccess && (
            <Text c="dimmed" role="status">
              {countText(words, found.data.pages.at(-1)?.pagination, search)}
            </Text>
          )}
          {rows.length > 0 && (
            <DataTable
              label={words("title")}
              rows={rows}
              columns={columns}
              idOf={(row) => row.id}
              chosen={chosen}
              onChoice={setChosen}
              onOpen={({ id }) => void navigate({ to: "/case/$id", params: { id }, search: {} })}
            />
          )}
          {found.hasNextPage && (
            <Button variant="default" onClick={() => void found.fetchNextPage()}>
              {common("more")}
            </Button>
          )}
        </Stack>
      </Soon>
    </Stack>
  );
}

type Counted = components["schemas"]["SearchPagination"];

/** A search counts what many verifications have in part, and looks for two letters in part. The
 * last page's count has all rows that are shown. */
function countText(words: ReturnType<typeof useSearchWords>, counted?: Counted, search = "") {
  const { total: count = 0, totalIsExact: isExact = true, hasMore = false } = counted ?? {};
  const isShort = search.length < 3;
  if (!isExact && isShort) return words("shortCount", { count });
  // Pages that go on after the newest can be empty.
  if (!isExact && hasMore) return count === 0 ? words("noneYet") : words("moreCount", { count });
  return count === 0 ? words("none") : words("count", { count });
}

interface FieldsProps {
  filter: SearchFilter;
  field: RefObject<HTMLInputElement | null>;
  onText: (text: string) => void;
}

function Fields({ filter, field, onText }: FieldsProps) {
  const words = useSearchWords();
  const statusText = useStatusText();
  const navigate = useNavigate();
  const [lastText, keepText] = useLastSearch("search");
  const [text, setText] = useState(lastText);
  const look = (changes: SearchFilter) =>
    void navigate({ to: "/search", search: { ...filter, ...changes }, replace: true });
  const lookSoon = useDebouncedCallback(
    (value: string) => {
      keepText(value.trim());
      onText(value.trim());
    },
    // Who leaves the room at once finds what was typed or cleared last.
    { delay: 250, flushOnUnmount: true },
  );
  const id = text.trim().toLowerCase();
  const isId = ID.test(id);
  const open = () => {
    if (isId) void navigate({ to: "/case/$id", params: { id }, search: {} });
  };
  return (
    <Group align="flex-end">
      <TextInput
        ref={field}
        flex={1}
        miw={240}
        label={words("field")}
        description={isId ? words("enterOpens") : undefined}
        type="search"
        maxLength={255}
        // What people look for is personal: the browser must not offer it later.
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          lookSoon(event.currentTarget.value);
        }}
        onKeyDown={(event) => event.key === "Enter" && open()}
      />
      <Select
        label={words("status")}
        placeholder={words("anyStatus")}
        clearable
        data={STATUSES.map((value) => ({ value, label: statusText(value) }))}
        value={filter.status ?? null}
        onChange={(status) => look({ status: (status as Status | null) ?? undefined })}
      />
      {(["from", "to"] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          label={words(end)}
          value={filter[end] ?? ""}
          onChange={(event) => look({ [end]: event.currentTarget.value || undefined })}
        />
      ))}
    </Group>
  );
}

function useColumns(): Column<Found>[] {
  const words = useSearchWords();
  return useMemo(
    () => [
      {
        id: "reference",
        header: words("reference"),
        cell: (row) => (
          <Text size="sm" fw={600}>
            {row.externalId ?? "—"}
          </Text>
        ),
      },
      { id: "status", header: words("status"), cell: (row) => <StatusBadge status={row.status} /> },
      { id: "created", header: words("created"), cell: (row) => <Moment at={row.createdAt} /> },
      { id: "id", header: words("id"), isWide: true, cell: (row) => <Code>{row.id}</Code> },
    ],
    [words],
  );
}
