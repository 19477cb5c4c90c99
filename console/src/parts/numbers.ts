import { useCallback } from "react";
import { useLanguage } from "@/texts";
import { numberText, percentText } from "@/texts/formats";

/** Writes 8000 as "8,000". */
export function useNumberText() {
  const language = useLanguage();
  return useCallback((value: number) => numberText(value, language), [language]);
}

/** Writes 0.87 as "87%". */
export function usePercent() {
  const language = useLanguage();
  return useCallback(
    (share: number | null, digits = 0) => percentText(share, language, digits),
    [language],
  );
}
