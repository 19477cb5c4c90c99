import { Code, Stack, Text } from "@mantine/core";
import { useReasonWords } from "@/parts/reasons";
import { useStatusText } from "@/parts/StatusBadge";
import { dateText } from "@/parts/time";
import { useLanguage } from "@/texts";
import { useCommonWords } from "@/texts/common";
import { numberText } from "@/texts/formats";
import { NAMES, VALUES } from "./detailNames";
import { useTeamWords } from "./texts";

type Details = Record<string, unknown>;
interface Line {
  name: string;
  value: unknown;
  /** Undefined: the entry says only what is so since. */
  before: unknown;
}

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const DIGEST = /^[0-9a-f]{32,}$/;
const SHOWN_OF_ID = 8;
const SHOWN_OF_DIGEST = 12;
// Of a change of status: most have none, and its lack is no change.
const OFTEN_ABSENT = ["note", "notes", "proposedBy", "reason"];
const ROLES = ["MEMBER", "REVIEWER", "ADMIN", "OWNER"] as const;

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** What an entry tells, the facts before and after on one line. */
export function linesOf(details: Details): Line[] {
  const before = new Map<string, unknown>();
  const lines: Line[] = [];
  for (const [key, value] of Object.entries(details)) {
    const former = /^previous(\w+)$|^(\w+)Before$/.exec(key);
    if (former) before.set(lowered(former[1] ?? former[2] ?? key), value);
    else lines.push({ name: nameOfNew(key), value, before: undefined });
  }
  const told = new Set(before.keys());
  return lines
    .map((line) => ({ ...line, before: before.get(line.name) }))
    .map((line) =>
      line.name === "changes" && Array.isArray(line.value)
        ? { ...line, value: line.value.filter((each) => !told.has(each)) }
        : line,
    )
    .filter(({ value }) => !Array.isArray(value) || value.length > 0)
    .filter(({ name, value }) => value !== null || !OFTEN_ABSENT.includes(name));
}

const nameOfNew = (key: string) => {
  const now = /^new([A-Z]\w*)$|^(\w+)Now$/.exec(key);
  return lowered(now?.[1] ?? now?.[2] ?? key);
};

interface Props {
  details: Details;
  /** The name of a user or a key. */
  who: (id: string | null) => string | undefined;
}

/** The facts of an entry in words; as the API has them, which the chain covers, on demand. */
export function AuditDetails({ details, who }: Props) {
  const words = useTeamWords();
  const place = useLanguage() === "es" ? 0 : 1;
  const textOf = useFactText(who);
  if (Object.keys(details).length === 0) return "—";
  return (
    <Stack gap={2} miw={200} className="breaks-anywhere">
      {linesOf(details).map(({ name, value, before }) => (
        <Text key={name} size="sm">
          <Text span inherit c="dimmed">
            {NAMES[name]?.[place] ?? name}:
          </Text>{" "}
          {before !== undefined && `${textOf(name, before)} → `}
          {textOf(name, value)}
        </Text>
      ))}
      <details>
        <summary>{words("raw")}</summary>
        <Code>{JSON.stringify(details)}</Code>
      </details>
    </Stack>
  );
}

function useFactText(who: Props["who"]) {
  const language = useLanguage();
  const place = language === "es" ? 0 : 1;
  const common = useCommonWords();
  const reasonWords = useReasonWords();
  const statusText = useStatusText();
  const wordOf = (code: string) => {
    const role = ROLES.find((each) => each === code);
    const name = VALUES[code] ?? NAMES[code];
    if (name) return name[place];
    return role ? common(role) : statusText(reasonWords(code).meaning);
  };
  const textOf = (name: string, value: unknown): string => {
    if (value === null || value === undefined) return "—";
    if (Array.isArray(value)) return value.map((each) => textOf(name, each)).join(", ");
    if (name === "relationshipEndedAt" && typeof value === "number") {
      return dateText(new Date(value * 1000).toISOString(), language);
    }
    if (typeof value === "number") return numberText(value, language);
    if (typeof value !== "string") return wordOf(String(value));
    if (ID.test(value)) return who(value) ?? value.slice(0, SHOWN_OF_ID);
    if (DIGEST.test(value)) return `${value.slice(0, SHOWN_OF_DIGEST)}…`;
    return wordOf(value);
  };
  return textOf;
}
