import Bowser from "bowser";

/** Names for people: "Chrome" and "Windows". Null if the browser does not say them as browsers do. */
export function namesOf(userAgent: string): { browser: string; system: string } | null {
  if (userAgent === "") return null;
  const { browser, os } = Bowser.parse(userAgent);
  return browser.name && os.name ? { browser: browser.name, system: os.name } : null;
}
