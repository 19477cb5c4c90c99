import type { ReviewFilter } from "@/api/contract";

const text = (value: unknown) => (typeof value === "string" && value ? value : undefined);

/** The filters are in the address: a reload keeps them. Unknown values are dropped. */
export function readFilter(search: Record<string, unknown>): ReviewFilter {
  const hours = Number(search.minAgeHours);
  return {
    workflowId: text(search.workflowId),
    reason: text(search.reason),
    queue: text(search.queue),
    assignee: text(search.assignee),
    minAgeHours: Number.isFinite(hours) && hours > 0 ? hours : undefined,
    overdue: search.overdue === true || undefined,
    sort: search.sort === "newest" ? "newest" : undefined,
  };
}
