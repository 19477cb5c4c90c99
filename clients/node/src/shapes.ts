/** The shapes of requests and responses, by their names in the API description. */

import type { components } from "./schema.ts";

export type Shapes = components["schemas"];
export type Shape<Name extends keyof Shapes> = Shapes[Name];

/** The body of a webhook. `event` tells the types apart. */
export type Event =
  | Shape<"AmlMatchEvent">
  | Shape<"StepCompletedEvent">
  | Shape<"StepFailedEvent">
  | Shape<"VerificationApprovedEvent">
  | Shape<"VerificationCompletedEvent">
  | Shape<"VerificationCreatedEvent">
  | Shape<"VerificationManualReviewEvent">
  | Shape<"VerificationRejectedEvent">
  | Shape<"VerificationUpdatedEvent">;
