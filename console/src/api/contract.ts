/** Shapes of the API under short names. */
import type { components, paths } from "./schema";

type Schemas = components["schemas"];
export type Role = Schemas["Role"];
export type Session = Schemas["SessionShape"];
export type SecondFactor = Schemas["SecondFactor"];
export type SavedFilter = Schemas["FilterShape"];
export type ReviewItem = Schemas["ReviewItem"];
export type VerificationStatus = Schemas["VerificationStatus"];

type ReviewQuery = NonNullable<paths["/v1/reviews"]["get"]["parameters"]["query"]>;
export type ReviewFilter = Omit<ReviewQuery, "limit" | "cursor">;
