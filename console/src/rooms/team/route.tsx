import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/shellRoute";

interface Place {
  tab?: string;
  /** Filter of the audit log: an action. */
  action?: string;
}

const text = (value: unknown) => (typeof value === "string" && value ? value : undefined);

export const teamRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/team",
  validateSearch: ({ tab, action }: Record<string, unknown>): Place => ({
    tab: text(tab),
    action: text(action),
  }),
  component: lazyRouteComponent(() => import("./TeamPage"), "TeamPage"),
});
