/** Measures a face by the points of its mesh, by the same rules as the server's `engines/face/expression`. */
import { boundsOf, LEFT_EYE, RIGHT_EYE, type Points } from "./points";
import { sample, turned } from "./sampling";
import type { Box, Expression, Picture, SeenFace } from "./types";

const [FOREHEAD, CHIN] = [10, 152];
const LIPS = [13, 14] as const;
const MOUTH_INNER = [78, 308] as const;
const MOUTH_CORNERS = [61, 291] as const;
/** The crop of an eye: its width as a multiple of the eye's, and its size in pixels. */
const EYE_MARGIN = 1.5;
const [EYE_WIDTH, EYE_HEIGHT] = [24, 16];
/** The middles of the cheeks, below the right and the left eye. */
const CHEEKS = [50, 280];
// Half the side of the cheek's square, as a share of the distance between the eyes' outer corners.
const CHEEK_REACH = 0.08;
// The share of an eye's pixels that are darker than its light.
const BRIGHT = 0.95;
// Every so many pixels give the mean.
const SPARSE = 8;

type Vector = [number, number, number];

const point = (points: Points, at: number): Vector => [
  points[3 * at]!,
  points[3 * at + 1]!,
  points[3 * at + 2]!,
];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const times = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
const length = (a: Vector): number => Math.sqrt(dot(a, a)) + 1e-9;
const degrees = (radians: number): number => (radians * 180) / Math.PI;
/** In three dimensions, which a turn of the head does not change. */
const distance = (points: Points, [one, other]: readonly [number, number]): number =>
  length(minus(point(points, one), point(points, other)));

export function describe(points: Points, picture: Picture): SeenFace {
  const box = boundsOf(points);
  const [yaw, pitch, roll] = pose(points);
  const expression: Expression = {
    yaw,
    pitch,
    roll,
    mouth: distance(points, LIPS) / distance(points, MOUTH_INNER),
    smile: distance(points, MOUTH_CORNERS) / distance(points, [RIGHT_EYE[0], LEFT_EYE[0]]),
    eyes: [eye(points, picture, ...RIGHT_EYE), eye(points, picture, LEFT_EYE[1], LEFT_EYE[0])],
  };
  return { box, expression, light: meanLight(picture, box), eyeLight: eyeLight(points, picture, expression) };
}

function eyeLight(points: Points, picture: Picture, { eyes }: Expression): number {
  const [right, left] = [point(points, RIGHT_EYE[0]), point(points, LEFT_EYE[0])];
  const reach = CHEEK_REACH * Math.hypot(right[0] - left[0], right[1] - left[1]);
  const shares = CHEEKS.map((at, side) => {
    const [x, y] = point(points, at);
    const around = { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach };
    const bright = eyes[side]!.slice().sort()[Math.floor(BRIGHT * eyes[side]!.length)]!;
    return bright / Math.max(1, meanLight(picture, around, 1));
  });
  return Math.max(...shares);
}

function pose(points: Points): [number, number, number] {
  let across = minus(point(points, LEFT_EYE[0]), point(points, RIGHT_EYE[0]));
  across = times(across, 1 / length(across));
  let down = minus(point(points, CHIN), point(points, FOREHEAD));
  down = minus(down, times(across, dot(across, down)));
  down = times(down, 1 / length(down));
  const ahead: Vector = [
    across[1] * down[2] - across[2] * down[1],
    across[2] * down[0] - across[0] * down[2],
    across[0] * down[1] - across[1] * down[0],
  ];
  return [
    degrees(Math.atan2(-ahead[0], ahead[2])),
    degrees(Math.atan2(ahead[1], Math.hypot(ahead[0], ahead[2]))),
    degrees(Math.atan2(across[1], across[0])),
  ];
}

function eye(points: Points, picture: Picture, from: number, to: number): Uint8Array {
  const [start, end] = [point(points, from), point(points, to)];
  const centre = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2] as const;
  const angle = Math.atan2(end[1] - start[1], end[0] - start[0]);
  const wide = Math.hypot(end[0] - start[0], end[1] - start[1]) * EYE_MARGIN;
  const square = turned(centre, wide, angle, EYE_WIDTH);
  // Cut the square's upper and lower parts off.
  const skipped = (EYE_WIDTH - EYE_HEIGHT) / 2;
  const placement = {
    ...square,
    left: square.left - skipped * square.stepY,
    top: square.top + skipped * square.stepX,
  };
  const colours = sample(picture, placement, [EYE_WIDTH, EYE_HEIGHT], 1, 0);
  return Uint8Array.from({ length: EYE_WIDTH * EYE_HEIGHT }, (_, at) => colours[3 * at + 1]!);
}

/** Return the mean of the green channel, which is nearest to the luminance. */
export function meanLight({ pixels, width, height }: Picture, box?: Box, every = SPARSE): number {
  const left = Math.max(0, Math.round(box?.x ?? 0));
  const top = Math.max(0, Math.round(box?.y ?? 0));
  const right = Math.min(width, Math.round(box ? box.x + box.width : width));
  const bottom = Math.min(height, Math.round(box ? box.y + box.height : height));
  let [sum, count] = [0, 0];
  for (let y = top; y < bottom; y += every) {
    for (let x = left; x < right; x += every, count++) sum += pixels[4 * (y * width + x) + 1]!;
  }
  return count ? sum / count : 0;
}
