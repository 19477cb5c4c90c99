/** The button as a web component, with configurable names of its attributes and events. */
import { open, start } from "./flow";
import { LABELS, languageOf } from "./labels";
import type { EventName, Events, Language, LinkOptions, StartOptions } from "./types";

export interface Naming {
  tag: string;
  /** The prefix of event names, as in `acredita:userFinishedSdk`. */
  prefixes: string[];
  attributes: Record<"clientId" | "flowId" | "metadata" | "identityId" | "language" | "colour", string> & {
    display?: string;
    returnUrl?: string;
    url?: string;
  };
}

const STYLE = `
  :host { display: inline-block; }
  button { min-height: 48px; padding: 12px 24px; border: 0; border-radius: 10px;
    background: var(--acredita-color, #1a56db); color: var(--acredita-text-color, #fff);
    font: 600 16px/1.25 system-ui, sans-serif; cursor: pointer; }
  button:focus-visible { outline: 3px solid currentColor; outline-offset: -6px; }
  button:disabled { cursor: default; filter: saturate(.5); }
  p { margin: 8px 0 0; font: 14px/1.4 system-ui, sans-serif; color: #b42318; }
  p:empty { display: none; }`;

export function defineElement(naming: Naming): void {
  if (customElements.get(naming.tag)) return;
  const { attributes, prefixes } = naming;

  class VerifyElement extends HTMLElement {
    static readonly observedAttributes = [attributes.language, attributes.colour];
    private readonly button = document.createElement("button");
    private readonly fault = document.createElement("p");

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open", delegatesFocus: true });
      const style = new CSSStyleSheet();
      style.replaceSync(STYLE);
      root.adoptedStyleSheets = [style];
      this.button.type = "button";
      this.fault.setAttribute("role", "alert");
      const label = document.createElement("slot");
      this.button.append(label);
      this.button.addEventListener("click", () => void this.open());
      root.append(this.button, this.fault);
    }

    connectedCallback(): void {
      this.attributeChangedCallback();
    }

    attributeChangedCallback(): void {
      const slot = this.button.querySelector("slot")!;
      slot.textContent = LABELS[this.language()].verify;
      const colour = this.getAttribute(attributes.colour);
      if (colour && CSS.supports("color", colour)) {
        this.button.style.setProperty("--acredita-color", colour);
        this.button.style.setProperty("--acredita-text-color", readableOn(colour));
      }
    }

    async open(): Promise<void> {
      this.button.disabled = true;
      this.fault.textContent = "";
      try {
        const url = attributes.url && this.getAttribute(attributes.url);
        const tell = (name: EventName, detail: Events[EventName]) => this.tell(name, detail);
        if (url) open(url, this.linkOptions(), tell);
        else await start(this.options(), tell);
      } catch (reason) {
        this.fault.textContent = LABELS[this.language()].failed;
        console.error(reason);
      } finally {
        this.button.disabled = false;
      }
    }

    private language(): Language {
      return languageOf(this.getAttribute(attributes.language) ?? navigator.language);
    }

    private linkOptions(): LinkOptions {
      const identityId = this.getAttribute(attributes.identityId);
      // Without the attribute, the page chooses.
      const isGiven = this.hasAttribute(attributes.language);
      return {
        ...(isGiven ? { language: this.language() } : {}),
        ...(identityId ? { identityId } : {}),
      };
    }

    private options(): StartOptions {
      const of = (name: keyof typeof attributes) => this.getAttribute(attributes[name] ?? "");
      const metadata = of("metadata");
      const returnUrl = of("returnUrl");
      return {
        clientId: of("clientId") ?? "",
        flowId: of("flowId") ?? "",
        ...this.linkOptions(),
        ...(metadata ? { metadata: JSON.parse(metadata) as Record<string, unknown> } : {}),
        ...(of("display") === "page" ? { display: "page" } : {}),
        ...(returnUrl ? { returnUrl } : {}),
      };
    }

    private tell<Name extends EventName>(name: Name, detail: Events[Name]): void {
      for (const prefix of prefixes) {
        const event = new CustomEvent(`${prefix}:${name}`, { detail, bubbles: true, composed: true });
        this.dispatchEvent(event);
      }
    }
  }
  customElements.define(naming.tag, VerifyElement);
}

/** Return black or white, whichever has more contrast with the colour. */
function readableOn(colour: string): string {
  const context = new OffscreenCanvas(1, 1).getContext("2d")!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  const linear = [red, green, blue].map((part) => (part / 255) ** 2.2);
  const luminance = 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
  return luminance > 0.179 ? "#000" : "#fff";
}
