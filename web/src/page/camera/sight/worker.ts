/** Finds faces in pictures, one at a time, outside of the page's thread. */
import { load, findFaces } from "./networks";
import { describe, meanLight } from "./measuring";
import type { Answer, Question } from "./types";

const say = (answer: Answer): void => postMessage(answer);

load().then(
  () => {
    addEventListener("message", ({ data }: MessageEvent<Question>) => {
      const began = performance.now();
      const faces = findFaces(data).map((points) => describe(points, data));
      const milliseconds = performance.now() - began;
      say({ type: "seen", number: data.number, seen: { faces, light: meanLight(data), milliseconds } });
    });
    say({ type: "ready" });
  },
  (reason: unknown) => say({ type: "failed", why: String(reason) }),
);
