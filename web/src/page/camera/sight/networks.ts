/**
 * The two networks that the server uses as well (`engines/face/find`): BlazeFace finds faces, the face mesh
 * confirms them and lays 468 points on each.
 */
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { loadGraphModel, type GraphModel } from "@tensorflow/tfjs-converter";
import { enableProdMode, env, setBackend, type io } from "@tensorflow/tfjs-core";
import meshGraph from "../../../../node_modules/@vladmandic/human/models/facemesh.json?url";
import meshWeights from "../../../../node_modules/@vladmandic/human/models/facemesh.bin?url";
import detectorGraph from "../../../../node_modules/@vladmandic/human/models/blazeface.json?url";
import detectorWeights from "../../../../node_modules/@vladmandic/human/models/blazeface.bin?url";
import wasm from "../../../../node_modules/@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url";
import { boundsOf, LEFT_EYE, RIGHT_EYE, type Points } from "./points";
import { noteCalls, record, type Network } from "./replay";
import { sample, toPicture, turned, type Placement } from "./sampling";
import type { Picture } from "./types";

// BlazeFace is trained at 256 by 256, finds by its convolutions at any multiples of 32, and takes 0.3 of the
// time at 128 by 160, which has the picture's aspect: a face as large as the oval asks for is then still 60
// pixels wide.
const [DETECTOR_SIDE, DETECTOR_MULTIPLE] = [160, 32];
// Before an empty chair, three of four looks take 0.6 of that: what they find is searched for at full size.
const [IDLE_SIDE, IDLE_LOOKS] = [128, 3];
// The outputs of its last convolutions: the reshaped ones after them are bound to a side of 256.
const DETECTOR_OUTPUTS = [33, 34, 35, 36].map(
  (number) => `StatefulPartitionedCall/functional_1/conv2d_${number}/BiasAdd`,
);
const MESH_SIDE = 192;
const MESH_OUTPUTS = ["conv2d_21/BiasAdd", "activation_1/Sigmoid"].map(
  (name) => `StatefulPartitionedCall/model_1/${name}`,
);
const MESH_POINTS = 468;
// The mesh's crop as a multiple of the detector's box, as in its training.
const MESH_MARGIN = 1.5;
const LEAST_SCORE = 0.5;
const LEAST_PRESENCE = 0.5;
const OVERLAP = 0.3;
// One face is right and a second one wrong: no need to lay a mesh on a third.
const MOST_FACES = 2;
// A single face is followed from look to look, and the detector, which takes longest, looks for others
// at every eighth one only: about once a second on a slow phone.
const FOLLOWED = 7;

interface Candidate {
  score: number;
  centre: [number, number];
  size: [number, number];
  /** From the right eye to the left one; radians. */
  angle: number;
}

let detector: GraphModel;
let mesh: Network;
// By the input's size.
const detectors = new Map<string, Network>();
let followed: Points | null = null;
let looks = 0;
let idle = 0;

/** Throw if the browser cannot run them. */
export async function load(): Promise<void> {
  enableProdMode();
  // Every browser that the page is built for has SIMD; a worker without isolation has no threads.
  env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  setWasmPaths({
    "tfjs-backend-wasm.wasm": wasm,
    "tfjs-backend-wasm-simd.wasm": wasm,
    "tfjs-backend-wasm-threaded-simd.wasm": wasm,
  });
  const [hasBackend, ...stored] = await Promise.all([
    setBackend("wasm"),
    download(detectorGraph, detectorWeights),
    download(meshGraph, meshWeights),
  ]);
  if (!hasBackend) throw new Error("WebAssembly is not available");
  noteCalls();
  const models = await Promise.all(
    stored.map((artifacts) => loadGraphModel({ load: async () => artifacts })),
  );
  detector = models[0]!;
  mesh = record(models[1]!, "input_1", [1, MESH_SIDE, MESH_SIDE, 3], MESH_OUTPUTS);
}

async function download(description: string, weights: string): Promise<io.ModelArtifacts> {
  const [described, weightData] = await Promise.all([
    fetch(description).then((answer) => answer.json()),
    fetch(weights).then((answer) => answer.arrayBuffer()),
  ]);
  const { modelTopology, weightsManifest } = described;
  // Both networks accept any side that their convolutions do.
  for (const node of modelTopology.node) {
    if (node.op === "Placeholder") node.attr.shape.shape.dim = [1, -1, -1, 3].map((size) => ({ size }));
  }
  const weightSpecs = weightsManifest[0].weights;
  return { modelTopology, weightSpecs, weightData };
}

/** Return the points of each face, the surest first. */
export function findFaces(picture: Picture): Points[] {
  const points = followed && looks < FOLLOWED ? layMesh(picture, around(followed)) : null;
  if (points) {
    looks += 1;
    followed = points;
    return [points];
  }
  looks = 0;
  if (idle > 0 && !detect(picture, IDLE_SIDE).length) {
    idle -= 1;
    return [];
  }
  const faces = searchFaces(picture);
  idle = faces.length ? 0 : IDLE_LOOKS;
  followed = faces.length === 1 ? faces[0]! : null;
  return faces;
}

