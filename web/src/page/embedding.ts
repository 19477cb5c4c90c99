/**
 * Messages to the page that embeds this one in a frame: screens, the end, an exit; never a token or
 * personal data. The embedding page must send a message first, from an origin that the organization
 * allows.
 */
import { boot } from "./boot";

type Message =
  | { type: "loaded" }
  | { type: "screen"; screen: string }
  | { type: "finished"; status: string }
  | { type: "exit" };

const waiting: Message[] = [];
let origin: string | null = null;

export const isEmbedded = window.parent !== window;

export function tell(message: Message): void {
  if (!isEmbedded) return;
  if (origin === null) waiting.push(message);
  else post(message);
}

function post(message: Message): void {
  window.parent.postMessage(
    { source: "acredita", verificationId: boot.verificationId, ...message },
    origin!,
  );
}

window.addEventListener("message", (event: MessageEvent<unknown>) => {
  const isOurs = event.source === window.parent && isEmbedded;
  const isAllowed = [...boot.embedders, location.origin].includes(event.origin);
  if (!isOurs || !isAllowed || event.data !== "acredita:connect") return;
  origin = event.origin;
  waiting.splice(0).forEach(post);
});

// Escape closes the dialog. The embedding page gets no key events from this frame.
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") tell({ type: "exit" });
});
