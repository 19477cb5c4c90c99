/** The shapes of the API under short names, and endpoints that openapi.json does not describe yet. */
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

export interface LinkedVerification {
  verificationId: string;
  status: VerificationStatus;
  createdAt: string;
  via: string[];
}

interface Json<T> {
  headers: Record<string, unknown>;
  content: { "application/json": T };
}
interface Operation<Answer, Path> {
  parameters: { query?: never; header?: never; path: Path; cookie?: never };
  requestBody?: never;
  responses: { 200: Json<Answer> };
}

/** Each one goes away once openapi.json has it. */
export interface PendingPaths {
  "/v1/verifications/{id}/links": {
    parameters: { query?: never };
    get: Operation<{ links: LinkedVerification[] }, { id: string }>;
  };
}
