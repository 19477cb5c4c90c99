/**
 * The texts of the console in Spanish and English.
 *
 *     export const useWords = defineTexts("queue", { es: { title: "Cola" }, en: { title: "Queue" } });
 *     const words = useWords();
 *     words("title");
 *
 * Both languages must have the same keys. A key that ends with `_one` and `_other` is a plural by
 * `count`; `{{name}}` inserts a value, `{{name, number}}` a number that can be large.
 */
import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { numberText } from "./formats";

export const LANGUAGES = ["es", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

const KEPT = "acredita.language";

function preferredLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  const wanted = [kept ?? "", ...navigator.languages].map((each) => each.slice(0, 2));
  return LANGUAGES.find((each) => each === wanted.find((w) => w === "es" || w === "en")) ?? "es";
}

void i18next.use(initReactI18next).init({
  lng: preferredLanguage(),
  fallbackLng: false,
  resources: {},
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  // React escapes.
  interpolation: { escapeValue: false },
});

i18next.services.formatter?.add("number", (value, language) => numberText(value, language ?? "es"));

const noteLanguage = (language: string) => {
  document.documentElement.lang = language;
};
noteLanguage(i18next.language);
i18next.on("languageChanged", noteLanguage);

export function chooseLanguage(language: Language) {
  localStorage.setItem(KEPT, language);
  void i18next.changeLanguage(language);
}

export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return i18n.language as Language;
}

type Key<K extends string> = K extends `${infer Base}_one` | `${infer Base}_other` ? Base : K;
export type Words<K extends string> = (key: Key<K>, values?: Record<string, unknown>) => string;

export function defineTexts<K extends string>(
  room: string,
  texts: Record<Language, Record<K, string>>,
): () => Words<K> {
  for (const language of LANGUAGES) {
    i18next.addResourceBundle(language, room, texts[language]);
  }
  return () => useTranslation(room).t as unknown as Words<K>;
}
