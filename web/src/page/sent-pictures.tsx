/**
 * The pictures that this page has sent, for a person who is asked again. They never come from the service:
 * whoever held a link could see an identification. They are reduced and stay in this tab, also after a reload,
 * until the verification ends.
 */
import type { JSX } from "preact";
import type { Role } from "./api";
import { boot } from "./boot";
import { useTexts } from "./texts";

const KEY = `acredita:${boot.verificationId}:sent`;
// Enough to recognize what was wrong, and little for the storage of a tab.
const LONGEST_SIDE = 640;
const QUALITY = 0.7;

/** As URLs of type `data`. */
type Sent = Partial<Record<Role, string>>;

let sent = stored();
let isOver = false;

export async function remember(pictures: Partial<Record<Role, File>>): Promise<void> {
  for (const [role, file] of Object.entries(pictures) as [Role, File][]) {
    const { [role]: _, ...others } = sent;
    sent = others;
    // Of a PDF, there is no picture to show.
    const picture = await reduced(file).catch(() => null);
    if (isOver) return;
    if (picture) sent = { ...sent, [role]: picture };
  }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(sent));
  } catch {
    // Without storage, a reload forgets them.
  }
}

export function forget(): void {
  isOver = true;
  sent = {};
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

function stored(): Sent {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Sent;
  } catch {
    return {};
  }
}

async function reduced(file: File): Promise<string> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas.toDataURL("image/jpeg", QUALITY);
}

/** Nothing, if this page has sent no picture in that role. */
export function SentPicture({ role }: { role: Role }): JSX.Element | null {
  const t = useTexts().shot;
  const address = sent[role];
  if (!address) return null;
  const isFace = role === "selfie" || role === "liveness";
  const what = t[role === "liveness" ? "selfie" : role].short;
  return (
    <figure class="former">
      <img src={address} alt={t.formerAlt(what)} class={isFace ? "mirrored" : ""} />
      <figcaption>{t.former}</figcaption>
    </figure>
  );
}
