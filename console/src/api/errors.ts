/** Why a request failed: the API's own error, or that no answer came. */
export class ApiError extends Error {
  constructor(
    /** The API's stable code, or UNREACHABLE if there was no answer. */
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: readonly string[] = [],
    readonly requestId: string | null = null,
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export const unreachable = () => new ApiError("UNREACHABLE", "The service did not answer.", 0);

/** Read the API's envelope `{error: {code, message, details, requestId}}`. */
export function errorOf(body: unknown, response: Response): ApiError {
  const error = (body as { error?: Record<string, unknown> } | undefined)?.error ?? {};
  const details = Array.isArray(error.details) ? error.details.map(String) : [];
  return new ApiError(
    String(error.code ?? `HTTP_${response.status}`),
    String(error.message ?? response.statusText),
    response.status,
    details,
    error.requestId === undefined ? null : String(error.requestId),
  );
}
