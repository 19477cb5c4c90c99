/** What may go wrong, as classes. All are an `AcreditaError`. */

export class AcreditaError extends Error {
  override name = "AcreditaError";
}

/**
 * A response that is not a success.
 *
 * `code` is stable and made for programs (`NOT_FOUND`, `VALIDATION_ERROR`, …). `details` names each
 * fault of the request. The operator finds the request by `requestId`.
 */
export class ApiError extends AcreditaError {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly details: readonly string[];
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, if the response says so. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: readonly string[]; requestId?: string; retryAfter?: number } = {},
  ) {
    super(`${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
    this.details = more.details ?? [];
    this.requestId = more.requestId;
    this.retryAfter = more.retryAfter;
  }
}

/** No response came. Whether the service acted upon the request is not known. */
export class ConnectionFailed extends AcreditaError {
  override name = "ConnectionFailed";
}

/** A webhook that the service did not send, or did not send just now. */
export class InvalidSignature extends AcreditaError {
  override name = "InvalidSignature";
}

/** A verification was not decided in time. `status` is its last one. */
export class WaitTimedOut extends AcreditaError {
  override name = "WaitTimedOut";
  readonly verificationId: string;
  readonly status: string;

  constructor(verificationId: string, status: string, seconds: number) {
    super(`verification ${verificationId} is still ${status} after ${seconds} s`);
    this.verificationId = verificationId;
    this.status = status;
  }
}
