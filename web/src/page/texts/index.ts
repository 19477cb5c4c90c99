import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { en } from "./en";
import { es, type Texts } from "./es";

export type Language = "es" | "en";
export type { Texts };

export const TEXTS: Record<Language, Texts> = { es, en };
const KEY = "acredita:language";

/** What was chosen in this tab, else what the page's address asks for, else the browser's first. */
export function firstLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  let chosen: string | null = null;
  try {
    chosen = sessionStorage.getItem(KEY);
  } catch {
    // Nothing is kept here: the browser's own choice stands.
  }
  const wishes = [chosen, asked, ...navigator.languages].map((wish) => wish?.slice(0, 2));
  return (wishes.find((wish) => wish === "es" || wish === "en") as Language | undefined) ?? "es";
}

export function remember(language: Language): void {
  try {
    sessionStorage.setItem(KEY, language);
  } catch {
    // Then it is chosen anew after a reload.
  }
}

export const LanguageContext = createContext<Language>("es");
export const useLanguage = (): Language => useContext(LanguageContext);
export const useTexts = (): Texts => TEXTS[useLanguage()];
