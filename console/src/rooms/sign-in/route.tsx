import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { sessionQuery } from "@/api/session";
import { rootRoute } from "@/app/root";
import { takeNext } from "./next";

/** A path of this application; anything else could lead a user to a foreign page. */
const ownPath = (value: unknown) =>
  typeof value === "string" && /^\/(?![/\\])/.test(value) ? value : undefined;

interface Search {
  next?: string;
  /** Why the sign-in with the organization's provider failed. */
  failure?: string;
  /** The organization whose provider is offered. */
  organization?: string;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): Search => {
    const next = ownPath(search.next);
    return {
      ...(next !== undefined && { next }),
      ...(typeof search.failure === "string" && { failure: search.failure }),
      ...(typeof search.organization === "string" && { organization: search.organization }),
    };
  },
  beforeLoad: async ({ context, search }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (session?.state === "ACTIVE") throw redirect({ href: search.next ?? ownPath(takeNext()) ?? "/" });
  },
  component: lazyRouteComponent(() => import("./SignInPage"), "SignInPage"),
});
