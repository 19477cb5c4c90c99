/**
 * The same with the names of a common third-party button, as a classic script. Pages that use that
 * button change only the script's URL and the two ids.
 */
import { defineElement } from "./element";
import { start } from "./flow";
import { comeFrom, useCompatibleApi } from "./service";
import type { EventName, StartOptions } from "./types";

const PREFIXES = ["metamap", "mati"];

comeFrom((document.currentScript as HTMLScriptElement).src);
useCompatibleApi();
for (const name of PREFIXES) {
  defineElement({
    tag: `${name}-button`,
    prefixes: PREFIXES,
    attributes: {
      clientId: "clientid",
      flowId: "flowid",
      metadata: "metadata",
      identityId: "identityid",
      language: "language",
      colour: "color",
    },
  });
}

class Verification {
  private readonly target = new EventTarget();

  constructor(private readonly options: StartOptions) {}

  start(): void {
    const heard = (name: EventName, detail: unknown) => {
      for (const prefix of PREFIXES) {
        this.target.dispatchEvent(new CustomEvent(`${prefix}:${name}`, { detail }));
      }
    };
    start(this.options, heard).catch(console.error);
  }

  on(name: string, listener: (event: CustomEvent) => void): void {
    this.target.addEventListener(name, listener as EventListener);
  }
}

Object.assign(window, { MetamapVerification: Verification, MatiVerification: Verification });
