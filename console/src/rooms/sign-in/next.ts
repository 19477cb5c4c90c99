/** The page to open after a sign-in at another site. Only this tab keeps it. */
const KEY = "acredita.next";

export const keepNext = (next: string) => sessionStorage.setItem(KEY, next);

export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return next;
}
