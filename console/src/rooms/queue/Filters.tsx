import {
  ActionIcon,
  Button,
  Divider,
  Group,
  Popover,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { memo, useState } from "react";
import { api, ask } from "@/api/client";
import type { ReviewFilter, SavedFilter } from "@/api/contract";
import { useColleagues } from "@/api/reviewers";
import { ALL_CODES, useReasonWords } from "@/parts/reasons";
import { useCommonWords } from "@/texts/common";
import { filtersQuery, queuesQuery, workflowsQuery } from "./queries";
import { useQueueWords } from "./texts";

const AGES = ["1", "4", "24", "72"];
const OVERDUE = "overdue";

/** What of the queue is shown. The address holds it, so that a reload and a link keep it. */
export const Filters = memo(function Filters({ filter }: { filter: ReviewFilter }) {
  const words = useQueueWords();
  const reasonWords = useReasonWords();
  const navigate = useNavigate();
  const workflows = useQuery(workflowsQuery);
  const colleagues = useColleagues();
  const queues = useQuery(queuesQuery).data?.queues ?? [];
  const names = queues.map(({ name }) => name);
  // One of a link or a saved filter, in which nothing waits now.
  if (filter.queue !== undefined && !names.includes(filter.queue)) names.push(filter.queue);
  // On a phone, the queue is seen before its filters.
  const [isOpen, setOpen] = useState(false);
  const choose = (changes: ReviewFilter) => {
    void navigate({ to: "/", search: { ...filter, ...changes }, replace: true });
  };
  return (
    <>
      <Button
        variant="default"
        hiddenFrom="sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words("filters")}
      </Button>
      <Group gap="xs" align="flex-end" visibleFrom={isOpen ? undefined : "sm"}>
        <SegmentedControl
          aria-label={words("assignee")}
          value={filter.assignee ?? ""}
          onChange={(assignee) => choose({ assignee: assignee || undefined })}
          data={[
            { value: "", label: words("everybody") },
            { value: "none", label: words("nobody") },
            { value: "me", label: words("mine") },
          ]}
        />
        {colleagues.length > 0 && (
          <Select
            aria-label={words("heldBy")}
            placeholder={words("heldBy")}
            clearable
            searchable
            data={colleagues.map(({ id, name }) => ({ value: id, label: name }))}
            value={colleagues.find(({ id }) => id === filter.assignee)?.id ?? null}
            onChange={(assignee) => choose({ assignee: assignee ?? undefined })}
          />
        )}
        <Select
          aria-label={words("workflow")}
          placeholder={words("allWorkflows")}
          clearable
          data={(workflows.data?.workflows ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.workflowId ?? null}
          onChange={(workflowId) => choose({ workflowId: workflowId ?? undefined })}
        />
        {names.length > 0 && (
          <Select
            aria-label={words("queue")}
            placeholder={words("allQueues")}
            clearable
            data={names}
            value={filter.queue ?? null}
            onChange={(queue) => choose({ queue: queue ?? undefined })}
          />
        )}
        <Select
          aria-label={words("why")}
          placeholder={words("allReasons")}
          clearable
          searchable
          w={280}
          data={ALL_CODES.map((value) => ({ value, label: reasonWords(value).meaning }))}
          value={filter.reason ?? null}
          onChange={(reason) => choose({ reason: reason ?? undefined })}
        />
        <Select
          aria-label={words("age")}
          placeholder={words("anyAge")}
          clearable
          w={190}
          data={[
            ...AGES.map((value) => ({ value, label: words("hours", { count: Number(value) }) })),
            { value: OVERDUE, label: words("overdue") },
          ]}
          value={filter.overdue ? OVERDUE : (filter.minAgeHours?.toString() ?? null)}
          onChange={(age) =>
            choose({
              overdue: age === OVERDUE || undefined,
              minAgeHours: age === null || age === OVERDUE ? undefined : Number(age),
            })
          }
        />
        <Select
          aria-label={words("order")}
          w={220}
          allowDeselect={false}
          data={[
            { value: "oldest", label: words("oldest") },
            { value: "newest", label: words("newest") },
          ]}
          value={filter.sort ?? "oldest"}
          onChange={(sort) => choose({ sort: sort === "newest" ? "newest" : undefined })}
        />
        <SavedFilters filter={filter} />
      </Group>
    </>
  );
});

function SavedFilters({ filter }: { filter: ReviewFilter }) {
  const words = useQueueWords();
  const common = useCommonWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [isOpen, setOpen] = useState(false);
  const saved = useQuery(filtersQuery);
  const refresh = () => queries.invalidateQueries({ queryKey: filtersQuery.queryKey });
  const save = useMutation({
    mutationFn: () => ask(api.POST("/v1/reviews/filters", { body: { name: name.trim(), filter } })),
    onSuccess: () => setName(""),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedFilter) =>
      ask(api.DELETE("/v1/reviews/filters/{id}", { params: { path: { id } } })),
    onSettled: refresh,
  });
  const show = (filter: ReviewFilter) => {
    setOpen(false);
    void navigate({ to: "/", search: filter });
  };
  // No menu: it has a field.
  return (
    <Popover width={300} trapFocus withinPortal={false} opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!isOpen)}>
          {words("savedFilters")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={4}>
          {(saved.data?.filters ?? []).map((each) => (
            <Group key={each.id} gap={0} wrap="nowrap">
              <Button variant="subtle" flex={1} justify="start" onClick={() => show(each.filter)}>
                {each.name}
              </Button>
              <ActionIcon
                variant="subtle"
                aria-label={words("removeFilter", { name: each.name })}
                onClick={() => remove.mutate(each)}
              >
                ×
              </ActionIcon>
            </Group>
          ))}
          <Button variant="subtle" justify="start" onClick={() => show({})}>
            {words("clear")}
          </Button>
          <Divider />
          <Group gap="xs" mt="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={words("filterName")}
              placeholder={words("filterName")}
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              onKeyDown={(event) => event.key === "Enter" && name.trim() && save.mutate()}
            />
            <Button disabled={!name.trim()} loading={save.isPending} onClick={() => save.mutate()}>
              {common("save")}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
