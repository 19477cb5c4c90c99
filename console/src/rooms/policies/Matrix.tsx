import { Stack } from "@mantine/core";
import { Chart } from "@/parts/Chart";
import { PlainTable } from "@/parts/PlainTable";
import { usePolicyWords } from "./texts";

const OUTCOMES = ["APPROVED", "MANUAL_REVIEW", "REJECTED", "REQUIRE_STEP", "ASK_AGAIN"] as const;
const COLOURS = {
  APPROVED: "teal.7",
  MANUAL_REVIEW: "orange.7",
  REJECTED: "red.7",
  REQUIRE_STEP: "grape.6",
  ASK_AGAIN: "indigo.5",
} as const;

export interface Cell {
  before: string;
  after: string;
  verifications: number;
}

interface Props {
  label: string;
  cells: readonly Cell[];
  beforeLabel: string;
  afterLabel: string;
}

/** By the outcome before, how many get which outcome after: a chart, and the same in a table. */
export function Matrix({ label, cells, beforeLabel, afterLabel }: Props) {
  const words = usePolicyWords();
  const name = (outcome: string) => words(outcome as "APPROVED");
  const rows = OUTCOMES.filter((before) => cells.some((cell) => cell.before === before));
  const count = (before: string, after: string) =>
    cells.find((cell) => cell.before === before && cell.after === after)?.verifications ?? 0;
  const columns = OUTCOMES.filter((after) => cells.some((cell) => cell.after === after));
  return (
    <Stack>
      <Chart
        label={label}
        by="before"
        stacked
        horizontal
        data={rows.map((before) => ({
          before: name(before),
          ...Object.fromEntries(columns.map((after) => [after, count(before, after)])),
        }))}
        series={columns.map((after) => ({
          name: after,
          label: `${afterLabel}: ${name(after)}`,
          color: COLOURS[after],
        }))}
      />
      <PlainTable
        label={label}
        head={[beforeLabel, ...columns.map((after) => `${afterLabel}: ${name(after)}`)]}
        rows={rows.map((before) => ({
          id: before,
          cells: [name(before), ...columns.map((after) => count(before, after))],
        }))}
      />
    </Stack>
  );
}
