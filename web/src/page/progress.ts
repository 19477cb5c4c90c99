/**
 * The verification's state as it changes: server-sent events, read with fetch, so that the token
 * travels in a header instead of in an address; polling wherever a proxy lets no stream through.
 */
import { call, Fault, hasEnded, status, type View } from "./api";

// The server sends a comment every 15 s: after two of them missing, the line is dead.
const SILENCE = 35_000;
const POLL = 3_000;
// Streams that broke in a row; then it is polled for a while.
const PATIENCE = 3;
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
  let broken = 0;
  let polls = 0;
  let ended = false;
  const see = (view: View) => {
    ended = hasEnded(view);
    if (stopped.aborted) return;
    onFault(null);
    onView(view);
  };
  const seeEvent = (view: View, id: string) => {
    lastId = id || lastId;
    broken = 0;
    see(view);
  };
  while (!stopped.aborted && !ended) {
    try {
      if (broken < PATIENCE) {
        await stream(lastId, seeEvent, stopped);
        broken += 1;
      } else {
        see(await status());
        polls += 1;
        await pause(POLL, stopped);
        if (polls % POLLS_BEFORE_STREAM === 0) broken = 0;
      }
    } catch (reason) {
      if (stopped.aborted) return;
      const fault = reason instanceof Fault ? reason : new Fault("offline");
      if (fault.kind === "link") {
        // Whether it is the link itself or a proxy between that knows no streams, the poll says.
        if (broken === PATIENCE) return onFault(fault);
        broken = PATIENCE;
        continue;
      }
      broken = Math.min(PATIENCE, broken + 1);
      if (broken === PATIENCE || fault.kind === "busy") onFault(fault);
      await pause(Math.max(fault.retryAfter * 1000, 500 * 2 ** broken), stopped);
    }
  }
}

/** Until the stream ends or goes silent. Raise Fault. */
async function stream(
  lastId: string,
  onView: (view: View, id: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, stopped]);
  let watchdog = setTimeout(() => ending.abort(), SILENCE);
  const headers: HeadersInit = { Accept: "text/event-stream" };
  if (lastId) headers["Last-Event-ID"] = lastId;
  try {
    const answer = await call("/events", { headers, signal }, 3600);
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(() => ending.abort(), SILENCE);
      const messages = (rest + value).split(/\r?\n\r?\n/);
      rest = messages.pop()!;
      for (const message of messages) deliver(message, onView);
    }
  } finally {
    clearTimeout(watchdog);
    ending.abort();
  }
}

function deliver(message: string, onView: (view: View, id: string) => void): void {
  const fields = message.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line));
  const of = (name: string) => fields.flatMap((f) => (f?.[1] === name ? [f[2]!] : []));
  const data = of("data").join("\n");
  if (data) onView(JSON.parse(data) as View, of("id")[0] ?? "");
}

export function pause(milliseconds: number, stopped?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    stopped?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
