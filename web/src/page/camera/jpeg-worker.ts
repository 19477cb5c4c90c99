/** Encodes pictures, outside of the page's thread. */
import type { Order } from "./jpeg";

const canvas = new OffscreenCanvas(1, 1);

addEventListener("message", ({ data }: MessageEvent<Order>) => {
  const { picture, quality, port } = data;
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d")!.drawImage(picture, 0, 0);
  picture.close();
  void canvas
    .convertToBlob({ type: "image/jpeg", quality })
    .catch(() => null)
    .then((jpeg) => port.postMessage(jpeg));
});
postMessage("ready");
