import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { components } from "@/api/schema";
import { shellRoute } from "@/app/shellRoute";

export const HIT_STATES = [
  "open",
  "needs_information",
  "true_hit",
  "false_hit",
] as const satisfies components["schemas"]["HitState"][];
export const HOLDERS = ["me", "nobody", "anybody"] as const;

export interface HitFilter {
  state?: (typeof HIT_STATES)[number];
  assigned?: (typeof HOLDERS)[number];
}
export const MONITOR_STATES = [
  "active",
  "disabled",
  "ended",
] as const satisfies components["schemas"]["MonitorState"][];
export const OUTCOMES = ["hit", "clean"] as const satisfies components["schemas"]["Outcome"][];

export interface MonitorFilter {
  state?: (typeof MONITOR_STATES)[number];
  outcome?: (typeof OUTCOMES)[number];
}
interface Place extends HitFilter {
  tab?: string;
  monitors?: MonitorFilter["state"];
  outcome?: MonitorFilter["outcome"];
}

export const screeningRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/screening",
  validateSearch: (given: Record<string, unknown>): Place => ({
    tab: typeof given.tab === "string" ? given.tab : undefined,
    state: HIT_STATES.find((state) => state === given.state),
    assigned: HOLDERS.find((holder) => holder === given.assigned),
    monitors: MONITOR_STATES.find((state) => state === given.monitors),
    outcome: OUTCOMES.find((outcome) => outcome === given.outcome),
  }),
  component: lazyRouteComponent(() => import("./ScreeningPage"), "ScreeningPage"),
});

export const hitRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/screening/hit/$id",
  component: lazyRouteComponent(() => import("./HitPage"), "HitPage"),
});

export const recordRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/screening/record/$id",
  component: lazyRouteComponent(() => import("./RecordPage"), "RecordPage"),
});

export const entryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/screening/entry/$id",
  component: lazyRouteComponent(() => import("./EntryPage"), "EntryPage"),
});

export const monitorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/screening/monitor/$id",
  component: lazyRouteComponent(() => import("./MonitorPage"), "MonitorPage"),
});
