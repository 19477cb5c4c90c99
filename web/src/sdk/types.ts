export type Status =
  | "PENDING"
  | "IN_PROGRESS"
  | "APPROVED"
  | "REJECTED"
  | "MANUAL_REVIEW"
  | "EXPIRED";

/** Final statuses. */
export type TerminalStatus = Exclude<Status, "PENDING" | "IN_PROGRESS">;

/** The languages of the page. */
export type Language = "es" | "en" | "pt" | "fr" | "de";

export interface StartOptions {
  /** The organization's id. */
  clientId: string;
  /** The workflow's id. */
  flowId: string;
  /** Free-form data, stored with the verification: an id of your own, for instance. */
  metadata?: Record<string, unknown>;
  /** Consent given on your own page; the flow then does not ask for it. */
  consent?: { version: string; locale: string; acceptedAt: string };
  /** Default: the browser's, or else your organization's. */
  language?: Language;
  /** A dialog over the page, or the whole page, which then returns to `returnUrl`. */
  display?: "dialog" | "page";
  /**
   * The URL that the whole page returns to, with the parameter `verificationId`. Its origin must be
   * one of your allowed origins.
   */
  returnUrl?: string;
  /** The base URL of the service; default: the origin of this script. */
  baseUrl?: string;
  /** Returned unchanged with the finishing event. */
  identityId?: string;
}

export interface LinkOptions {
  /** Default: the link's. */
  language?: Language;
  /** Returned unchanged with the finishing event. */
  identityId?: string;
}

export interface Result {
  verificationId: string;
  status: TerminalStatus;
}

export interface WaitOptions {
  /** Milliseconds between two polls; default 3000. */
  interval?: number;
  signal?: AbortSignal;
  baseUrl?: string;
  /** The session's token, if the service requires it. */
  token?: string;
}

/** The events of a flow, and their data. */
export interface Events {
  loaded: { verificationId: string };
  userStartedSdk: { verificationId: string };
  screen: { verificationId: string; screen: string };
  /** All inputs are uploaded and decided; `identityId` is the one given at the start, else that
   * of the compatible API. */
  userFinishedSdk: { verificationId: string; identityId: string | null; status: TerminalStatus };
  /** Closed before the end. */
  exitedSdk: { verificationId: string };
  /** The flow could not be opened. `verificationId` is null if none was created. */
  error: { verificationId: string | null; code: string; message: string };
}
export type EventName = keyof Events;
export type Listener<Name extends EventName> = (detail: Events[Name]) => void;

/** An error response of the service. */
export class AcreditaError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly requestId: string | null = null,
    /** Seconds to wait before a retry, if the service states them. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = "AcreditaError";
  }
}

/** The button's events, which bubble to the document. */
export type ButtonEvents = {
  [Name in EventName as `acredita:${Name}`]: CustomEvent<Events[Name]>;
};

declare global {
  interface GlobalEventHandlersEventMap extends ButtonEvents {}
  interface HTMLElementTagNameMap {
    "acredita-verify": HTMLElement;
  }
}
