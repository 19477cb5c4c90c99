import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/shellRoute";

export interface Place {
  workflowId?: string;
  from?: string;
  to?: string;
}
const day = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;

export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/overview",
  validateSearch: ({ workflowId, from, to }: Record<string, unknown>): Place => ({
    workflowId: typeof workflowId === "string" ? workflowId : undefined,
    from: day(from),
    to: day(to),
  }),
  component: lazyRouteComponent(() => import("./OverviewPage"), "OverviewPage"),
});
