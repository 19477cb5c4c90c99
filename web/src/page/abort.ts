/** Return what aborts with the first of the signals: AbortSignal.any, which phones of 2022 do not have. */
export function firstOf(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController();
  const { signal } = first;
  for (const each of signals) {
    const abort = () => first.abort(each.reason);
    if (each.aborted) abort();
    else each.addEventListener("abort", abort, { once: true, signal });
  }
  return signal;
}
