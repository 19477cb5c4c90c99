/** A text in both languages of the page. */
export interface Words {
  es: string;
  en: string;
}

/** What the page says of a type of step. */
export interface StepWords {
  name: Words;
  /** To whom the step discloses personal data; null for nobody. */
  discloses: Words | null;
  takesFace: boolean;
}

/** What the server wrote into the page. */
export interface Boot {
  verificationId: string;
  organizationName: string;
  logoUrl: string | null;
  privacyNoticeUrl: string | null;
  retentionDays: number;
  /** Origins whose pages may hold this one in a frame. */
  embedders: string[];
  /** By the types of steps that the server knows. */
  steps: Record<string, StepWords>;
}

export const boot = JSON.parse(document.getElementById("boot")!.textContent!) as Boot;
