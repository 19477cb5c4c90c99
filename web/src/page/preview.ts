/** The page as a picture of itself: for staff who choose its colours. */
import type { View } from "./api";

/** The state in which every verification with these steps begins. */
export const firstView = (types: string[]): View => ({
  id: "",
  status: "PENDING",
  expiresAt: "",
  consentGiven: false,
  steps: types.map((type, place) => ({
    id: String(place),
    type,
    status: "PENDING",
    code: null,
    advice: null,
    requires: [],
    retakesLeft: 0,
  })),
  handOver: null,
  next: {
    action: "consent",
    stepId: null,
    roles: [],
    optionalRoles: [],
    alternativeRoles: [],
    challengesLeft: 0,
  },
});
