/**
 * Watches the camera's picture for faces. The networks run in a worker, which is loaded once for the
 * page. Where they cannot run, or run too slowly to guide anybody, the page says nothing about faces.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { firstOf } from "../../abort";
import { cutOut, type Cut } from "../pictures";
import type { Answer, Picture, Question, Seen } from "./types";

/** "blind": the page cannot tell whether there is a face. */
export type Sight = "opening" | "seeing" | "blind";

const LOOK_HEIGHT = 320;
// Most looks per second that help anybody.
const EVERY = 66;
// After this time the page goes on without: nobody waits longer before a camera.
const PATIENCE = 8_000;
// Looks whose mean duration decides, after the first ones, which are slower.
const [FIRST, COUNTED] = [2, 5];
const SLOWEST = 400;

interface Shot {
  part: Cut;
  picture: Picture;
}

let worker: Promise<Worker> | null = null;

/** Load the networks. */
function prepareSight(): Promise<Worker> {
  worker ??= new Promise((resolve, reject) => {
    if (typeof WebAssembly === "undefined") throw new Error("WebAssembly is not available");
    const made = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    made.addEventListener("error", reject, { once: true });
    made.addEventListener(
      "message",
      ({ data }: MessageEvent<Answer>) => (data.type === "ready" ? resolve(made) : reject(data)),
      { once: true },
    );
  });
  // Who uses it notices; one that fails is not tried again on this page.
  worker.catch(() => undefined);
  return worker;
}

/** Look as often as the device can, from `isLive` on. `cut`: the part of the video that is sent. */
export function useSight(
  isLive: boolean,
  video: () => HTMLVideoElement | null,
  cut: () => Cut | null,
  onSeen: (seen: Seen, cut: Cut, picture: { width: number; height: number }) => void,
): Sight {
  const [sight, setSight] = useState<Sight>("opening");
  const tell = useRef(onSeen);
  tell.current = onSeen;
  // While the camera opens.
  useEffect(() => void prepareSight(), []);
  useEffect(() => {
    if (!isLive) return undefined;
    const stopping = new AbortController();
    const { signal } = stopping;
    const lookOn = async () => {
      const late = new Promise<never>((_, reject) => setTimeout(reject, PATIENCE));
      const seer = await Promise.race([prepareSight(), late]);
      const canvas = new OffscreenCanvas(1, 1);
      const shoot = (): Shot | null => {
        const [part, player] = [cut(), video()];
        return part && player?.videoWidth ? { part, picture: take(player, part, canvas) } : null;
      };
      const times: number[] = [];
      let next: Shot | null = null;
      let took = 0;
      while (!signal.aborted) {
        const began = performance.now();
        const shot = next ?? shoot();
        next = null;
        if (shot) {
          const looking = look(seer, shot.picture, signal);
          // A slow device takes the next picture while the worker looks. A fast one waits, and takes a new one.
          if (took > EVERY) next = shoot();
          const seen = await looking;
          if (signal.aborted) return;
          times.push(seen.milliseconds);
          if (isSlow(times)) throw new Error("slow");
          // Until that is decided, a slow look says nothing: the page would take it back.
          const isDecided = times.length >= FIRST + COUNTED;
          if (times.length > FIRST && (isDecided || seen.milliseconds <= SLOWEST)) {
            const show = () => {
              if (signal.aborted) return;
              setSight("seeing");
              tell.current(seen, shot.part, shot.picture);
            };
            // The worker gets a picture that is ready before the page is drawn.
            if (next) setTimeout(show);
            else show();
          }
        }
        took = performance.now() - began;
        if (!next) await new Promise((go) => setTimeout(go, Math.max(5, EVERY - took)));
      }
    };
    lookOn().catch(() => !signal.aborted && setSight("blind"));
    return () => stopping.abort();
  }, [isLive]);
  return sight;
}

function isSlow(times: number[]): boolean {
  if (times.length !== FIRST + COUNTED) return false;
  return times.slice(FIRST).reduce((sum, each) => sum + each, 0) / COUNTED > SLOWEST;
}

function take(video: HTMLVideoElement, cut: Cut, canvas: OffscreenCanvas): Picture {
  const context = cutOut(video, cut, canvas, LOOK_HEIGHT, true);
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
  return { pixels: data, width, height };
}

let looks = 0;

async function look(seer: Worker, picture: Picture, signal: AbortSignal): Promise<Seen> {
  const number = ++looks;
  const question: Question = { ...picture, number };
  const answered = new AbortController();
  const listening = { signal: firstOf(answered.signal, signal) };
  try {
    return await new Promise((resolve, reject) => {
      const hear = ({ data }: MessageEvent<Answer>) => {
        if (data.type !== "seen") reject(data);
        // The answer to a look that the last screen gave up may come later.
        else if (data.number === number) resolve(data.seen);
      };
      seer.addEventListener("message", hear, listening);
      seer.addEventListener("error", reject, listening);
      listening.signal.addEventListener("abort", reject, { once: true });
      seer.postMessage(question, [picture.pixels.buffer]);
    });
  } finally {
    answered.abort();
  }
}
