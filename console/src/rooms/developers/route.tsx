import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "@/app/shellRoute";

interface Place {
  tab?: string;
  /** Whose deliveries are shown. */
  webhook?: string;
}

export const developersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/developers",
  validateSearch: ({ tab, webhook }: Record<string, unknown>): Place => ({
    tab: typeof tab === "string" ? tab : undefined,
    webhook: typeof webhook === "string" ? webhook : undefined,
  }),
  component: lazyRouteComponent(() => import("./DevelopersPage"), "DevelopersPage"),
});
