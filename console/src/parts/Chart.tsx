import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { BarsProps } from "./Bars";

const Bars = lazy(() => import("./Bars"));

/** A bar chart. The figures are always in a table beside it, which can be read without sight. */
export function Chart(props: BarsProps) {
  return (
    <Suspense fallback={<Skeleton h={260} />}>
      <Bars {...props} />
    </Suspense>
  );
}
