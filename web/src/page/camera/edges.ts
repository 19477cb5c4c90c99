/**
 * Finds the four edges of a document in a small picture from the viewfinder, as the server does with large
 * ones (`engines/documents/find_document`). Steps of any colour vote for straight lines that are nearly level
 * or upright. Of the lines with most votes, those four are the document's that have steps from corner to
 * corner and none beyond, and the document's proportions: lines of print end before the corners, the grain
 * and the joints of a table go on after them.
 */
import type { Pixels } from "./guidance";

export interface Corner {
  x: number;
  y: number;
}

/** Clockwise from the top left, in pixels of the picture. */
export type Corners = [Corner, Corner, Corner, Corner];

/** Steps of brightness, after Sobel, of lines that are nearly parallel to the first axis. */
interface Field {
  length: number;
  depth: number;
  along: Int16Array;
  across: Int16Array;
}

/** Where a line is at the middle of the first axis, its slope, and the direction of its step. */
interface Line {
  place: number;
  slope: number;
  sign: number;
}

interface Candidate extends Line {
  /** Of each pixel along the line, the sum of the steps before it: 1 for a whole one, negative if it falls. */
  steps: Float32Array;
}

// After Sobel: of six grey levels, and the mean of three pixels across an edge of eight or more.
const LEAST_STEP = 24;
const WHOLE_STEP = 22;
// The tangent of the greatest angle, the distance of the slopes that are tried, and how many slopes beside
// the measured one get a vote.
const STEEPEST = 0.36;
const SLOPE_STEP = 0.02;
const SLOPES = Math.round((2 * STEEPEST) / SLOPE_STEP) + 1;
const SPREAD = 4;
// Lines of each side, and how near two of them may be.
const MOST_LINES = 6;
const [NEAR_PLACE, NEAR_SLOPE] = [3, 4];
// Between the edges that face each other there is at least this share of the picture.
const LEAST_GAP = 0.2;
// A rounded corner, and the part beyond it where an edge has no steps, as shares of the edge.
const [ROUNDED, BEYOND] = [0.05, 0.12];
// A document that is held at an angle looks shorter.
const MOST_SHORTENED = 1.2;
const MOST_UNEQUAL = 1.35;
// Shares of an edge that have its step: of the faintest edge, which a finger may hide, of the next one, and
// of all; and how much of what is beyond the corners may.
const [LEAST_FAINTEST, LEAST_NEXT, LEAST_MEAN] = [0.55, 0.6, 0.7];
const MOST_BEYOND = 0.25;
// The least mean where the document is not lighter, or darker, than the table at one of its edges.
const LEAST_MIXED = 0.85;
// What counts besides: lines that end at the corners, a large document, its proportions.
const [OF_BEYOND, OF_SIZE, OF_ASPECT] = [0.5, 0.6, 0.5];
// Pixels to either side where an edge's exact place is measured.
const REACH = 3;

/**
 * `aspect`: of the document, width by height. `end`: where a document is taken to end whose lower edge is
 * outside of the picture, in pixels. Return null if no four lines are a document's edges.
 */
export function findCorners(pixels: Pixels, aspect: number, end: number | null = null): Corners | null {
  const { width, height } = pixels;
  const isOpen = end !== null;
  const [rows, columns] = stepsOf(pixels);
  const tops = strongest(rows, 1, (0.5 - LEAST_GAP / 2) * height);
  const bottoms = isOpen
    ? [endOf(rows, end)]
    : strongest(rows, (0.5 + LEAST_GAP / 2) * height, height - 1);
  const lefts = strongest(columns, 1, (0.5 - LEAST_GAP / 2) * width);
  const rights = strongest(columns, (0.5 + LEAST_GAP / 2) * width, width - 1);
  let best: [Candidate, Candidate, Candidate, Candidate] | null = null;
  let most = 0;
  for (const top of tops) {
    for (const bottom of bottoms) {
      for (const left of lefts) {
        for (const right of rights) {
          const corners = meet(rows, columns, top, right, bottom, left);
          if (!isLikely(corners, width, height, isOpen ? null : aspect)) continue;
          const score = rate(corners, [top, right, bottom, left], pixels, aspect, isOpen);
          if (score > most) [best, most] = [[top, right, bottom, left], score];
        }
      }
    }
  }
  if (!best) return null;
  const [top, right, bottom, left] = best;
  const rough = meet(rows, columns, top, right, bottom, left);
  const [upperLeft, upperRight, lowerRight, lowerLeft] = rough;
  return meet(
    rows,
    columns,
    placed(rows, top, upperLeft.x, upperRight.x),
    placed(columns, right, upperRight.y, lowerRight.y),
    isOpen ? bottom : placed(rows, bottom, lowerLeft.x, lowerRight.x),
    placed(columns, left, upperLeft.y, lowerLeft.y),
  );
}

