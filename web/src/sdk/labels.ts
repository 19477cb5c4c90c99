/** The words of the button and the dialog; the page in the dialog has its own. */
import type { Language } from "./types";

export const LABELS: Record<
  Language,
  { verify: string; failed: string; title: string; close: string }
> = {
  es: {
    verify: "Verificar mi identidad",
    failed: "No se pudo abrir. Inténtalo de nuevo.",
    title: "Verificación de identidad",
    close: "Cerrar la verificación",
  },
  en: {
    verify: "Verify my identity",
    failed: "It could not be opened. Try again.",
    title: "Identity verification",
    close: "Close the verification",
  },
  pt: {
    verify: "Verificar minha identidade",
    failed: "Não foi possível abrir. Tente de novo.",
    title: "Verificação de identidade",
    close: "Fechar a verificação",
  },
  fr: {
    verify: "Vérifier mon identité",
    failed: "L’ouverture a échoué. Réessayez.",
    title: "Vérification d’identité",
    close: "Fermer la vérification",
  },
  de: {
    verify: "Meine Identität bestätigen",
    failed: "Das Öffnen ist nicht gelungen. Versuchen Sie es noch einmal.",
    title: "Identitätsprüfung",
    close: "Prüfung schließen",
  },
};

/** Return the language of a tag such as `pt-BR`; English without words in it. */
export function languageOf(tag: string): Language {
  const name = tag.slice(0, 2).toLowerCase();
  return name in LABELS ? (name as Language) : "en";
}
