/**
 * The pictures that this page has sent, for a person who is asked again. The page keeps reduced copies in its
 * tab until the verification ends, also after a reload. The service returns none of them: anyone with the link
 * could then see an identification.
 */
import type { JSX } from "preact";
import type { Role } from "./api";
import { boot } from "./boot";
import { drawWhole } from "./camera/pictures";
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
  const canvas = document.createElement("canvas");
  drawWhole(picture, LONGEST_SIDE, canvas);
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
