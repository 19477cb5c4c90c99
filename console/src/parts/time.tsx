import { Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { type Language, useLanguage } from "@/texts";
import { kept, localeOf } from "@/texts/formats";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** The age in the largest unit that fits, for example "3 h". */
export function ageText(seconds: number, language: Language): string {
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  const format = kept(
    `${unit} ${language}`,
    () =>
      new Intl.NumberFormat(language, {
        style: "unit",
        unit,
        unitDisplay: unit === "day" ? "long" : "short",
        maximumFractionDigits: 0,
      }),
  );
  return format.format(Math.floor(Math.abs(seconds) / length));
}

export function dateText(iso: string, language: Language): string {
  const locale = localeOf(language);
  const format = kept(
    locale,
    () => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
  );
  return format.format(new Date(iso));
}

/** A day such as 2026-01-31: "31 ene 2026", and without its year on the axis of a chart. */
export function dayText(day: string, language: Language, hasYear = true): string {
  const locale = localeOf(language);
  const format = kept(
    `day ${hasYear} ${locale}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        day: "numeric",
        month: "short",
        ...(hasYear ? { year: "numeric" } : {}),
        timeZone: "UTC",
      }),
  );
  return format.format(new Date(day));
}

// One clock for all, so that a table is rendered once when the time changes.
let now = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const each of listeners) each();
}, 15_000);

function follow(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The time, four times a minute. */
export const useNow = () => useSyncExternalStore(follow, () => now);

/** How long ago something was; the moment itself on hover. */
export function Age({ since, isLate = false }: { since: string; isLate?: boolean }) {
  const language = useLanguage();
  // What has just begun is younger than the clock's last step.
  const seconds = Math.max(0, useNow() - Date.parse(since)) / 1000;
  return (
    <Text
      component="time"
      size="sm"
      dateTime={since}
      title={dateText(since, language)}
      {...(isLate ? { fw: 700, className: "is-late" } : {})}
    >
      {ageText(seconds, language)}
    </Text>
  );
}

export function Moment({ at }: { at: string }) {
  const language = useLanguage();
  return (
    <Text component="time" size="sm" dateTime={at} className="one-line">
      {dateText(at, language)}
    </Text>
  );
}