/** Return the steps for level and for upright lines; of each pixel, those of the colour with most. */
function stepsOf({ data, width, height }: Pixels): [Field, Field] {
  const made = (length: number, depth: number): Field => ({
    length,
    depth,
    along: new Int16Array(length * depth),
    across: new Int16Array(length * depth),
  });
  const [rows, columns] = [made(width, height), made(height, width)];
  const row = 4 * width;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      let [most, stepX, stepY] = [-1, 0, 0];
      for (let at = 4 * (y * width + x), end = at + 3; at < end; at++) {
        const falling = data[at + row + 4]! - data[at - row - 4]!;
        const rising = data[at + row - 4]! - data[at - row + 4]!;
        const gx = 2 * (data[at + 4]! - data[at - 4]!) + falling - rising;
        const gy = 2 * (data[at + row]! - data[at - row]!) + falling + rising;
        const size = Math.abs(gx) + Math.abs(gy);
        if (size > most) [most, stepX, stepY] = [size, gx, gy];
      }
      rows.along[y * width + x] = columns.across[x * height + y] = stepX;
      rows.across[y * width + x] = columns.along[x * height + y] = stepY;
    }
  }
  return [rows, columns];
}

/** Return the lines with most steps whose middle is between `from` and `to`. */
function strongest(field: Field, from: number, to: number): Candidate[] {
  const { length, depth, along, across } = field;
  const [first, count] = [Math.ceil(from), Math.floor(to) - Math.ceil(from)];
  const votes = new Uint16Array(2 * SLOPES * count);
  // Lines that begin beside their part of the picture still come into it.
  const reach = (STEEPEST * length) / 2;
  const [start, end] = [Math.max(1, first - reach), Math.min(depth - 1, first + count + reach)];
  for (let p = Math.floor(start); p < end; p++) {
    for (let q = 1; q < length - 1; q++) {
      const step = across[p * length + q]!;
      if (step < LEAST_STEP && step > -LEAST_STEP) continue;
      const measured = Math.round((STEEPEST - along[p * length + q]! / step) / SLOPE_STEP);
      if (measured < 0 || measured >= SLOPES) continue;
      const side = step > 0 ? SLOPES : 0;
      const last = Math.min(SLOPES - 1, measured + SPREAD);
      for (let at = Math.max(0, measured - SPREAD); at <= last; at++) {
        const slope = at * SLOPE_STEP - STEEPEST;
        const place = Math.round(p - slope * (q - length / 2)) - first;
        if (place >= 0 && place < count) votes[(side + at) * count + place]! += 1;
      }
    }
  }
  return peaks(votes, count).map(([at, place]) => {
    const slope = (at % SLOPES) * SLOPE_STEP - STEEPEST;
    const line = { place: first + place, slope, sign: at < SLOPES ? -1 : 1 };
    return withSteps(field, placed(field, line, 0, length));
  });
}

/** Return row and place of the greatest votes, none beside another. */
function peaks(votes: Uint16Array, count: number): [number, number][] {
  const found: [number, number][] = [];
  while (found.length < MOST_LINES) {
    let [best, most] = [-1, 0];
    for (let at = 0; at < votes.length; at++) if (votes[at]! > most) [best, most] = [at, votes[at]!];
    if (best < 0) break;
    const [row, place] = [Math.floor(best / count), best % count];
    found.push([row, place]);
    const [low, high] = row < SLOPES ? [0, SLOPES] : [SLOPES, 2 * SLOPES];
    for (let at = Math.max(low, row - NEAR_SLOPE); at < Math.min(high, row + NEAR_SLOPE + 1); at++) {
      const from = Math.max(0, place - NEAR_PLACE);
      votes.fill(0, at * count + from, at * count + Math.min(count, place + NEAR_PLACE + 1));
    }
  }
  return found;
}

function withSteps({ length, depth, along, across }: Field, line: Line): Candidate {
  const steps = new Float32Array(length + 1);
  for (let q = 0; q < length; q++) {
    const middle = Math.round(line.place + line.slope * (q - length / 2));
    let sum = 0;
    // Of three pixels, as an edge is spread over two. Signed, so noise and print cancel out.
    for (let p = Math.max(0, middle - 1); p <= Math.min(depth - 1, middle + 1); p++) {
      const at = p * length + q;
      sum += across[at]! - line.slope * along[at]!;
    }
    const step = (line.sign * sum) / (3 * WHOLE_STEP);
    steps[q + 1] = steps[q]! + Math.max(-1, Math.min(1, step));
  }
  return { ...line, steps };
}

/** A level line that counts as an edge. */
const endOf = ({ length }: Field, place: number): Candidate => ({
  place,
  slope: 0,
  sign: -1,
  steps: Float32Array.from({ length: length + 1 }, (_, at) => at),
});

