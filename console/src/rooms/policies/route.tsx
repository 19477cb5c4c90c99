import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { requireRole, shellRoute } from "@/app/shellRoute";

export const policiesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/policies",
  // The policy and the simulation that are shown.
  validateSearch: (given: Record<string, unknown>): { policy?: string; simulation?: string } => ({
    policy: typeof given.policy === "string" ? given.policy : undefined,
    simulation: typeof given.simulation === "string" ? given.simulation : undefined,
  }),
  beforeLoad: requireRole("REVIEWER"),
  component: lazyRouteComponent(() => import("./PoliciesPage"), "PoliciesPage"),
});
