import { Alert, Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import i18next from "i18next";
import { ApiError } from "@/api/errors";
import { useCommonWords } from "@/texts/common";
import type { Words } from "@/texts";
import { CONFLICTS, REFUSALS } from "@/texts/refusals";

type Texts = Words<
  "unreachable" | "forbidden" | "notFound" | "tooMany" | "failed" | "unknownPage"
>;

function textOf(fault: unknown, words: Texts): string {
  if (!(fault instanceof ApiError)) {
    return words("failed", { message: fault instanceof Error ? fault.message : String(fault) });
  }
  if (fault.status === 429) return words("tooMany");
  if (fault.status === 0 || fault.status >= 500) return words("unreachable");
  if (fault.code === "FORBIDDEN") return words("forbidden");
  if (fault.status === 404) return words("notFound");
  const refusal =
    i18next.language === "es" ? (REFUSALS[fault.code] ?? CONFLICTS[fault.message]) : undefined;
  if (refusal !== undefined) return refusal;
  const details = fault.details.length ? ` (${fault.details.join("; ")})` : "";
  return words("failed", { message: fault.message + details });
}

/** Say in the user's language why something failed. */
export function useFailureText() {
  const words = useCommonWords();
  return (fault: unknown) => textOf(fault, words);
}

/** Show the failure of a mutation. */
export function notifyFailure(fault: unknown) {
  const words: Texts = i18next.getFixedT(null, "common") as unknown as Texts;
  notifications.show({ color: "red", message: textOf(fault, words), autoClose: 10_000 });
}

/** The failure of a query, with a way to try again. */
export function Failure({ fault, onRetry }: { fault: unknown; onRetry?: () => void }) {
  const words = useCommonWords();
  return (
    <Alert color="red" variant="outline" role="alert">
      <Group justify="space-between">
        <Text>{textOf(fault, words)}</Text>
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {words("reload")}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
