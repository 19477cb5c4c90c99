/** Verifications: create, upload, wait, read, decide. */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

import { WaitTimedOut } from "./errors.ts";
import { entries, type Slice } from "./pages.ts";
import type { Shape } from "./shapes.ts";
import { type CallOptions, type CreateOptions, path, pauseFor, type Transport } from "./transport.ts";

export type Role = "front" | "back" | "selfie" | "passport" | "liveness" | "proofOfAddress";
/** A path, the URL of a file, bytes, or a `File` or `Blob`. */
export type Source = string | URL | Uint8Array | Blob;
export type Files = { [role in Role]?: Source | readonly Source[] };

export interface VerificationFilter {
  status?: Shape<"VerificationShape">["status"];
  search?: string;
}

export interface GetOptions extends CallOptions {
  /** Which signals the results of the steps have: the raised ones, unless this is `all`. */
  signals?: "raised" | "all";
}

const DECIDED: ReadonlySet<string> = new Set(["APPROVED", "REJECTED", "MANUAL_REVIEW", "EXPIRED"]);
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

export class Verifications {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * A new verification. `callbackSecret` is in this response only. With `capture`, such as
   * `{ returnUrl: "https://app.example/" }` or `{}`, the response has the link for the person.
   */
  async create(
    verification: Shape<"VerificationCreate">,
    options?: CreateOptions,
  ): Promise<Shape<"CreatedVerification">> {
    const answer = await this.#transport.create<Shape<"CreatedVerificationAnswer">>(
      "/v1/verifications",
      verification,
      options,
    );
    return answer.verification;
  }

  /** Another link for the person. All earlier ones stop working. */
  async newLink(
    verificationId: string,
    capture: Shape<"CaptureWrite"> = {},
    options?: CallOptions,
  ): Promise<Shape<"CaptureAnswer">> {
    const address = path`/v1/verifications/${verificationId}/capture`;
    const answer = await this.#transport.json<Shape<"CreatedCapture">>("POST", address, {
      ...options,
      json: capture,
    });
    return answer.capture;
  }

  /** Ends the links for the person, and the sessions that they opened. */
  async revokeLinks(verificationId: string, options?: CallOptions): Promise<void> {
    await this.#transport.send("DELETE", path`/v1/verifications/${verificationId}/capture`, options);
  }

  /**
   * Uploads files by role: `upload(id, { front: "ine.jpg", back: bytes })`.
   *
   * The service takes JPEG, PNG, WebP and PDF of at most 10 MB each, and recognizes them by their
   * bytes. A second file in a role replaces the first for steps that have not finished.
   */
  async upload(
    verificationId: string,
    files: Files,
    options?: CallOptions,
  ): Promise<Shape<"UploadAnswer">> {
    const form = new FormData();
    for (const [role, sources] of Object.entries(files)) {
      for (const source of Array.isArray(sources) ? sources : [sources]) {
        if (source !== undefined) form.append(role, ...(await part(role, source)));
      }
    }
    const address = path`/v1/verifications/${verificationId}/inputs`;
    return this.#transport.json("POST", address, { ...options, form });
  }

  /** The verification with its steps, its documents and their fields. */
  async get(
    verificationId: string,
    { signals, ...options }: GetOptions = {},
  ): Promise<Shape<"VerificationAnswer">> {
    const address = path`/v1/verifications/${verificationId}`;
    return this.#transport.json("GET", address, { ...options, query: { signals } });
  }

  /**
   * Polls until it is APPROVED, REJECTED, MANUAL_REVIEW or EXPIRED. Rejects with `WaitTimedOut`
   * after `timeoutSeconds` (300).
   *
   * For scripts and tests. In a service, receive the webhook instead.
   */
  async waitForDecision(
    verificationId: string,
    { timeoutSeconds = 300, ...options }: CallOptions & { timeoutSeconds?: number } = {},
  ): Promise<Shape<"VerificationAnswer">> {
    const end = performance.now() + timeoutSeconds * 1000;
    for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)) {
      const answer = await this.get(verificationId, options);
      const { status } = answer.verification;
      if (DECIDED.has(status)) return answer;
      const left = end - performance.now();
      if (left <= 0) throw new WaitTimedOut(verificationId, status, timeoutSeconds);
      await pauseFor(Math.min(pause, left), options.signal);
    }
  }

  /** One page, newest first. */
  async list(
    filter: VerificationFilter & Slice = {},
    options?: CallOptions,
  ): Promise<Shape<"VerificationPage">> {
    return this.#transport.json("GET", "/v1/verifications", { ...options, query: { ...filter } });
  }

  /** All that match, newest first: `for await (const one of client.verifications.all()) …` */
  all(
    filter: VerificationFilter = {},
    options?: CallOptions,
  ): AsyncGenerator<Shape<"ListedVerification">, void, undefined> {
    return entries(
      (cursor) => this.list({ limit: 100, ...filter, ...(cursor && { cursor }) }, options),
      (page) => page.verifications,
    );
  }

  /**
   * A person's decision, which ends the run. It needs a key with the role REVIEWER or above. Where
   * the organization asks for two reviewers, the response has a `proposal` instead.
   */
  async setStatus(
    verificationId: string,
    change: Shape<"StatusChange">,
    options?: CallOptions,
  ): Promise<Shape<"ChangedVerificationAnswer"> | Shape<"ProposedDecision">> {
    const address = path`/v1/verifications/${verificationId}/status`;
    return this.#transport.json("PATCH", address, { ...options, json: change });
  }

  /** A document's picture, without its metadata. */
  async image(documentId: string, options?: CallOptions): Promise<Uint8Array> {
    const answer = await this.#transport.send("GET", path`/v1/documents/${documentId}/image`, options);
    return answer.body;
  }
}

/** The value and the name of one part of a form. A part without a name is not a file. */
async function part(role: string, source: Source): Promise<[Blob, string]> {
  if (source instanceof Blob) return [source, source instanceof File ? source.name : role];
  // A copy: FormData takes no view of shared memory.
  if (source instanceof Uint8Array) return [new Blob([Uint8Array.from(source)]), role];
  const file = source instanceof URL ? fileURLToPath(source) : source;
  return [new Blob([await readFile(file)]), basename(file)];
}
