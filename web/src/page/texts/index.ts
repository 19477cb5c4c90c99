/** The page's texts: one catalogue for each language, loaded when it is needed. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Step } from "../api";
import { boot } from "../boot";
import type { Texts } from "./es";

export type { Texts };

export const LANGUAGES = ["es", "en", "pt", "fr", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

const CATALOGUES: Record<Language, () => Promise<Texts>> = {
  es: async () => (await import("./es")).es,
  en: async () => (await import("./en")).en,
  pt: async () => (await import("./pt")).pt,
  fr: async () => (await import("./fr")).fr,
  de: async () => (await import("./de")).de,
};
/** In their own words. */
export const NAMES: Record<Language, string> = {
  es: "Español",
  en: "English",
  pt: "Português",
  fr: "Français",
  de: "Deutsch",
};
const KEY = "acredita:language";
// Of a browser whose languages have no catalogue: the zones of Mexico (tz database).
const MEXICO =
  /^America\/(Mexico_City|Cancun|Merida|Monterrey|Matamoros|Chihuahua|Ciudad_Juarez|Ojinaga|Mazatlan|Bahia_Banderas|Hermosillo|Tijuana)$/;

export const loadTexts = (language: Language): Promise<Texts> => CATALOGUES[language]();

/** Return the language chosen in this tab, else of the URL, the browser, the organization, the place. */
export function firstLanguage(): Language {
  const asked = new URLSearchParams(location.search).get("lang");
  let chosen: string | null = null;
  try {
    chosen = sessionStorage.getItem(KEY);
  } catch {
    // The browser has no storage: use the URL or the browser's language.
  }
  for (const wish of [chosen, asked, ...navigator.languages]) {
    const known = LANGUAGES.find((each) => each === wish?.slice(0, 2).toLowerCase());
    if (known) return known;
  }
  const own = LANGUAGES.find((each) => each === boot.defaultLanguage);
  if (own) return own;
  return MEXICO.test(Intl.DateTimeFormat().resolvedOptions().timeZone) ? "es" : "en";
}

export function remember(language: Language): void {
  try {
    sessionStorage.setItem(KEY, language);
  } catch {
    // Without storage, a reload forgets the choice.
  }
}

interface Spoken {
  language: Language;
  texts: Texts;
}

export const LanguageContext = createContext<Spoken>(null!);
export const useLanguage = (): Language => useContext(LanguageContext).language;
export const useTexts = (): Texts => useContext(LanguageContext).texts;

/** The server's words in the person's language; in English where its catalogue lacks a new one. */
export function useServerWords() {
  const { language, texts } = useContext(LanguageContext);
  const own = language === "es" ? "es" : "en";
  return {
    nameOf: (type: string): string => texts.steps[type]?.name ?? boot.steps[type]!.name[own],
    disclosureOf: (type: string): string | null =>
      texts.steps[type]?.discloses ?? boot.steps[type]!.discloses?.[own] ?? null,
    adviceFor: ({ code, advice }: Pick<Step, "code" | "advice">): string | null =>
      advice && (texts.advice[code ?? ""] ?? advice[own]),
  };
}
