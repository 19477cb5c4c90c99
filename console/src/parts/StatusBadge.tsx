import { Badge } from "@mantine/core";
import { COLOURS } from "@/app/theme";
import { defineTexts } from "@/texts";

const useStatusWords = defineTexts("status", {
  es: {
    PENDING: "Por empezar",
    IN_PROGRESS: "En curso",
    APPROVED: "Aprobada",
    REJECTED: "Rechazada",
    MANUAL_REVIEW: "En revisión",
    EXPIRED: "Vencida",
    WAITING_INPUT: "Espera datos",
    PASSED: "Pasó",
    FAILED: "Falló",
    REVIEW: "A revisar",
    SKIPPED: "Omitido",
    RUNNING: "En curso",
  },
  en: {
    PENDING: "Not begun",
    IN_PROGRESS: "In progress",
    APPROVED: "Approved",
    REJECTED: "Rejected",
    MANUAL_REVIEW: "In review",
    EXPIRED: "Expired",
    WAITING_INPUT: "Waits for data",
    PASSED: "Passed",
    FAILED: "Failed",
    REVIEW: "To review",
    SKIPPED: "Skipped",
    RUNNING: "Running",
  },
});

const OF_STATUS: Record<string, string> = {
  APPROVED: COLOURS.good,
  PASSED: COLOURS.good,
  REJECTED: COLOURS.bad,
  FAILED: COLOURS.bad,
  MANUAL_REVIEW: COLOURS.doubtful,
  REVIEW: COLOURS.doubtful,
};

/** The status of a verification or of a step, in words. */
export function StatusBadge({ status }: { status: string }) {
  const words = useStatusWords();
  return (
    <Badge color={OF_STATUS[status] ?? COLOURS.neutral} variant="filled" tt="none">
      {words(status as "PENDING")}
    </Badge>
  );
}

export const useStatusText = () => {
  const words = useStatusWords();
  return (status: string) => words(status as "PENDING");
};
