export type Status =
  | "PENDING"
  | "IN_PROGRESS"
  | "APPROVED"
  | "REJECTED"
  | "MANUAL_REVIEW"
  | "EXPIRED";

/** Statuses in which nothing more happens by itself. */
export type TerminalStatus = Exclude<Status, "PENDING" | "IN_PROGRESS">;

export interface StartOptions {
  /** The organization's id. */
  clientId: string;
  /** The workflow's id. */
  flowId: string;
  /** Kept with the verification, free of form: an id of your own, for instance. */
  metadata?: Record<string, unknown>;
  /** Consent that was given on your own page; the flow then doesn't ask again. */
  consent?: { version: string; locale: string; acceptedAt: string };
  /** `es` or `en`; left out: the browser's. */
  language?: "es" | "en";
  /** A dialog over the page, or the whole page, which comes back to `returnUrl`. */
  display?: "dialog" | "page";
  /**
   * Where the whole page comes back to, with `verificationId` among its parameters: an address of
   * one of your allowed origins.
   */
  returnUrl?: string;
  /** Where the service is; left out: where this script came from. */
  baseUrl?: string;
  /** Given back with the finishing event, as it is. */
  identityId?: string;
}

export interface Result {
  verificationId: string;
  status: TerminalStatus;
}

export interface WaitOptions {
  /** Milliseconds between two questions; 3000 when left out. */
  interval?: number;
  signal?: AbortSignal;
  baseUrl?: string;
  /** The session's token, where the service asks for it. */
  token?: string;
}

/** What happens in a flow, and what is known of it then. */
export interface Events {
  loaded: { verificationId: string };
  userStartedSdk: { verificationId: string };
  screen: { verificationId: string; screen: string };
  /** Everything was handed in and decided; `identityId` is what was given at the start. */
  userFinishedSdk: { verificationId: string; identityId: string | null; status: TerminalStatus };
  /** Closed before the end. */
  exitedSdk: { verificationId: string };
}
export type EventName = keyof Events;
export type Listener<Name extends EventName> = (detail: Events[Name]) => void;

/** The service's answer to what was asked of it, when it is no. */
export class AcreditaError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly requestId: string | null = null,
    /** Seconds to wait before the same is asked again, where the service said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "AcreditaError";
  }
}

/** The button's events, as they bubble to the document. */
export type ButtonEvents = {
  [Name in EventName as `acredita:${Name}`]: CustomEvent<Events[Name]>;
};

declare global {
  interface GlobalEventHandlersEventMap extends ButtonEvents {}
  interface HTMLElementTagNameMap {
    "acredita-verify": HTMLElement;
  }
}
