/**
 * The frames of one prompt of a challenge. How long a move takes is the person's business: a prompt
 * ends once the face has moved and come to rest, or when its time is over.
 */
import type { Light, Move } from "../api";
import { pause } from "../progress";
import { change, HEIGHT, isSame, lookAt, WIDTH, type Look } from "./change";
import { cutOut, toJpeg } from "./pictures";
import { visible } from "./viewfinder";

export const FACE_ASPECT = 4 / 5;
const FRAME_HEIGHT = 600;
const JPEG_QUALITY = 0.88;
const EVERY = 120;
// The server takes three to twelve frames of a prompt; each costs it a look at a face.
const MOST_FRAMES = 6;
const FEWEST_FRAMES = 5;
// Nobody reads a prompt and follows it in less.
const SHORTEST = 1_000;
const AT_REST = 350;
// For a frame that is another than the one before.
const PATIENCE = 1_000;
// From so long on, a frame is taken in the middle of the time of keeping still, too: a move that was
// made too early may be over by the cue.
const TWICE = 800;
// Of the words that announce the colours.
const READING = 2_000;
const LONGEST_BLINK = 400;
// Whoever still held the former pose may have come back only, and be about to make the move.
const PONDERING = 1_500;
// Who has not moved yet when the time is over has not understood yet: so much time once more. A
// challenge lasts half a minute longer than its prompts.
const WAITING = 2;
// By so much a face changes that moves (see `change`), or by twice what it changes at rest.
const LEAST_CHANGE = 3.5;
const OVER_TREMBLING = 2;

interface Frame {
  file: File;
  look: Look;
}

export class Film {
  private readonly canvas = document.createElement("canvas");
  private readonly small = new OffscreenCanvas(WIDTH, HEIGHT).getContext("2d", {
    willReadFrequently: true,
  })!;
  private before: Look | null = null;
  private atRest: Look | null = null;
  private enough = LEAST_CHANGE;

  constructor(private readonly video: HTMLVideoElement) {}

  /** The resting face, first: it shows how much this camera trembles by itself. */
  async rest(id: string, timeout: number, stopped: AbortSignal): Promise<File[]> {
    const frames = await this.record(timeout, stopped, (_, at) => at > SHORTEST);
    const [first, ...others] = frames.map(({ look }) => look);
    const changes = others.map((look) => change(look, first!)).sort((a, b) => a - b);
    const trembling = changes[Math.floor(changes.length * 0.8)] ?? 0;
    this.enough = Math.max(LEAST_CHANGE, OVER_TREMBLING * trembling);
    this.atRest = others.at(-1) ?? first!;
    return named(evenly(frames), id);
  }

  /** The face that keeps still, filmed just before the cue; the server looks whether it did. */
  async still(id: string, milliseconds: number, stopped: AbortSignal): Promise<File[]> {
    const began = performance.now();
    const frames: Frame[] = [];
    for (const at of milliseconds < TWICE ? [milliseconds] : [milliseconds / 2, milliseconds]) {
      await pause(at - (performance.now() - began), stopped);
      frames.push(...(await this.record(0, stopped, () => true, 1)));
    }
    return named(frames, id, "s");
  }

  async move(move: Move, id: string, timeout: number, stopped: AbortSignal): Promise<File[]> {
    const following = new Following(move, this.enough, this.atRest!);
    const frames = await this.record(WAITING * timeout, stopped, (look, at) => {
      following.see(look, at);
      return following.isOver(at) || (at > timeout && following.hasChanged);
    });
    return named(mostUnlike(frames), id);
  }

  /** A frame of the face in each colour; none at all where the camera stands still. */
  async lit(light: Light, show: (colour: string) => void, stopped: AbortSignal): Promise<File[]> {
    const frames: Frame[] = [];
    show("#ffffff");
    await pause(READING, stopped);
    for (const colour of light.colours) {
      show(colour);
      // Screen, exposure and camera take their time: the frame is of the colour's end.
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
    isOver: (look: Look, at: number) => boolean,
    fewest = FEWEST_FRAMES,
  ): Promise<Frame[]> {
    const began = performance.now();
    const frames: Frame[] = [];
    for (;;) {
      stopped.throwIfAborted();
      const at = performance.now() - began;
      const look = this.look();
      let hasEnded = at >= longest;
      // The camera has brought nothing new: a frame that is sent twice is taken for a fraud.
      if (!this.before || !isSame(look, this.before)) {
        frames.push({ file: await toJpeg(this.canvas, "frame.jpg", JPEG_QUALITY), look });
        this.before = look;
        hasEnded ||= isOver(look, at);
      }
      // A slow camera still gives the frames that are needed; one that stands still never will.
      if ((hasEnded && frames.length >= fewest) || at > Math.max(2 * longest, PATIENCE)) return frames;
      await pause(Math.max(20, EVERY - (performance.now() - began - at)));
    }
  }

  /** Take the camera's present picture, once for both uses: the next may come in between. */
  private look(): Look {
    cutOut(this.video, visible(this.video, FACE_ASPECT), this.canvas, FRAME_HEIGHT);
    this.small.drawImage(this.canvas, 0, 0, WIDTH, HEIGHT);
    return lookAt(this.small.getImageData(0, 0, WIDTH, HEIGHT).data);
  }
}

/**
 * Whether the move was made: the face has become still in another pose than before, or was in one
 * for a while. A blink is shorter; who blinks unasked has not made another move by that.
 */
class Following {
  private pose: Look | null = null;
  private still: Look | null = null;
  private stillSince = 0;
  private hasStirred = false;
  private stirredAt = 0;
  private changes = 0;
  private awaited = 1;

  constructor(
    private readonly move: Move,
    private readonly enough: number,
    private readonly atRest: Look,
  ) {}

  see(look: Look, at: number): void {
    if (!this.pose || !this.still) {
      // The first change is to come back from the pose that was asked for before.
      if (change(look, this.atRest) > this.enough) this.awaited = 2;
      this.pose = this.still = look;
    } else if (change(look, this.still) > this.enough) {
      if (!this.hasStirred) this.stirredAt = at;
      this.still = look;
      this.stillSince = at;
      this.hasStirred = true;
    } else if (this.hasStirred && at - this.stillSince > AT_REST) {
      this.hasStirred = false;
      const isShort = this.stillSince - this.stirredAt < LONGEST_BLINK;
      const isBlink = isShort && change(look, this.pose) <= this.enough;
      if (isBlink && this.move !== "blink") return;
      this.changes += 1;
      this.pose = look;
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
 * The first and the last, and one after another whichever is least like those chosen: a blink is on
 * one frame of many, and must be among them; so must be where the face was before it moved.
 */
function mostUnlike(frames: Frame[]): Frame[] {
  const chosen = new Set([0, frames.length - 1]);
  const unlike = frames.map(() => Infinity);
  const compareWith = (other: number) =>
    frames.forEach(({ look }, at) => {
      unlike[at] = Math.min(unlike[at]!, at === other ? 0 : change(look, frames[other]!.look));
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

const named = (frames: Frame[], id: string, mark = ""): File[] =>
  frames.map(({ file }, at) => new File([file], `${id}-${at + 1}${mark}.jpg`, { type: file.type }));
