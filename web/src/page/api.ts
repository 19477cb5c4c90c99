/** The API calls of this page, and the kinds of their faults. */
import { firstOf } from "./abort";
import { boot } from "./boot";
import { enter, link, token } from "./capability";

export type Status =
  | "PENDING"
  | "IN_PROGRESS"
  | "APPROVED"
  | "REJECTED"
  | "MANUAL_REVIEW"
  | "EXPIRED";
export type StepStatus =
  | "PENDING"
  | "WAITING_INPUT"
  | "RUNNING"
  | "PASSED"
  | "FAILED"
  | "REVIEW"
  | "SKIPPED";
export type Role = "front" | "back" | "passport" | "selfie" | "liveness" | "proofOfAddress";

export interface Step {
  id: string;
  /** A key of `boot.steps`. */
  type: string;
  status: StepStatus;
  code: string | null;
  advice: { es: string; en: string } | null;
  requires: Role[];
  retakesLeft: number;
}

export interface Next {
  action:
    | "consent"
    | "upload"
    | "liveness"
    | "code"
    | "form"
    | "location"
    | "external"
    | "wait"
    | "done";
  stepId: string | null;
  roles: Role[];
  optionalRoles: Role[];
  alternativeRoles: Role[];
  challengesLeft: number;
}

export interface HandOver {
  url: string;
  expiresAt: string;
}

export interface View {
  id: string;
  status: Status;
  expiresAt: string;
  consentGiven: boolean;
  steps: Step[];
  /** A link with which the person continues on another device. */
  handOver: { state: "waiting" | "opened"; expiresAt: string } | null;
  next: Next;
}

export type Move =
  | "look_straight"
  | "turn_left"
  | "turn_right"
  | "look_up"
  | "blink"
  | "smile"
  | "open_mouth";

/** Colours of the whole screen, one after another; `promptId` names the frames of them. */
export interface Light {
  promptId: string;
  colours: string[];
  eachMs: number;
}

export interface Challenge {
  challengeId: string;
  nonce: string;
  prompts: { id: string; action: Move; timeoutMs: number; stillMs: number }[];
  light: Light | null;
  expiresAt: string;
}

export type FaultKind =
  | "offline"
  | "link"
  | "closed"
  | "busy"
  | "file"
  | "challenge"
  | "challenges"
  | "server";

export class Fault extends Error {
  constructor(
    readonly kind: FaultKind,
    readonly retryAfter = 0,
    readonly requestId = "",
    readonly status = 0,
  ) {
    super(kind);
  }

  /** Whether the same call can succeed later, or with a connection. */
  get passes(): boolean {
    return this.kind === "offline" || this.kind === "busy" || this.retryAfter > 0;
  }
}

const ENDED: Status[] = ["APPROVED", "REJECTED", "MANUAL_REVIEW", "EXPIRED"];
const KINDS: Record<string, FaultKind> = {
  VERIFICATION_CLOSED: "closed",
  LINK_CLOSED: "link",
  CHALLENGE_CLOSED: "challenge",
  LIVENESS_NOT_ASKED: "challenge",
  TOO_MANY_CHALLENGES: "challenges",
  TOO_MANY_UPLOADS: "challenges",
  TOO_MANY_CONSENTS: "challenges",
  TOO_MANY_HAND_OVERS: "challenges",
  FILE_TOO_LARGE: "file",
  FILE_TOO_COMPLEX: "file",
  PAYLOAD_TOO_LARGE: "file",
  UNSUPPORTED_FILE_TYPE: "file",
  VALIDATION_ERROR: "file",
  // The connection was too slow for the upload.
  REQUEST_TIMEOUT: "offline",
};
const OF_STATUS: Record<number, FaultKind> = { 401: "link", 404: "link", 429: "busy" };
const FLOW = "/v1/sdk";
const BASE = `/verifications/${boot.verificationId}`;

export const hasEnded = (view: View): boolean => ENDED.includes(view.status);

