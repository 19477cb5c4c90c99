/**
 * Follows the verification's state: server-sent events, read with fetch, so that the token is in a
 * header and not in the URL; polling if a proxy blocks the stream.
 */
import { firstOf } from "./abort";
import { call, Fault, hasEnded, status, type View } from "./api";

// The server sends the current state at once: a stream that is silent for this long is held back by
// a proxy.
const FIRST_WORD = 3_000;
// The server sends a comment every 15 s: after two missing ones, the connection is dead.
const SILENCE = 35_000;
const POLL = 3_000;
const POLLS_BEFORE_STREAM = 10;

export function follow(
  onView: (view: View) => void,
  onFault: (fault: Fault | null) => void,
): () => void {
  const stopping = new AbortController();
  void run(onView, onFault, stopping.signal);
  return () => stopping.abort();
}

async function run(
  onView: (view: View) => void,
  onFault: (fault: Fault | null) => void,
  stopped: AbortSignal,
): Promise<void> {
  let lastId = "";
  let ended = false;
  const see = (view: View) => {
    ended = hasEnded(view);
    if (stopped.aborted) return;
    onFault(null);
    onView(view);
  };
  const isOver = () => ended || stopped.aborted;
  while (!isOver()) {
    let hasSpoken = false;
    const seeEvent = (view: View, id: string) => {
      hasSpoken = true;
      lastId = id || lastId;
      see(view);
    };
    // The polls show why the stream ended, or that only a proxy blocks it.
    await stream(lastId, seeEvent, stopped).catch(() => undefined);
    for (let polls = hasSpoken ? 1 : POLLS_BEFORE_STREAM; polls > 0 && !isOver(); ) {
      let patience = POLL;
      try {
        see(await status());
        polls -= 1;
      } catch (reason) {
        if (stopped.aborted) return;
        const fault = reason instanceof Fault ? reason : new Fault("offline");
        onFault(fault);
        if (fault.kind === "link") return;
        patience = Math.max(POLL, fault.retryAfter * 1000);
      }
      if (!isOver()) await pause(patience, stopped);
    }
  }
}

/** Read until the stream ends or goes silent. Throw Fault. */
async function stream(
  lastId: string,
  onView: (view: View, id: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  const ending = new AbortController();
  const signal = firstOf(ending.signal, stopped);
  let watchdog = setTimeout(() => ending.abort(), FIRST_WORD);
  let hasSpoken = false;
  const headers: HeadersInit = { Accept: "text/event-stream" };
  if (lastId) headers["Last-Event-ID"] = lastId;
  try {
    const answer = await call("/events", { headers, signal }, 3600);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const messages = (rest + value).split(/\r?\n\r?\n/);
      rest = messages.pop()!;
      for (const message of messages) {
        hasSpoken = deliver(message, onView) || hasSpoken;
      }
      if (!hasSpoken) continue;
      clearTimeout(watchdog);
      watchdog = setTimeout(() => ending.abort(), SILENCE);
    }
  } finally {
    clearTimeout(watchdog);
    ending.abort();
  }
}

/** Return whether the message is a state, not a comment. */
function deliver(message: string, onView: (view: View, id: string) => void): boolean {
  const fields = message.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line));
  const of = (name: string) => fields.flatMap((f) => (f?.[1] === name ? [f[2]!] : []));
  const data = of("data").join("\n");
  if (data) onView(JSON.parse(data) as View, of("id")[0] ?? "");
  return data !== "";
}

/** Wait for this many milliseconds (Infinity: for ever), or until `stopped`. */
export function pause(milliseconds: number, stopped?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = milliseconds < Infinity ? setTimeout(resolve, milliseconds) : undefined;
    const stop = () => (clearTimeout(timer), resolve());
    if (stopped?.aborted) stop();
    stopped?.addEventListener("abort", stop, { once: true });
  });
}
