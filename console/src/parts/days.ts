/** `given` if it is a day such as 2026-01-31, as date fields and addresses have it. */
export const dayOrNothing = (given: unknown): string | undefined =>
  typeof given === "string" && startOf(given) ? given : undefined;

/** When a day of the browser's time zone begins, or the one `later` days after it. */
export function startOf(day: string, later = 0): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (!year) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return start.toISOString();
}
