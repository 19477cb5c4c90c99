import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { sessionQuery } from "@/api/session";
import { rootRoute } from "@/app/root";

/** A path of this application; anything else could lead a user to a foreign page. */
const ownPath = (value: unknown) =>
  typeof value === "string" && /^\/(?![/\\])/.test(value) ? value : undefined;

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = ownPath(search.next);
    return next === undefined ? {} : { next };
  },
  beforeLoad: async ({ context, search }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (session?.state === "ACTIVE") throw redirect({ href: search.next ?? "/" });
  },
  component: lazyRouteComponent(() => import("./SignInPage"), "SignInPage"),
});
