import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { en } from "./en";
import { es, type Texts } from "./es";

export type Language = "es" | "en";
export type { Texts };

export const TEXTS: Record<Language, Texts> = { es, en };
const KEY = "acredita:language";

/** Return the language chosen in this tab, else that of the URL, else the browser's first. */
export function firstLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  let chosen: string | null = null;
  try {
    chosen = sessionStorage.getItem(KEY);
  } catch {
    // The browser has no storage: use the URL or the browser's language.
  }
  const wishes = [chosen, asked, ...navigator.languages].map((wish) => wish?.slice(0, 2));
  return (wishes.find((wish) => wish === "es" || wish === "en") as Language | undefined) ?? "es";
}

export function remember(language: Language): void {
  try {
    sessionStorage.setItem(KEY, language);
  } catch {
    // Without storage, a reload forgets the choice.
  }
}

export const LanguageContext = createContext<Language>("es");
export const useLanguage = (): Language => useContext(LanguageContext);
export const useTexts = (): Texts => TEXTS[useLanguage()];
