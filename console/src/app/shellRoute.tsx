import { createRoute, redirect } from "@tanstack/react-router";
import type { Role } from "@/api/contract";
import { ApiError } from "@/api/errors";
import { covers, sessionQuery } from "@/api/session";
import { rootRoute } from "./root";
import { Shell } from "./Shell";

/** The parent of every room: it needs a session. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "shell",
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    if (!session?.user) {
      throw redirect({ to: "/sign-in", search: { next: location.href } });
    }
    return { user: session.user };
  },
  component: Shell,
});

/** For `beforeLoad` of a room: only users of this role or a higher one see it. */
export const requireRole =
  (needed: Role) =>
  ({ context }: { context: { user: { role: Role } } }) => {
    if (!covers(context.user.role, needed)) {
      throw new ApiError("FORBIDDEN", "The role does not permit this.", 403);
    }
  };
