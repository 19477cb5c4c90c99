/** What the server wrote into the page. */
export interface Boot {
  verificationId: string;
  organizationName: string;
  logoUrl: string | null;
  privacyNoticeUrl: string | null;
  retentionDays: number;
  /** Origins whose pages may hold this one in a frame. */
  embedders: string[];
}

export const boot = JSON.parse(document.getElementById("boot")!.textContent!) as Boot;
