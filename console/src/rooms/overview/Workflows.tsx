import { Stack, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, ask } from "@/api/client";
import { Chart } from "@/parts/Chart";
import { Failure } from "@/parts/failures";
import { useNumberText, usePercent } from "@/parts/numbers";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { ageText } from "@/parts/time";
import { useLanguage } from "@/texts";
import type { Place } from "./route";
import { useOverviewWords } from "./texts";

// More bars are no picture; the table has all.
const MOST_BARS = 8;

/** The figures of each workflow beside those of the others; a name leads to its own figures. */
export function Workflows({ place }: { place: Place }) {
  const words = useOverviewWords();
  const language = useLanguage();
  const text = useNumberText();
  const percent = usePercent();
  const { from, to } = place;
  const found = useQuery({
    queryKey: ["overview", "workflows", from, to],
    queryFn: () => ask(api.GET("/v1/overview/workflows", { params: { query: { from, to } } })),
    placeholderData: keepPreviousData,
  });
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const workflows = found.data?.workflows ?? [];
  if (workflows.length < 2) return null;
  const nameOf = (name: string) => name || words("deleted");
  const time = (seconds: number | null) => (seconds === null ? "—" : ageText(seconds, language));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {words("workflows")}
      </Title>
      <Chart
        label={words("workflows")}
        by="workflow"
        horizontal
        stacked
        data={workflows.slice(0, MOST_BARS).map(({ name, outcomes }) => ({
          workflow: nameOf(name),
          approved: outcomes.approved,
          review: outcomes.manualReview,
          rejected: outcomes.rejected,
        }))}
        series={[
          { name: "approved", label: words("approved"), color: "teal.7" },
          { name: "review", label: words("review"), color: "orange.7" },
          { name: "rejected", label: words("rejected"), color: "red.7" },
        ]}
      />
      <PlainTable
        label={words("workflows")}
        head={[
          words("workflow"),
          words("created"),
          words("decided"),
          words("approved"),
          words("rejected"),
          words("review"),
          words("median"),
        ]}
        rows={workflows.map(({ id, name, funnel, outcomes, medianSecondsToDecision }) => {
          const share = (part: number) =>
            `${text(part)} (${percent(part / funnel.created)})`;
          return {
            id,
            cells: [
              <RoomLink
                key="workflow"
                size="sm"
                to="/overview"
                search={{ ...place, workflowId: id }}
              >
                {nameOf(name)}
              </RoomLink>,
              funnel.created,
              share(funnel.decided),
              share(outcomes.approved),
              share(outcomes.rejected),
              share(outcomes.manualReview),
              time(medianSecondsToDecision),
            ],
          };
        })}
      />
    </Stack>
  );
}
