import { Text, Tooltip } from "@mantine/core";
import { useLanguage } from "@/texts";
import reasons from "@/texts/reasons.json";

interface Reason {
  step: string;
  severity: string;
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

/** The codes that a reviewer gives for a decision of the person's own. */
export const DECISION_CODES = Object.keys(REASONS).filter(
  (code) => REASONS[code]?.severity === "decision",
);
export const ALL_CODES = Object.keys(REASONS);

/** A reason code in words; the code itself on hover. */
export function ReasonText({ code, lines = 1 }: { code: string; lines?: number }) {
  const wordsOf = useReasonWords();
  return (
    <Tooltip label={code} openDelay={400}>
      <Text component="span" size="sm" lineClamp={lines}>
        {wordsOf(code).meaning}
      </Text>
    </Tooltip>
  );
}
