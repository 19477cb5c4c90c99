import type { Corner, Mark } from "./pictures";
import type { Case, LocatedField } from "./queries";

type Box = readonly number[];

/** The corners of a box `[left, top, right, bottom]`. */
export function cornersOf(box: Box): Corner[] {
  const [left = 0, top = 0, right = 0, bottom = 0] = box;
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

// Of the page: boxes can be tight, and a mark covers no letter.
const MARGIN = { across: 0.018, down: 0.01 };

const around = ([left = 0, top = 0, right = 0, bottom = 0]: Box): Box => [
  Math.max(left - MARGIN.across, 0),
  Math.max(top - MARGIN.down, 0),
  Math.min(right + MARGIN.across, 1),
  Math.min(bottom + MARGIN.down, 1),
];

/** Where a field was read: the place of its own source, else of another one; null if unknown. */
export function placeOf(
  field: Case["extraction"][number],
  located: readonly LocatedField[],
): Mark | null {
  const found = located.find(
    (each) => each.field === field.field && each.documentId === field.documentId,
  );
  const sources = found?.sources.filter((source) => source.box) ?? [];
  const best = sources.find((source) => source.source === field.source) ?? sources[0];
  if (!found || !best?.box) return null;
  return { documentId: found.documentId, mediaId: best.mediaId, corners: cornersOf(around(best.box)) };
}
