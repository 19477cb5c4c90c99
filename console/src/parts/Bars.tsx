/** Bars by category. Loaded when the first chart shows: the library is larger than the console. */
import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";

export interface Series {
  name: string;
  label: string;
  color: string;
}

export interface BarsProps {
  label: string;
  /** The key of each row's category. */
  by: string;
  data: Record<string, string | number>[];
  series: Series[];
  stacked?: boolean;
  /** Bars from left to right, for long names. */
  horizontal?: boolean;
}

export default function Bars({ label, by, data, series, stacked, horizontal }: BarsProps) {
  return (
    <figure aria-label={label} className="chart">
      <BarChart
        h={horizontal ? 56 + 44 * data.length : 260}
        data={data}
        dataKey={by}
        series={series}
        type={stacked ? "stacked" : "default"}
        orientation={horizontal ? "vertical" : "horizontal"}
        withLegend={series.length > 1}
        legendProps={{ verticalAlign: "bottom" }}
        barProps={{ isAnimationActive: false, maxBarSize: 48 }}
        barChartProps={{ accessibilityLayer: false }}
        yAxisProps={{ width: horizontal ? 130 : 48, allowDecimals: false }}
        xAxisProps={{ allowDecimals: false }}
      />
    </figure>
  );
}