/** Throw Fault unless the response is a success. */
export async function call(path: string, how: RequestInit = {}, seconds = 30): Promise<Response> {
  if (link && !token) await openSession();
  const used = token;
  try {
    return await send(BASE + path, how, seconds);
  } catch (fault) {
    if (!link || !(fault instanceof Fault) || fault.status !== 401) throw fault;
    // The session has ended; the link opens another one.
    if (token === used) await openSession();
    return send(BASE + path, how, seconds);
  }
}

let opening: Promise<void> | null = null;

/** Exchange the link's token for a session, once for all calls that wait for it. */
function openSession(): Promise<void> {
  opening ??= send("/link-sessions", asJson({ link }), 30, false)
    .then((answer) => answer.json())
    .then((session: { token: string; returnUrl: string | null }) => enter(session))
    .finally(() => (opening = null));
  return opening;
}

async function send(
  path: string,
  how: RequestInit,
  seconds: number,
  isProved = true,
): Promise<Response> {
  const headers = new Headers(how.headers);
  if (isProved && token) headers.set("Authorization", `Bearer ${token}`);
  const limits = [AbortSignal.timeout(seconds * 1000), ...(how.signal ? [how.signal] : [])];
  let answer: Response;
  try {
    answer = await fetch(FLOW + path, {
      ...how,
      headers,
      credentials: "omit",
      cache: "no-store",
      signal: firstOf(...limits),
    });
  } catch {
    throw new Fault("offline");
  }
  if (answer.ok) return answer;
  const body = (await answer.json().catch(() => ({}))) as {
    error?: { code?: string; requestId?: string; retryAfter?: number };
  };
  const kind = OF_STATUS[answer.status] ?? KINDS[body.error?.code ?? ""] ?? "server";
  const patience = body.error?.retryAfter ?? Number(answer.headers.get("Retry-After") ?? 0);
  throw new Fault(
    kind,
    kind === "busy" ? Math.max(1, patience) : patience,
    body.error?.requestId,
    answer.status,
  );
}

const asJson = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

export async function status(): Promise<View> {
  return (await call("")).json() as Promise<View>;
}

/** The state of the verification in the response to an act. */
const viewIn = async (answer: Response): Promise<View> =>
  ((await answer.json()) as { verification: View }).verification;

export async function consent(version: string, locale: string): Promise<View> {
  const acceptedAt = new Date().toISOString();
  return viewIn(await call("/consent", asJson({ version, locale, acceptedAt })));
}

/** Pictures that the person chose as files, instead of taking them with the camera. */
export const chosenFiles = new WeakSet<File>();

export async function upload(files: Partial<Record<Role, File>>): Promise<View> {
  const form = new FormData();
  for (const [role, file] of Object.entries(files)) {
    form.append(`${role}Source`, chosenFiles.has(file) ? "file" : "camera");
    form.append(role, file);
  }
  return viewIn(await call("/inputs", { method: "POST", body: form }, 120));
}

/** A link for another device; also sent, if a destination is given. */
export async function handOver(send?: {
  channel: "sms" | "email";
  destination: string;
}): Promise<HandOver> {
  const how = asJson({ send });
  const language = document.documentElement.lang;
  const headers = { "Content-Type": "application/json", "Accept-Language": language };
  return (await call("/hand-over", { ...how, headers })).json() as Promise<HandOver>;
}

export async function endHandOver(): Promise<void> {
  await call("/hand-over/end", { method: "POST" });
}

export async function startChallenge(): Promise<Challenge> {
  return (await call("/liveness-challenge/start", { method: "POST" })).json() as Promise<Challenge>;
}

export async function answerChallenge(challenge: Challenge, frames: File[]): Promise<void> {
  const form = new FormData();
  form.append("challengeId", challenge.challengeId);
  form.append("nonce", challenge.nonce);
  for (const frame of frames) form.append("frames", frame);
  await call("/liveness-challenge/frames", { method: "POST", body: form }, 120);
}
