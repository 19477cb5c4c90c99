/** Pictures from the viewfinder and from files, within the server's size limit. */
const LARGEST = 10 * 1024 * 1024;
const LONGEST_SIDE = 4096;
const QUALITY = 0.92;

export class UnusableFile extends Error {
  constructor(readonly why: "tooLarge" | "unreadable") {
    super(why);
  }
}

export interface Cut {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Draw a part of a picture, or of a video's current one, in its pixels, scaled to `height`. `isRead`: whether
 * its pixels are read back. */
export function cutOut(
  picture: HTMLVideoElement | ImageBitmap,
  cut: Cut,
  canvas: HTMLCanvasElement | OffscreenCanvas,
  height = cut.height,
  isRead = height < 300,
): CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D {
  const size = [Math.round((cut.width * height) / cut.height), Math.round(height)] as const;
  if (canvas.width !== size[0]) canvas.width = size[0];
  if (canvas.height !== size[1]) canvas.height = size[1];
  const context = canvas.getContext("2d", { willReadFrequently: isRead }) as
    | CanvasRenderingContext2D
    | OffscreenCanvasRenderingContext2D;
  context.drawImage(picture, cut.x, cut.y, cut.width, cut.height, 0, 0, ...size);
  return context;
}

/** Draw a whole picture, scaled so that its longer side has at most `longest` pixels. */
export function drawWhole(picture: ImageBitmap, longest: number, canvas: HTMLCanvasElement): void {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const { width, height } = picture;
  cutOut(picture, { x: 0, y: 0, width, height }, canvas, height * scale, false);
}

/** Encode at once: chromium's `toBlob` waits for an idle moment, on a busy phone for more than a second. Throw
 * UnusableFile. */
export function toJpeg(canvas: HTMLCanvasElement, name: string, quality = QUALITY): File {
  const [head, content] = canvas.toDataURL("image/jpeg", quality).split(",");
  // Without memory for a picture of its size, a canvas has an empty one.
  if (!head!.includes("jpeg")) throw new UnusableFile("unreadable");
  const letters = atob(content!);
  const bytes = new Uint8Array(letters.length);
  // `Uint8Array.from` takes thirty times as long.
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  return new File([bytes], name, { type: "image/jpeg" });
}

/** Return a file in a form that the server accepts. Throw UnusableFile. */
export async function prepare(file: File): Promise<File> {
  if (file.type === "application/pdf") {
    if (file.size > LARGEST) throw new UnusableFile("tooLarge");
    return file;
  }
  let picture: ImageBitmap;
  try {
    // Apply the orientation that the camera wrote into the file.
    picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    throw new UnusableFile("unreadable");
  }
  const isKnown = ["image/jpeg", "image/png", "image/webp"].includes(file.type);
  const longest = Math.max(picture.width, picture.height);
  if (isKnown && file.size <= LARGEST && longest <= LONGEST_SIDE) return file;
  const canvas = document.createElement("canvas");
  for (let side = Math.min(longest, LONGEST_SIDE); side > 1000; side *= 0.75) {
    drawWhole(picture, side, canvas);
    const smaller = toJpeg(canvas, "picture.jpg", 0.9);
    if (smaller.size <= LARGEST) return smaller;
  }
  throw new UnusableFile("tooLarge");
}
