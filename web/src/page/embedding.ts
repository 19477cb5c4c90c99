/**
 * What a page that holds this one in a frame is told: screens, the end, an exit; never a token and
 * nothing of the person. It has to say its name first, and the name must be one of the origins
 * that the organization allowed.
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

// A dialog closes at Escape, wherever in it the keyboard is; the frame around us hears no keys.
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape") tell({ type: "exit" });
});
