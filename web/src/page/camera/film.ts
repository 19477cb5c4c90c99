/**
 * The frames of one prompt of a challenge. How long a move takes is the person's business: a prompt
 * ends once the face has moved and come to rest, or when its time is over.
 */
import { pause } from "../progress";
import { cutOut, toJpeg } from "./pictures";
import { visible } from "./viewfinder";

export const FACE_ASPECT = 4 / 5;
const FRAME_HEIGHT = 600;
const JPEG_QUALITY = 0.88;
const EVERY = 130;
// The server takes three to twelve frames of a prompt; each costs it a look at a face.
const MOST_FRAMES = 8;
const FEWEST_FRAMES = 5;
// Nobody reads a prompt and follows it in less.
const SHORTEST = 1_500;
const AT_REST = 350;
const [COLUMNS, ROWS] = [8, 10];
const TILE = 6;
// Grey levels by which a part of the picture changes when a face moves; sensors tremble below.
const LEAST_CHANGE = 7;
const OVER_TREMBLING = 2;

interface Frame {
  file: File;
  change: number;
}

type Tiles = Float32Array;

export class Film {
  private readonly canvas = document.createElement("canvas");
  private readonly small = new OffscreenCanvas(COLUMNS * TILE, ROWS * TILE).getContext("2d", {
    willReadFrequently: true,
  })!;
  private before: Tiles | null = null;
  private trembling = 0;

  constructor(private readonly video: HTMLVideoElement) {}

  /** The resting face, first: it shows how much this camera trembles by itself. */
  async rest(id: string, timeout: number, stopped: AbortSignal): Promise<File[]> {
    const { frames, changes } = await this.record(timeout, stopped, () => false, SHORTEST);
    this.trembling = changes.sort((a, b) => a - b)[Math.floor(changes.length * 0.8)] ?? 0;
    return choose(frames, id);
  }

  async move(id: string, timeout: number, stopped: AbortSignal): Promise<File[]> {
    const enough = Math.max(LEAST_CHANGE, OVER_TREMBLING * this.trembling);
    let hasMoved = false;
    let restingSince = Infinity;
    const { frames } = await this.record(timeout, stopped, (change, step, at) => {
      hasMoved ||= change > enough;
      if (step > enough) restingSince = Infinity;
      else if (restingSince === Infinity) restingSince = at;
      return hasMoved && at > SHORTEST && at - restingSince > AT_REST;
    });
    return choose(frames, id);
  }

  private async record(
    timeout: number,
    stopped: AbortSignal,
    isOver: (change: number, step: number, at: number) => boolean,
    longest = timeout,
  ): Promise<{ frames: Frame[]; changes: number[] }> {
    const began = performance.now();
    const frames: Frame[] = [];
    const changes: number[] = [];
    let first: Tiles | null = null;
    for (;;) {
      stopped.throwIfAborted();
      const at = performance.now() - began;
      const tiles = this.look();
      first ??= tiles;
      const change = difference(tiles, first);
      const step = this.before ? difference(tiles, this.before) : Infinity;
      // The camera has brought nothing new: a frame that is sent twice is taken for a fraud.
      if (step > 0) {
        const file = await toJpeg(this.canvas, "frame.jpg", JPEG_QUALITY);
        frames.push({ file, change });
        changes.push(change);
        this.before = tiles;
      }
      const isLong = at >= Math.min(longest, timeout) || isOver(change, step, at);
      // A slow camera still gives the frames that are needed; one that stands still never will.
      if ((isLong && frames.length >= FEWEST_FRAMES) || at > 2 * timeout) break;
      await pause(Math.max(20, EVERY - (performance.now() - began - at)));
    }
    return { frames, changes };
  }

  /** Take the camera's present picture, once for both uses: the next may come in between. */
  private look(): Tiles {
    cutOut(this.video, visible(this.video, FACE_ASPECT), this.canvas, FRAME_HEIGHT);
    const [width, height] = [COLUMNS * TILE, ROWS * TILE];
    this.small.drawImage(this.canvas, 0, 0, width, height);
    const { data } = this.small.getImageData(0, 0, width, height);
    const tiles = new Float32Array(width * height);
    for (let at = 0; at < tiles.length; at++) tiles[at] = data[4 * at + 1]!;
    return tiles;
  }
}

/** How much the most changed tile differs: a blink moves little, but there it moves a lot. */
function difference(one: Tiles, other: Tiles): number {
  let most = 0;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      let sum = 0;
      for (let y = row * TILE; y < (row + 1) * TILE; y++) {
        for (let x = column * TILE; x < (column + 1) * TILE; x++) {
          const at = y * COLUMNS * TILE + x;
          sum += Math.abs(one[at]! - other[at]!);
        }
      }
      most = Math.max(most, sum / (TILE * TILE));
    }
  }
  return most;
}

/** Evenly over the time, and the two that changed most: a blink is quickly over. */
function choose(frames: Frame[], id: string): File[] {
  const spread = Math.min(frames.length, MOST_FRAMES - 2);
  const even = Array.from({ length: spread }, (_, place) =>
    Math.round((place * (frames.length - 1)) / Math.max(1, spread - 1)),
  );
  const peaks = frames
    .map((frame, at) => ({ at, change: frame.change }))
    .sort((a, b) => b.change - a.change)
    .slice(0, 2)
    .map(({ at }) => at);
  const chosen = [...new Set([...even, ...peaks])].sort((a, b) => a - b);
  return chosen.map((at, number) => {
    const { file } = frames[at]!;
    return new File([file], `${id}-${number + 1}.jpg`, { type: file.type });
  });
}
