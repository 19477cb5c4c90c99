import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { requireRole, shellRoute } from "@/app/shellRoute";
import { readFilter } from "./filter";

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: readFilter,
  beforeLoad: requireRole("REVIEWER"),
  component: lazyRouteComponent(() => import("./QueuePage"), "QueuePage"),
});