function searchFaces(picture: Picture): Points[] {
  const faces: Points[] = [];
  for (const candidate of distinct(detect(picture, DETECTOR_SIDE))) {
    const points = layMesh(picture, candidate);
    if (points) faces.push(points);
    if (faces.length === MOST_FACES) break;
  }
  return faces;
}

/** Return where the face of the last look is, as the detector would say it. */
function around(points: Points): Omit<Candidate, "score"> {
  const { x, y, width, height } = boundsOf(points);
  const [right, left] = [3 * RIGHT_EYE[0], 3 * LEFT_EYE[0]];
  return {
    centre: [x + width / 2, y + height / 2],
    size: [width, height],
    angle: Math.atan2(points[left + 1]! - points[right + 1]!, points[left]! - points[right]!),
  };
}

function detect(picture: Picture, side: number): Candidate[] {
  const step = Math.max(picture.width, picture.height) / side;
  const size = [picture.width, picture.height].map(
    (length) => DETECTOR_MULTIPLE * Math.ceil(length / step / DETECTOR_MULTIPLE),
  ) as [number, number];
  const start = (length: number, pixels: number) => (length - 1 - (pixels - 1) * step) / 2;
  const placement = {
    left: start(picture.width, size[0]),
    top: start(picture.height, size[1]),
    stepX: step,
    stepY: 0,
  };
  const answers = detectorOf(size)((levels) => sample(picture, placement, size, 1 / 127.5, -1, levels));
  const [nearScores, farScores, near, far] = answers as [Points, Points, Points, Points];
  return [
    ...candidates(nearScores, near, 16, 2, placement, size[0]),
    ...candidates(farScores, far, 32, 6, placement, size[0]),
  ];
}

function detectorOf(size: [number, number]): Network {
  const [width, height] = size;
  const known = detectors.get(`${size}`) ?? record(detector, "input", [1, height, width, 3], DETECTOR_OUTPUTS);
  detectors.set(`${size}`, known);
  return known;
}

/** BlazeFace's anchors: `count` to each cell of `stride` pixels, of a picture this wide. */
function candidates(
  logits: Float32Array,
  boxes: Float32Array,
  stride: number,
  count: number,
  placement: Placement,
  wide: number,
): Candidate[] {
  const found: Candidate[] = [];
  const cells = wide / stride;
  const length = boxes.length / logits.length;
  for (let at = 0; at < logits.length; at++) {
    const score = 1 / (1 + Math.exp(-logits[at]!));
    if (score <= LEAST_SCORE) continue;
    const cell = Math.floor(at / count);
    const anchor = [stride * ((cell % cells) + 0.5), stride * (Math.floor(cell / cells) + 0.5)];
    const value = (place: number) => boxes[at * length + place]!;
    const point = (place: number) =>
      toPicture(placement, value(place) + anchor[0]!, value(place + 1) + anchor[1]!);
    const [rightX, rightY] = point(4);
    const [leftX, leftY] = point(6);
    found.push({
      score,
      centre: point(0),
      size: [value(2) * placement.stepX, value(3) * placement.stepX],
      angle: Math.atan2(leftY - rightY, leftX - rightX),
    });
  }
  return found;
}

/** Return the surest of each group of overlapping boxes. */
function distinct(found: Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const each of found.sort((one, other) => other.score - one.score)) {
    if (kept.every((other) => overlap(each, other) < OVERLAP)) kept.push(each);
  }
  return kept;
}

function overlap(one: Candidate, other: Candidate): number {
  const shared = [0, 1].map((axis) => {
    const ends = [one, other].map(({ centre, size }) => centre[axis]! + size[axis]! / 2);
    const starts = [one, other].map(({ centre, size }) => centre[axis]! - size[axis]! / 2);
    return Math.max(0, Math.min(...ends) - Math.max(...starts));
  });
  const both = shared[0]! * shared[1]!;
  return both / (one.size[0] * one.size[1] + other.size[0] * other.size[1] - both);
}

function layMesh(picture: Picture, { centre, size, angle }: Omit<Candidate, "score">): Points | null {
  const side = Math.max(...size) * MESH_MARGIN;
  const placement = turned(centre, side, angle, MESH_SIDE);
  const answers = mesh((levels) =>
    sample(picture, placement, [MESH_SIDE, MESH_SIDE], 1 / 255, 0, levels),
  );
  const [points, presence] = answers as [Points, Points];
  if (presence[0]! < LEAST_PRESENCE) return null;
  for (let at = 0; at < MESH_POINTS * 3; at += 3) {
    const [x, y] = toPicture(placement, points[at]!, points[at + 1]!);
    points[at] = x;
    points[at + 1] = y;
    points[at + 2]! *= side / MESH_SIDE;
  }
  return points;
}
