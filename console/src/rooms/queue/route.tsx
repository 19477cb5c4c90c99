import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { covers } from "@/api/session";
import { shellRoute } from "@/app/shellRoute";
import { readFilter } from "./filter";

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: readFilter,
  // The address without a room is where sign-in and links lead: others begin with the search.
  beforeLoad: ({ context }) => {
    if (!covers(context.user.role, "REVIEWER")) throw redirect({ to: "/search", replace: true });
  },
  component: lazyRouteComponent(() => import("./QueuePage"), "QueuePage"),
});