/** Return where the four lines meet, in pixels. */
function meet(rows: Field, columns: Field, top: Line, right: Line, bottom: Line, left: Line): Corners {
  const crossing = (level: Line, upright: Line): Corner => {
    const startY = level.place - (level.slope * rows.length) / 2;
    const startX = upright.place - (upright.slope * columns.length) / 2;
    const x = (startX + upright.slope * startY) / (1 - upright.slope * level.slope);
    return { x, y: startY + level.slope * x };
  };
  return [crossing(top, left), crossing(top, right), crossing(bottom, right), crossing(bottom, left)];
}

const distance = (one: Corner, other: Corner): number =>
  Math.hypot(one.x - other.x, one.y - other.y);

/** Whether the corners are within the picture, and the sides those of a document of this aspect. */
function isLikely(corners: Corners, width: number, height: number, aspect: number | null): boolean {
  const [a, b, c, d] = corners;
  const isWithin = corners.every(({ x, y }) => x > 0 && y > 0 && x < width && y < height);
  if (!isWithin) return false;
  const [top, right, bottom, left] = [distance(a, b), distance(b, c), distance(c, d), distance(d, a)];
  const isEqual = (one: number, other: number) =>
    Math.max(one, other) < MOST_UNEQUAL * Math.min(one, other);
  if (!isEqual(top, bottom) || !isEqual(left, right)) return false;
  if (aspect === null) return true;
  const shortened = (top + bottom) / (left + right) / aspect;
  return shortened < MOST_SHORTENED && shortened > 1 / MOST_SHORTENED;
}

/** Return 0 if these are not a document's edges; otherwise more if they are more likely. */
function rate(
  [a, b, c, d]: Corners,
  sides: readonly [Candidate, Candidate, Candidate, Candidate],
  { width, height }: Pixels,
  aspect: number,
  isOpen: boolean,
): number {
  const [top, right, bottom, left] = sides;
  const ends = [
    [top, a.x, b.x],
    [right, b.y, c.y],
    [bottom, d.x, c.x],
    [left, a.y, d.y],
  ] as const;
  const shares = ends.map(([line, from, to]) => {
    const inset = ROUNDED * (to - from);
    return share(line, from + inset, to - inset);
  });
  const [faintest, next] = [...shares].sort((one, other) => one - other) as [number, number];
  const mean = shares.reduce((sum, each) => sum + each) / 4;
  const alike = Math.abs(top.sign + left.sign - right.sign - (isOpen ? -top.sign : bottom.sign));
  if (faintest < LEAST_FAINTEST || next < LEAST_NEXT || alike < 2) return 0;
  if (mean < (alike < 4 ? LEAST_MIXED : LEAST_MEAN)) return 0;
  let beyond = 0;
  for (const [line, from, to] of ends) {
    if (isOpen && line === bottom) continue;
    const more = BEYOND * (to - from);
    const isCut = isOpen && (line === left || line === right);
    const after = isCut ? 0 : share(line, to + 2, to + more);
    beyond += (Math.max(0, share(line, from - more, from - 2)) + Math.max(0, after)) / 8;
  }
  if (beyond > MOST_BEYOND) return 0;
  const [wide, high] = [b.x - a.x, d.y - a.y];
  const unlike = isOpen ? 0 : Math.abs(Math.log(wide / high / aspect));
  return mean - OF_BEYOND * beyond + (OF_SIZE * wide * high) / width / height - OF_ASPECT * unlike;
}

/** Return how much of the line's step there is between two places, 0 to 1. */
function share({ steps }: Candidate, from: number, to: number): number {
  const [start, end] = [Math.max(0, Math.round(from)), Math.min(steps.length - 1, Math.round(to))];
  return end > start ? (steps[end]! - steps[start]!) / (end - start) : 0;
}

/** Return the line where the steps near it are steepest (least squares). */
function placed(field: Field, line: Line, from: number, to: number): Line {
  const { length, depth, along, across } = field;
  let [n, sumQ, sumP, sumQQ, sumQP] = [0, 0, 0, 0, 0];
  for (let q = Math.max(1, Math.round(from)); q < Math.min(length - 1, to); q++) {
    const near = line.place + line.slope * (q - length / 2);
    let [weight, moment] = [0, 0];
    for (let p = Math.round(near) - REACH; p <= Math.round(near) + REACH; p++) {
      if (p < 1 || p > depth - 2) continue;
      const at = p * length + q;
      const step = Math.max(0, line.sign * (across[at]! - line.slope * along[at]!));
      if (step < LEAST_STEP) continue;
      weight += step;
      moment += step * p;
    }
    if (!weight) continue;
    const [x, y] = [q - length / 2, moment / weight];
    n += 1;
    sumQ += x;
    sumP += y;
    sumQQ += x * x;
    sumQP += x * y;
  }
  const spread = n * sumQQ - sumQ * sumQ;
  if (n < 8 || spread <= 0) return line;
  const slope = (n * sumQP - sumQ * sumP) / spread;
  return { ...line, slope, place: (sumP - slope * sumQ) / n };
}
