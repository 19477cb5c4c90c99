import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/shellRoute";

interface Place {
  workflow?: string;
}

export const workflowsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/workflows",
  validateSearch: ({ workflow }: Record<string, unknown>): Place => ({
    workflow: typeof workflow === "string" ? workflow : undefined,
  }),
  component: lazyRouteComponent(() => import("./WorkflowsPage"), "WorkflowsPage"),
});
