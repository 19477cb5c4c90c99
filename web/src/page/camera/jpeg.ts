/** Encodes pictures in a worker: on a slow phone, to encode a film takes half of the page's thread. */
import { toJpeg, UnusableFile } from "./pictures";

/** A picture to encode, and where the answer goes. */
export interface Order {
  picture: ImageBitmap;
  quality: number;
  port: MessagePort;
}

let worker: Worker | null = null;
let isReady = false;

/** Begin to load the worker. */
export function prepareEncoder(): void {
  if (worker) return;
  worker = new Worker(new URL("./jpeg-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", () => (isReady = true), { once: true });
}

/** Encode what is on the canvas now. Until the worker is there, the page does it. Throw UnusableFile. */
export async function encode(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  if (!isReady) return toJpeg(canvas, "frame.jpg", quality);
  const picture = await createImageBitmap(canvas);
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<Blob>((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<Blob | null>) =>
      data ? resolve(data) : reject(new UnusableFile("unreadable"));
  });
  const order: Order = { picture, quality, port: port2 };
  worker!.postMessage(order, [picture, port2]);
  return answered;
}
