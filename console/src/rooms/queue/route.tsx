import { createRoute, redirect } from "@tanstack/react-router";
import { covers } from "@/api/session";
import { shellRoute } from "@/app/shellRoute";
import { readFilter } from "./filter";
import { QueuePage } from "./QueuePage";

export const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: readFilter,
  // The address without a room is where sign-in and links lead: others begin with the search.
  beforeLoad: ({ context }) => {
    if (!covers(context.user.role, "REVIEWER")) throw redirect({ to: "/search", replace: true });
  },
  // Loaded at once: the room that most users open first.
  component: QueuePage,
});
