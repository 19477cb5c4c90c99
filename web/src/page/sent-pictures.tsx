/**
 * The pictures that this page has sent, for a person who is asked again. They are only in the page's own
 * memory: a reload forgets them.
 */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Role } from "./api";
import { useTexts } from "./texts";

const sent = new Map<Role, File>();

export function remember(pictures: Partial<Record<Role, File>>): void {
  for (const [role, file] of Object.entries(pictures)) {
    if (file.type.startsWith("image/")) sent.set(role as Role, file);
    else sent.delete(role as Role);
  }
}

/** Nothing, if this page has sent no picture in that role. */
export function SentPicture({ role }: { role: Role }): JSX.Element | null {
  const t = useTexts().shot;
  const file = sent.get(role);
  const [address, setAddress] = useState("");
  useEffect(() => {
    if (!file) return undefined;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (!file || !address) return null;
  const isFace = role === "selfie" || role === "liveness";
  const what = t[role === "liveness" ? "selfie" : role].short;
  return (
    <figure class="former">
      <img src={address} alt={t.formerAlt(what)} class={isFace ? "mirrored" : ""} />
      <figcaption>{t.former}</figcaption>
    </figure>
  );
}
