import type { Case } from "./queries";
import type { Corner, Mark } from "./pictures";

type Field = Case["extraction"][number] & { box?: Corner[] | null };

/** Where a field was read, or null if the service does not say. */
export function placeOf(field: Field): Mark | null {
  if (!field.documentId || !field.box) return null;
  return { documentId: field.documentId, corners: field.box };
}

/** The corners of a box `[left, top, right, bottom]`. */
export const cornersOf = ([left, top, right, bottom]: [number, number, number, number]): Corner[] => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];
