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
interface Place extends HitFilter {
  tab?: string;
}

export const screeningRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/screening",
  validateSearch: (given: Record<string, unknown>): Place => ({
    tab: typeof given.tab === "string" ? given.tab : undefined,
    state: HIT_STATES.find((state) => state === given.state),
    assigned: HOLDERS.find((holder) => holder === given.assigned),
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
