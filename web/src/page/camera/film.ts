/**
 * Records the frames of one prompt of a challenge. A prompt ends once the face has moved and come to
 * rest, or when its time is over.
 */
import type { Light, Move } from "../api";
import { pause } from "../progress";
import { change, HEIGHT, isSame, toThumbnail, WIDTH, type Thumbnail } from "./face-change";
import { encode } from "./jpeg";
import { cutOut, type Cut } from "./pictures";
import type { MoveWatch } from "./sight/moves";

const FRAME_HEIGHT = 600;
const JPEG_QUALITY = 0.88;
const EVERY = 120;
// The server accepts three to twelve frames per prompt, and runs the face engine on each.
const MOST_FRAMES = 6;
const FEWEST_FRAMES = 5;
const LEAST_FRAMES = 3;
// Nobody can read a prompt and follow it in less time.
const SHORTEST = 1_000;
const AT_REST = 350;
// How long to wait for a frame that differs from the one before.
const PATIENCE = 1_000;
// From this length of stillness on, a frame is also taken in its middle: a move that starts too early
// may be over by the cue.
const TWICE = 800;
// Time to read the text that announces the colours.
const READING = 2_000;
const LONGEST_BLINK = 400;
// A person who still held the previous pose may only have come back, and be about to move.
const PONDERING = 1_500;
// A person who has not moved when the time is over gets it a second time. A challenge lasts half a
// minute longer than its prompts.
const WAITING = 2;
// Consecutive moves without any change after which the film ends. One alone may be a blink that was too
// short to be noticed here, and the server may still see it.
const IDLE = 2;
// The least change of a moving face (see `change`); or twice the change at rest, if that is more.
const LEAST_CHANGE = 3.5;
const OVER_TREMBLING = 2;

/** Nobody waits for it between two prompts. */
export type Encoding = Promise<File>;

interface Frame {
  jpeg: Promise<Blob>;
  thumbnail: Thumbnail;
}

export class Film {
  private readonly canvas = document.createElement("canvas");
  private readonly small = new OffscreenCanvas(WIDTH, HEIGHT).getContext("2d", {
    willReadFrequently: true,
  })!;
  private before: Thumbnail | null = null;
  private atRest: Thumbnail | null = null;
  private enough = LEAST_CHANGE;
  private unchanged = 0;

  /** `cut`: the part of the video to film; `watch` sees the moves, if the page can see faces. */
  constructor(
    private readonly video: HTMLVideoElement,
    private readonly cut: () => Cut,
    private readonly watch: MoveWatch | null,
  ) {}

  /** Whether the picture stays as it is although moves are asked for: nobody follows the prompts. */
  get isIdle(): boolean {
    return this.unchanged >= IDLE;
  }

  /** Record the resting face first: it shows how much this camera shakes. */
  async rest(id: string, timeout: number, stopped: AbortSignal): Promise<Encoding[]> {
    const frames = await this.record(timeout, stopped, (_, at) => at > SHORTEST);
    const [first, ...others] = frames.map(({ thumbnail }) => thumbnail);
    const changes = others.map((thumbnail) => change(thumbnail, first!)).sort((a, b) => a - b);
    // A camera whose picture never changes gives no frames to send.
    if (frames.length < LEAST_FRAMES) this.unchanged = IDLE;
    const trembling = changes[Math.floor(changes.length * 0.8)] ?? 0;
    this.enough = Math.max(LEAST_CHANGE, OVER_TREMBLING * trembling);
    this.atRest = others.at(-1) ?? first!;
    return named(evenly(frames), id);
  }

  /** Record the still face just before the cue; the server checks that it kept still. */
  async still(id: string, milliseconds: number, stopped: AbortSignal): Promise<Encoding[]> {
    const began = performance.now();
    const frames: Frame[] = [];
    for (const at of milliseconds < TWICE ? [milliseconds] : [milliseconds / 2, milliseconds]) {
      await pause(at - (performance.now() - began), stopped);
      frames.push(...(await this.record(0, stopped, () => true, 1)));
    }
    return named(frames, id, "s");
  }

  async move(move: Move, id: string, timeout: number, stopped: AbortSignal): Promise<Encoding[]> {
    const following = new Following(move, this.enough, this.atRest!);
    const isWatched = () => !!this.watch && this.watch.progress >= 1;
    const frames = await this.record(WAITING * timeout, stopped, (thumbnail, at) => {
      following.see(thumbnail, at, isWatched());
      const isSeen = !this.watch || isWatched() || at > timeout;
      return (isSeen && following.isOver(at)) || (at > timeout && following.hasChanged);
    });
    this.unchanged = following.hasChanged || isWatched() ? 0 : this.unchanged + 1;
    return named(mostUnlike(frames), id);
  }

