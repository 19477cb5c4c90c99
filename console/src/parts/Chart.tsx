import { Skeleton } from "@mantine/core";
import { lazy, startTransition, Suspense, useEffect, useState } from "react";
import type { BarsProps } from "./Bars";

const Bars = lazy(() => import("./Bars"));

/**
 * A bar chart. The figures are always in a table beside it, which can be read without sight.
 *
 * It appears after the rest of the page: to draw one takes longer than a click may wait.
 */
export function Chart(props: BarsProps) {
  const [isDue, setDue] = useState(false);
  useEffect(() => startTransition(() => setDue(true)), []);
  const empty = <Skeleton h={260} />;
  return <Suspense fallback={empty}>{isDue ? <Bars {...props} /> : empty}</Suspense>;
}
