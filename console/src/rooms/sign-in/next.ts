/** The page to open after a sign-in at another site. Only this tab keeps it. */
const KEY = "acredita.next";

/**
 * A path of this application, without `/console`; undefined for anything else, which could lead a
 * user to a foreign page. Browsers read `\` as `/`, and leave out tabs and line ends.
 */
export const ownPath = (value: unknown) =>
  typeof value === "string" && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(value) ? value : undefined;

export const keepNext = (next: string) => sessionStorage.setItem(KEY, next);

export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return ownPath(next);
}
