/** Types of endpoints that openapi.json does not describe yet. Each one goes away once it does. */
import type { components } from "./schema";

export type Role = "OWNER" | "ADMIN" | "REVIEWER" | "MEMBER";
export type SecondFactor = "TOTP" | "PASSKEY" | "RECOVERY_CODE";
type VerificationStatus = components["schemas"]["VerificationStatus"];

export interface Session {
  state: "ACTIVE" | "SECOND_FACTOR";
  factors?: SecondFactor[];
  /** Null until the session is ACTIVE. */
  user: { id: string; email: string; role: Role } | null;
  organization: { id: string; name: string } | null;
  csrfToken: string;
  expiresAt: string;
  idleExpiresAt: string;
}

export interface ReviewItem {
  verificationId: string;
  externalId: string | null;
  workflow: { id: string; name: string };
  /** A reason code, or the status of a step without one. */
  reasons: { code: string; message: string | null }[];
  waitingSince: string;
  deadline: string | null;
  overdue: boolean;
  assignee: { id: string; name: string } | null;
  leaseExpiresAt: string | null;
  proposal: boolean;
}

export interface ReviewFilter {
  workflowId?: string;
  reason?: string;
  assignee?: string;
  minAgeHours?: number;
  overdue?: boolean;
  sort?: "oldest" | "newest";
}

export interface SavedFilter {
  id: string;
  name: string;
  filter: ReviewFilter;
}

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
interface Empty {
  headers: Record<string, unknown>;
  content?: never;
}
type Given<Body> = [Body] extends [never]
  ? { requestBody?: never }
  : { requestBody: { content: { "application/json": Body } } };
type Operation<Responses, Body = never, Query = never, Path = never> = {
  parameters: {
    query?: Query;
    header?: never;
    path: Path;
    cookie?: never;
  };
  responses: Responses;
} & Given<Body>;
type Plain<Responses, Body = never, Query = never> = {
  parameters: { query?: Query; header?: never; path?: never; cookie?: never };
  responses: Responses;
} & Given<Body>;
interface OfId {
  id: string;
}
interface OfVerification {
  verificationId: string;
}

export interface PendingPaths {
  "/v1/auth/session": {
    parameters: { query?: never };
    get: Plain<{ 200: Json<Session> }>;
    post: Plain<{ 201: Json<Session> }, { email: string; password: string }>;
    delete: Plain<{ 204: Empty }>;
  };
  "/v1/auth/session/passkey-options": {
    parameters: { query?: never };
    post: Plain<{ 200: Json<Record<string, unknown>> }>;
  };
  "/v1/auth/session/second-factor": {
    parameters: { query?: never };
    post: Plain<{ 200: Json<Session> }, { method: SecondFactor; code?: string; credential?: object }>;
  };
  "/v1/reviews": {
    parameters: { query?: never };
    get: Plain<
      { 200: Json<{ items: ReviewItem[]; total: number; nextCursor: string | null }> },
      never,
      ReviewFilter & { cursor?: string; limit?: number }
    >;
  };
  "/v1/reviews/next": {
    parameters: { query?: never };
    post: Plain<{ 200: Json<ReviewItem>; 204: Empty }, Omit<ReviewFilter, "assignee">>;
  };
  "/v1/reviews/filters": {
    parameters: { query?: never };
    get: Plain<{ 200: Json<{ filters: SavedFilter[] }> }>;
    post: Plain<{ 201: Json<{ filter: SavedFilter }> }, { name: string; filter: ReviewFilter }>;
  };
  "/v1/reviews/filters/{id}": {
    parameters: { query?: never };
    delete: Operation<{ 204: Empty }, never, never, OfId>;
  };
  "/v1/reviews/{verificationId}/claim": {
    parameters: { query?: never };
    post: Operation<{ 200: Json<ReviewItem> }, never, never, OfVerification>;
  };
  "/v1/reviews/{verificationId}/release": {
    parameters: { query?: never };
    post: Operation<{ 204: Empty }, never, never, OfVerification>;
  };
  "/v1/reviews/{verificationId}/hand-over": {
    parameters: { query?: never };
    post: Operation<{ 200: Json<ReviewItem> }, { userId: string }, never, OfVerification>;
  };
  "/v1/verifications/{id}/links": {
    parameters: { query?: never };
    get: Operation<{ 200: Json<{ links: LinkedVerification[] }> }, never, never, OfId>;
  };
}
