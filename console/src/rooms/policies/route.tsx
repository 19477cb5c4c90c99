import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { requireRole, shellRoute } from "@/app/shellRoute";

export const policiesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/policies",
  validateSearch: ({ policy }: Record<string, unknown>): { policy?: string } =>
    typeof policy === "string" ? { policy } : {},
  beforeLoad: requireRole("REVIEWER"),
  component: lazyRouteComponent(() => import("./PoliciesPage"), "PoliciesPage"),
});