  /** Record a frame of the face in each colour; no frame at all if the camera is frozen. */
  async lit(light: Light, show: (colour: string) => void, stopped: AbortSignal): Promise<Encoding[]> {
    const frames: Frame[] = [];
    show("#ffffff");
    await pause(READING, stopped);
    for (const colour of light.colours) {
      show(colour);
      // Screen, exposure and camera need time, so the frame is taken at the colour's end.
      await pause(light.eachMs, stopped);
      const [frame] = await this.record(0, stopped, () => true, 1);
      if (!frame) return [];
      frames.push(frame);
    }
    return named(frames, light.promptId);
  }

  private async record(
    longest: number,
    stopped: AbortSignal,
    isOver: (thumbnail: Thumbnail, at: number) => boolean,
    fewest = FEWEST_FRAMES,
  ): Promise<Frame[]> {
    const began = performance.now();
    const frames: Frame[] = [];
    for (;;) {
      stopped.throwIfAborted();
      const at = performance.now() - began;
      const thumbnail = this.capture();
      let hasEnded = at >= longest;
      // Skip a picture that is the same as the last one: the server takes a repeated frame for fraud.
      if (!this.before || !isSame(thumbnail, this.before)) {
        frames.push({ jpeg: encode(this.canvas, JPEG_QUALITY), thumbnail });
        this.before = thumbnail;
        hasEnded ||= isOver(thumbnail, at);
      }
      // Wait for the required frames of a slow camera, but not for ever: it may be frozen.
      if ((hasEnded && frames.length >= fewest) || at > Math.max(2 * longest, PATIENCE)) return frames;
      await pause(Math.max(20, EVERY - (performance.now() - began - at)));
    }
  }

  /** Capture the camera's current picture once for both uses, because it may change in between. */
  private capture(): Thumbnail {
    cutOut(this.video, this.cut(), this.canvas, FRAME_HEIGHT);
    this.small.drawImage(this.canvas, 0, 0, WIDTH, HEIGHT);
    return toThumbnail(this.small.getImageData(0, 0, WIDTH, HEIGHT).data);
  }
}

/**
 * Detects that the move was made: the face comes to rest in another pose, or was in one for a while.
 * A blink is shorter, and does not count as another move.
 */
class Following {
  private pose: Thumbnail | null = null;
  private still: Thumbnail | null = null;
  private stillSince = 0;
  private hasStirred = false;
  private stirredAt = 0;
  private changes = 0;
  private awaited = 1;

  constructor(
    private readonly move: Move,
    private readonly enough: number,
    private readonly atRest: Thumbnail,
  ) {}

  /** `isWatched`: whether the page has seen the very move that is asked for. */
  see(thumbnail: Thumbnail, at: number, isWatched: boolean): void {
    if (!this.pose || !this.still) {
      // The first change is then the return from the pose of the previous prompt.
      if (change(thumbnail, this.atRest) > this.enough) this.awaited = 2;
      this.pose = this.still = thumbnail;
    } else if (change(thumbnail, this.still) > this.enough) {
      if (!this.hasStirred) this.stirredAt = at;
      this.still = thumbnail;
      this.stillSince = at;
      this.hasStirred = true;
    } else if (this.hasStirred && at - this.stillSince > AT_REST) {
      this.hasStirred = false;
      const isShort = this.stillSince - this.stirredAt < LONGEST_BLINK;
      const isBlink = isShort && change(thumbnail, this.pose) <= this.enough;
      if (isBlink && this.move !== "blink" && !isWatched) return;
      this.changes += 1;
      this.pose = thumbnail;
    }
  }

  isOver(at: number): boolean {
    const patience = this.changes >= this.awaited ? AT_REST : PONDERING;
    return this.hasChanged && at > SHORTEST && at - this.stillSince > patience;
  }

  get hasChanged(): boolean {
    return this.changes > 0;
  }
}

function evenly(frames: Frame[]): Frame[] {
  const count = Math.min(frames.length, FEWEST_FRAMES);
  const step = (frames.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, place) => frames[Math.round(place * step)]!);
}

/**
 * Return the first and the last frame, then repeatedly the one least like those chosen. They must
 * include the few frames of a blink, and the face before it moved.
 */
function mostUnlike(frames: Frame[]): Frame[] {
  const chosen = new Set([0, frames.length - 1]);
  const unlike = frames.map(() => Infinity);
  const compareWith = (other: number) =>
    frames.forEach(({ thumbnail }, at) => {
      unlike[at] = Math.min(unlike[at]!, at === other ? 0 : change(thumbnail, frames[other]!.thumbnail));
    });
  for (const at of chosen) compareWith(at);
  while (chosen.size < Math.min(frames.length, MOST_FRAMES)) {
    const next = unlike.reduce((most, each, at) => (each > unlike[most]! && !chosen.has(at) ? at : most), 0);
    const at = chosen.has(next) ? frames.findIndex((_, each) => !chosen.has(each)) : next;
    chosen.add(at);
    compareWith(at);
  }
  return frames.filter((_, at) => chosen.has(at));
}

const named = (frames: Frame[], id: string, mark = ""): Encoding[] =>
  frames.map(async ({ jpeg }, at) => {
    const content = await jpeg;
    return new File([content], `${id}-${at + 1}${mark}.jpg`, { type: content.type });
  });
