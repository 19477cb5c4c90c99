import { Button, Group, Menu, Select, Skeleton, Stack, TextInput, Title } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import { Chart } from "@/parts/Chart";
import { Failure } from "@/parts/failures";
import { Figures } from "@/parts/Figures";
import { saveFile } from "@/parts/files";
import { useNumberText, usePercent } from "@/parts/numbers";
import { PlainTable } from "@/parts/PlainTable";
import { ReasonText } from "@/parts/reasons";
import { Soon } from "@/parts/Soon";
import { ageText, dayText } from "@/parts/time";
import { workflowsQuery } from "@/rooms/queue/queries";
import { useLanguage } from "@/texts";
import type { Place } from "./route";
import { useOverviewWords } from "./texts";
import { Workflows } from "./Workflows";

type Overview = components["schemas"]["Overview"];
type Lines = components["schemas"]["OverviewLines"];
const LINES: Lines[] = ["day", "workflow", "reason"];
const route = getRouteApi("/shell/overview");

export function OverviewPage() {
  const words = useOverviewWords();
  const navigate = useNavigate();
  const place = route.useSearch();
  const workflows = useQuery(workflowsQuery);
  const found = useQuery({
    queryKey: ["overview", place],
    queryFn: () => ask(api.GET("/v1/overview", { params: { query: place } })),
    placeholderData: keepPreviousData,
  });
  const table = useMutation({
    mutationFn: (by: Lines) =>
      ask(api.GET("/v1/overview.csv", { params: { query: { ...place, by } }, parseAs: "blob" })),
    onSuccess: (content, by) => saveFile(content as unknown as Blob, `overview-by-${by}.csv`),
  });
  const choose = (changes: Place) =>
    void navigate({ to: "/overview", search: { ...place, ...changes }, replace: true });
  return (
    <Stack>
      <Title order={1} size="h2">
        {words("title")}
      </Title>
      <Group align="flex-end">
        <Select
          label={words("workflow")}
          placeholder={words("all")}
          clearable
          data={(workflows.data?.workflows ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={place.workflowId ?? null}
          onChange={(id) => choose({ workflowId: id ?? undefined })}
        />
        {(["from", "to"] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            label={words(end)}
            value={place[end] ?? found.data?.[end] ?? ""}
            onChange={(event) => choose({ [end]: event.currentTarget.value || undefined })}
          />
        ))}
        <Menu>
          <Menu.Target>
            <Button variant="default" loading={table.isPending}>
              CSV
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {LINES.map((by) => (
              <Menu.Item key={by} onClick={() => table.mutate(by)}>
                {words(`by.${by}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Soon place="overview">
        <Stack>
          {found.isPending && <Skeleton h={240} />}
          {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
          {found.isSuccess && <Numbers overview={found.data} />}
          {place.workflowId === undefined && <Workflows place={place} />}
        </Stack>
      </Soon>
    </Stack>
  );
}

function Numbers({ overview }: { overview: Overview }) {
  const words = useOverviewWords();
  const language = useLanguage();
  const text = useNumberText();
  const percent = usePercent();
  const { funnel, outcomes, reviewQueue, labels } = overview;
  const share = (part: number) =>
    funnel.created === 0 ? part : `${text(part)} (${percent(part / funnel.created)})`;
  const time = (seconds: number | null) =>
    seconds === null ? "—" : ageText(seconds, language);
  const figures: [string, string | number][] = [
    [words("created"), funnel.created],
    [words("submitted"), share(funnel.submitted)],
    [words("decided"), share(funnel.decided)],
    [words("approved"), share(outcomes.approved)],
    [words("rejected"), share(outcomes.rejected)],
    [words("review"), share(outcomes.manualReview)],
    [words("expired"), share(outcomes.expired)],
    [words("median"), time(overview.medianSecondsToDecision)],
    [words("p95"), time(overview.p95SecondsToDecision)],
    [words("waiting"), reviewQueue.waiting],
    [words("oldest"), time(reviewQueue.oldestSeconds)],
    [words("accuracy"), percent(labels.accuracy, 1)],
    [words("labelled"), words("labelledOf", { documents: labels.documents, count: labels.fields })],
  ];
  return (
    <Stack>
      <Figures figures={figures} />
      {overview.days.length > 0 && (
        <Part name={words("days")}>
          <Chart
            label={words("days")}
            by="date"
            stacked
            data={overview.days.map(({ date, approved, rejected, review }) => ({
              date: dayText(date, language, false),
              approved,
              rejected,
              review,
            }))}
            series={[
              { name: "approved", label: words("approved"), color: "teal.7" },
              { name: "review", label: words("review"), color: "orange.7" },
              { name: "rejected", label: words("rejected"), color: "red.7" },
            ]}
          />
          <Days overview={overview} />
        </Part>
      )}
      {funnel.created > 0 && (
        <Part name={words("funnel")}>
          <Chart
            label={words("funnel")}
            by="stage"
            horizontal
            data={(["created", "submitted", "decided"] as const).map((stage) => ({
              stage: words(stage),
              count: funnel[stage],
            }))}
            series={[{ name: "count", label: words("count"), color: "indigo.6" }]}
          />
        </Part>
      )}
      {overview.reasons.length > 0 && (
        <Part name={words("reasons")}>
          <PlainTable
            label={words("reasons")}
            head={[words("reason"), words("count")]}
            rows={overview.reasons.map(({ code, count }) => ({
              id: code,
              cells: [<ReasonText key="reason" code={code} lines={2} />, count],
            }))}
          />
        </Part>
      )}
    </Stack>
  );
}

/** The figures of the chart, on demand: a month of them is several screens of a phone. */
function Days({ overview }: { overview: Overview }) {
  const words = useOverviewWords();
  const language = useLanguage();
  return (
    <details>
      <summary>{words("asTable")}</summary>
      <PlainTable
        label={words("days")}
        head={[words("day"), words("created"), words("approved"), words("rejected"), words("review")]}
        rows={overview.days.toReversed().map((each) => ({
          id: each.date,
          cells: [
            dayText(each.date, language),
            each.created,
            each.approved,
            each.rejected,
            each.review,
          ],
        }))}
      />
    </details>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {name}
      </Title>
      {children}
    </Stack>
  );
}
