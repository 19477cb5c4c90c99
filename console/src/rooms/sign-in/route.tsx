import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { announceSession, sessionQuery } from "@/api/session";
import { rootRoute } from "@/app/root";
import { ownPath, takeNext } from "./next";

interface Search {
  next?: string | undefined;
  /** Why the sign-in with the organization's provider failed. */
  failure?: string | undefined;
  /** The organization whose provider is offered. */
  organization?: string | undefined;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  // The router keeps what is not named here, so a foreign address has to be replaced by undefined.
  validateSearch: (search: Record<string, unknown>): Search => ({
    next: ownPath(search.next),
    failure: textOf(search.failure),
    organization: textOf(search.organization),
  }),
  beforeLoad: async ({ context, search }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (session?.state === "ACTIVE") {
      // It may be new: the organization's provider leads back here.
      announceSession();
      throw redirect({ href: search.next ?? takeNext() ?? "/" });
    }
  },
  component: lazyRouteComponent(() => import("./SignInPage"), "SignInPage"),
});
