/** The flow in a dialog over the customer's page: a frame of the service, and a close button. */
import { LABELS } from "./labels";
import type { Language } from "./types";

const STYLE = `
  dialog { width: 100vw; height: 100vh; height: 100dvh; max-width: none; max-height: none; margin: 0;
    padding: 0; border: 0; background: #fff; overflow: hidden; }
  dialog::backdrop { background: rgb(10 15 25 / 65%); }
  iframe { display: block; width: 100%; height: calc(100% - 48px); border: 0; }
  .bar { display: flex; justify-content: flex-end; height: 48px; background: #fff; }
  button { width: 48px; height: 48px; border: 0; background: none; color: #1c2430; cursor: pointer;
    font: 26px/1 system-ui, sans-serif; }
  button:focus-visible { outline: 3px solid #1a56db; outline-offset: -5px; }
  @media (prefers-color-scheme: dark) {
    dialog, .bar { background: #12161c; }
    button { color: #e8ebf0; }
    button:focus-visible { outline-color: #7aa2ff; }
  }
  @media (min-width: 48rem) and (min-height: 40rem) {
    dialog { width: 40rem; height: min(56rem, 92vh); margin: auto; border-radius: 16px; }
  }`;

/** Milliseconds from the load of the frame to the first message of the service's page. */
const SILENCE = 8_000;

export interface FlowMessage {
  source: "acredita";
  verificationId: string;
  type: "loaded" | "screen" | "finished" | "exit";
  screen?: string;
  status?: string;
}

export interface OpenDialog {
  close: () => void;
}

export function openDialog(
  pageUrl: string,
  language: Language,
  onMessage: (message: FlowMessage) => void,
  onClose: () => void,
  onSilence: () => void,
): OpenDialog {
  const labels = LABELS[language];
  const service = new URL(pageUrl).origin;
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const style = new CSSStyleSheet();
  // Not a <style>: the page's content security policy may forbid it.
  style.replaceSync(STYLE);
  root.adoptedStyleSheets = [style];

  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", labels.title);
  const bar = document.createElement("div");
  bar.className = "bar";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "×";
  button.setAttribute("aria-label", labels.close);
  button.addEventListener("click", () => dialog.close());
  bar.append(button);
  const frame = document.createElement("iframe");
  frame.title = labels.title;
  frame.allow = `camera ${service}; geolocation ${service}; clipboard-write ${service}`;
  frame.referrerPolicy = "no-referrer";
  frame.src = pageUrl;
  dialog.append(bar, frame);
  root.append(dialog);

  const hear = (event: MessageEvent<FlowMessage>) => {
    const isOurs = event.origin === service && event.source === frame.contentWindow;
    if (!isOurs || event.data?.source !== "acredita") return;
    clearTimeout(silence);
    if (event.data.type === "exit") dialog.close();
    else onMessage(event.data);
  };
  let silence: ReturnType<typeof setTimeout> | undefined;
  frame.addEventListener("load", () => {
    silence ??= setTimeout(onSilence, SILENCE);
    frame.contentWindow?.postMessage("acredita:connect", service);
  });
  window.addEventListener("message", hear);
  dialog.addEventListener("close", () => {
    window.removeEventListener("message", hear);
    clearTimeout(silence);
    host.remove();
    onClose();
  });

  document.body.append(host);
  dialog.showModal();
  return { close: () => dialog.close() };
}
