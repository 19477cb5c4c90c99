import { Skeleton } from "@mantine/core";
import { lazy, startTransition, Suspense, useEffect, useState } from "react";
import type { BarsProps } from "./Bars";

const Bars = lazy(() => import("./Bars"));

// Safari has no idle callbacks. Milliseconds.
const SOON = 50;
const untilIdle = () =>
  new Promise<unknown>((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: 10 * SOON });
    else setTimeout(resolve, SOON);
  });
let turn: Promise<unknown> = Promise.resolve();

/**
 * A bar chart. The figures are always in a table beside it, which can be read without sight.
 *
 * It appears after the rest of the page, and one appears after the other: to draw one takes as long
 * as a click may wait.
 */
export function Chart(props: BarsProps) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    let isGone = false;
    turn = turn.then(untilIdle).then(() => {
      if (!isGone) startTransition(() => setDue(true));
    });
    return () => {
      isGone = true;
    };
  }, []);
  const empty = <Skeleton h={260} />;
  return <Suspense fallback={empty}>{isDue ? <Bars {...props} /> : empty}</Suspense>;
}
