/** The page as a picture of itself: for staff who choose its colours. */
import type { AskedCode } from "./step-calls";
import type { Next, Status, View } from "./api";
import { boot, type PreviewScreen } from "./boot";

const NEXT: Partial<Record<PreviewScreen, Partial<Next>>> = {
  document: { action: "upload", roles: ["front"], optionalRoles: ["back"] },
  back: { action: "upload", roles: ["back"] },
  proofOfAddress: { action: "upload", roles: ["proofOfAddress"] },
  selfie: { action: "upload", roles: ["selfie"] },
  challenge: { action: "liveness" },
  code: { action: "code" },
  position: { action: "location" },
  signature: { action: "external" },
  checking: { action: "wait" },
};
const ENDINGS: Partial<Record<PreviewScreen, Status>> = {
  approved: "APPROVED",
  rejected: "REJECTED",
  review: "MANUAL_REVIEW",
  expired: "EXPIRED",
};

/** The state of a verification with these steps that shows this screen. */
export const previewed = (types: string[], screen: PreviewScreen): View => ({
  id: "",
  status: ENDINGS[screen] ?? "PENDING",
  expiresAt: "",
  consentGiven: screen !== "consent",
  steps: types.map((type, place) => ({
    id: String(place),
    type,
    status: screen === "checking" && place === 0 ? "RUNNING" : "PENDING",
    code: null,
    advice: null,
    requires: [],
    retakesLeft: 0,
  })),
  handOver: null,
  next: {
    action: "consent",
    stepId: screen === "consent" ? null : "0",
    roles: [],
    optionalRoles: [],
    alternativeRoles: [],
    challengesLeft: 0,
    ...NEXT[screen],
  },
});

/** What a person is asked whose destination is not known yet. */
export const previewedCode = (): AskedCode => ({
  channels: boot.messages.map((channel) => ({ channel, destinationKnown: false })),
  sent: null,
});
