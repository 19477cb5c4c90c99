/** A text in both languages of the page. */
export interface Words {
  es: string;
  en: string;
}

/** The page's texts for a type of step. */
export interface StepWords {
  name: Words;
  /** The recipient of the personal data that the step discloses; null for none. */
  discloses: Words | null;
  takesFace: boolean;
  /** Whether it needs pictures of a document. */
  takesDocument: boolean;
  /** Whether the page asks for something other than pictures. */
  asksDetails: boolean;
}

/** The screens whose looks can be tried: PreviewScreen in resources/sdk/pages.py. */
export type PreviewScreen =
  | "consent"
  | "document"
  | "back"
  | "proofOfAddress"
  | "selfie"
  | "challenge"
  | "code"
  | "position"
  | "signature"
  | "checking"
  | "approved"
  | "rejected"
  | "review"
  | "expired";

/** The data that the server writes into the page. */
export interface Boot {
  verificationId: string;
  /** The types of the steps of the workflow whose looks are tried; null: a verification. */
  previewOf: string[] | null;
  previewScreen: PreviewScreen;
  organizationName: string;
  logoUrl: string | null;
  privacyNoticeUrl: string | null;
  retentionDays: number;
  /** The channels by which the service sends messages. */
  messages: ("sms" | "email")[];
  /** Whether the person may choose files instead of the camera. */
  allowFiles: boolean;
  /** The language of the organization's people, for browsers without a known one. */
  defaultLanguage: string | null;
  /** Where people turn to: an https, mailto or tel URL, and how it is written. */
  contact: { url: string; text: string } | null;
  /** Origins whose pages may embed this one in a frame. */
  embedders: string[];
  /** By step type. */
  steps: Record<string, StepWords>;
}

export const boot = JSON.parse(document.getElementById("boot")!.textContent!) as Boot;
