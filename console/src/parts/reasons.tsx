import { Text } from "@mantine/core";
import { useLanguage } from "@/texts";
import reasons from "@/texts/reasons.json";

interface Reason {
  step: string;
  severity: string;
  /** The decisions for which a reviewer may give the code. */
  outcomes: string[];
  es: string[];
  en: string[];
}
const REASONS = reasons as Record<string, Reason>;

/** Return what a code means, and what a reviewer can do. */
export function useReasonWords() {
  const language = useLanguage();
  return (code: string) => {
    const [meaning, advice] = REASONS[code]?.[language] ?? [code, ""];
    return { meaning: meaning ?? code, advice: advice ?? "" };
  };
}

export const ALL_CODES = Object.keys(REASONS);

/** The codes that a reviewer may give for a decision. */
export const codesFor = (decision: string) =>
  ALL_CODES.filter((code) => REASONS[code]?.outcomes.includes(decision));

/** A reason code in words; the code itself on hover. */
export function ReasonText({ code, lines = 1 }: { code: string; lines?: number }) {
  const wordsOf = useReasonWords();
  return (
    // A title, no Tooltip: a table has a hundred of them.
    <Text component="span" size="sm" lineClamp={lines} title={code}>
      {wordsOf(code).meaning}
    </Text>
  );
}
