/** The document before the camera: its edges, and what the person should change. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { findCorners, type Corner, type Corners } from "./edges";
import { around, behind, within } from "./frame";
import {
  adviseDocument,
  measure,
  movement,
  sharpness,
  type Area,
  type Hint,
} from "./guidance";
import { cutOut, type Cut } from "./pictures";
import { isSameSide, layoutOf, type Layout } from "./sides";

export type Paper = "card" | "page";

// Of a document's picture, the frame has this share of the width; ISO/IEC 7810: ID-1 and, of a
// passport's page, ID-3.
const ASPECT = 4 / 3;
const SHARE = 0.9;
const SHAPES: Record<Paper, number> = { card: 85.6 / 53.98, page: 125 / 88 };
const EVERY = 125;
const MEASURED_HEIGHT = 120;
// The part in the middle whose sharpness is measured, in the camera's own pixels.
const SHARP_PART = { width: 320, height: 192 };
// Looks in a row without a fault after which the shutter releases by itself: half a second.
const STEADY = 4;
// Looks in a row that miss the edges before they are no longer drawn, and before the page says that it does
// not see them: half a second and five seconds.
const [MISSED, UNSEEN] = [4, 40];

export interface DocumentView {
  hint: Hint;
  /** The document's corners, clockwise, and the middle of a reflection, in fractions of the frame. */
  edges: Corner[] | null;
  glare: Corner | null;
  /** The part of the video that is sent. */
  cut: () => Cut;
}

export function useDocument(
  isLive: boolean,
  video: RefObject<HTMLVideoElement | null>,
  frame: RefObject<HTMLDivElement | null>,
  options: { guide: Paper; isOpen: boolean; front: File | null; onReady: () => void },
): DocumentView {
  const { guide, isOpen, front } = options;
  const [hint, setHint] = useState<Hint>("frame");
  const [edges, setEdges] = useState<Corner[] | null>(null);
  const [glare, setGlare] = useState<Corner | null>(null);
  const ready = useRef(options.onReady);
  ready.current = options.onReady;
  const cut = () => {
    const outline = behind(video.current!, frame.current!, false);
    return around(video.current!, outline, ASPECT, (SHARE * ASPECT) / SHAPES[guide]);
  };
  useEffect(() => {
    if (!isLive) return undefined;
    let former: Layout | null = null;
    if (front) void layoutIn(front, SHAPES[guide]).then((layout) => (former = layout));
    const look = looker(video, frame, cut, SHAPES[guide], isOpen, () => former);
    let [steady, missed] = [0, 0];
    const check = () => {
      const seen = look();
      if (!seen) return;
      const { advice, corners } = seen;
      missed = corners ? 0 : missed + 1;
      steady = advice === "ready" ? steady + 1 : 0;
      if (corners || missed > MISSED) setEdges(corners);
      setHint(advice === "edges" && missed < UNSEEN ? "frame" : advice);
      setGlare(advice === "glare" ? seen.glare : null);
      if (steady >= STEADY) ready.current();
    };
    const timer = setInterval(check, EVERY);
    return () => clearInterval(timer);
  }, [isLive, guide]);
  return { hint, edges, glare, cut };
}

interface Look {
  advice: Hint;
  /** In fractions of the frame. */
  corners: Corner[] | null;
  glare: Corner;
}

/** Return what looks at the video's current picture, as long as there is one. `former`: the side that was
 * taken already. */
function looker(
  video: RefObject<HTMLVideoElement | null>,
  frame: RefObject<HTMLDivElement | null>,
  cut: () => Cut,
  aspect: number,
  isOpen: boolean,
  former: () => Layout | null,
): () => Look | null {
  const [canvas, detail] = [new OffscreenCanvas(1, 1), new OffscreenCanvas(1, 1)];
  let before: Corners | null = null;
  return () => {
    if (!video.current?.videoWidth || !frame.current) return null;
    const part = cut();
    const context = cutOut(video.current, part, canvas, MEASURED_HEIGHT);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
    const { width, height } = pixels;
    const outline = within(behind(video.current, frame.current, false), part);
    const corners = findCorners(pixels, aspect, isOpen ? (outline.y + outline.height) * height : null);
    const now = measure(pixels, outline, corners);
    const moved = corners ? movement(corners, before, width) : 0;
    const sharp = () => sharpnessIn(video.current!, part, detail);
    before = corners;
    const taken = former();
    return {
      advice:
        corners && taken && isSameSide(layoutOf(pixels, corners), taken)
          ? "otherSide"
          : adviseDocument(now, { width, height, outline, corners }, moved, sharp),
      corners: corners && inside(corners, pixels, outline),
      glare: now.glare,
    };
  };
}

/** Return the layout of the document in a picture, or null if its edges are not found. */
async function layoutIn(file: File, aspect: number): Promise<Layout | null> {
  // A PDF is no picture.
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const { width, height } = picture;
  const whole = { x: 0, y: 0, width, height };
  const context = cutOut(picture, whole, new OffscreenCanvas(1, 1), MEASURED_HEIGHT);
  const pixels = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  const corners = findCorners(pixels, aspect, null);
  return corners && layoutOf(pixels, corners);
}

/** Return the corners in fractions of the outline. */
const inside = (corners: Corners, { width, height }: ImageData, outline: Area): Corner[] =>
  corners.map(({ x, y }) => ({
    x: ((x + 0.5) / width - outline.x) / outline.width,
    y: ((y + 0.5) / height - outline.y) / outline.height,
  }));

function sharpnessIn(video: HTMLVideoElement, part: Cut, canvas: OffscreenCanvas): number {
  const { width, height } = SHARP_PART;
  const middle = {
    x: Math.round(part.x + (part.width - width) / 2),
    y: Math.round(part.y + (part.height - height) / 2),
    width,
    height,
  };
  const context = cutOut(video, middle, canvas);
  return sharpness(context.getImageData(0, 0, canvas.width, canvas.height));
}
