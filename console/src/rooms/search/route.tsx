import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import type { components } from "@/api/schema";
import { shellRoute } from "@/app/shellRoute";
import { dayOrNothing } from "@/parts/days";

export type Status = components["schemas"]["VerificationStatus"];
export const STATUSES: readonly Status[] = [
  "PENDING",
  "IN_PROGRESS",
  "MANUAL_REVIEW",
  "APPROVED",
  "REJECTED",
  "EXPIRED",
];

export interface SearchFilter {
  status?: Status;
  /** Days of the browser's time zone, both inclusive. */
  from?: string;
  to?: string;
}

export const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/search",
  // Not the text: it may be a person's name or CURP, and addresses stay in the browser's history.
  validateSearch: (given: Record<string, unknown>): SearchFilter => ({
    status: STATUSES.find((status) => status === given.status),
    from: dayOrNothing(given.from),
    to: dayOrNothing(given.to),
  }),
  component: lazyRouteComponent(() => import("./SearchPage"), "SearchPage"),
});
