import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/shellRoute";
import { readFilter } from "@/rooms/queue/filter";

export const caseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/case/$id",
  // Of the queue that the case was opened from: the next case comes from there.
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import("./CasePage"), "CasePage"),
});
