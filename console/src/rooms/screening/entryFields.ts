import type { components } from "@/api/schema";

type Entry = components["schemas"]["EntryContent"];

export const ENTRY_FIELDS = [
  "names",
  "birth",
  "gender",
  "nationalities",
  "identifiers",
  "addresses",
  "positions",
  "programs",
  "remarks",
] as const;
export type EntryField = (typeof ENTRY_FIELDS)[number];

export const joined = (values: (string | number | null | undefined)[] | null) =>
  (values ?? []).filter(Boolean).join(", ") || "—";

/** What a list says of an entry, as texts. */
export const entryTexts = (entry: Entry): Record<EntryField, string> => ({
  names: joined(entry.names.map(({ text }) => text)),
  birth: joined([...entry.datesOfBirth, ...entry.placesOfBirth]),
  gender: joined(entry.genders),
  nationalities: joined([...new Set([...entry.nationalities, ...entry.countries])]),
  identifiers: joined(entry.identifiers.map(({ kind, value }) => `${kind} ${value}`)),
  addresses: joined(entry.addresses),
  positions: joined(entry.positions),
  programs: joined(entry.programs),
  remarks: joined(entry.remarks),
});
