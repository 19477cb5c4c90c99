/** A flow from start to end, and the listeners of its events. */
import { openDialog, type OpenDialog } from "./dialog";
import { openSession, waitForResult, type Opened } from "./service";
import type {
  EventName,
  Events,
  Listener,
  Result,
  StartOptions,
  TerminalStatus,
  WaitOptions,
} from "./types";

type Heard = <Name extends EventName>(name: Name, detail: Events[Name]) => void;

const listeners = new Map<EventName, Set<Listener<never>>>();

/** Listen to every flow on this page; call the returned function to stop. */
export function on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
  const all = listeners.get(name) ?? new Set();
  listeners.set(name, all.add(listener as Listener<never>));
  return () => all.delete(listener as Listener<never>);
}

const tellAll: Heard = (name, detail) =>
  listeners.get(name)?.forEach((listener) => (listener as Listener<typeof name>)(detail));

export class Flow {
  readonly verificationId: string;
  /** It gives access to this verification for two hours: do not log it. */
  readonly token: string;
  private dialog: OpenDialog | null = null;

  constructor(
    opened: Opened,
    private readonly options: StartOptions,
  ) {
    this.verificationId = opened.verificationId;
    this.token = opened.token;
  }

  /** Wait for the final status: APPROVED, REJECTED, MANUAL_REVIEW or EXPIRED. */
  waitForResult(options: WaitOptions = {}): Promise<Result> {
    const { baseUrl } = this.options;
    const known = { token: this.token, ...(baseUrl ? { baseUrl } : {}) };
    return waitForResult(this.verificationId, { ...known, ...options });
  }

  close(): void {
    this.dialog?.close();
  }

  /** @internal */
  show(pageUrl: string, heard: Heard): void {
    const { verificationId, options } = this;
    const wished = options.language ?? navigator.language.slice(0, 2);
    const language = wished === "en" ? "en" : "es";
    let isFinished = false;
    const onFinish = (status: TerminalStatus) => {
      isFinished = true;
      const identityId = options.identityId ?? null;
      heard("userFinishedSdk", { verificationId, identityId, status });
    };
    this.dialog = openDialog(
      pageUrl,
      language,
      (message) => {
        if (message.type === "loaded") heard("loaded", { verificationId });
        else if (message.type === "screen")
          heard("screen", { verificationId, screen: message.screen ?? "" });
        else if (message.type === "finished" && !isFinished)
          onFinish(message.status as TerminalStatus);
      },
      () => {
        if (!isFinished) heard("exitedSdk", { verificationId });
      },
    );
  }
}

/** Create a verification and show its flow. Throw AcreditaError. */
export async function start(options: StartOptions, heard: Heard = () => undefined): Promise<Flow> {
  const opened = await openSession(options);
  const flow = new Flow(opened, options);
  const { verificationId } = opened;
  const both: Heard = (name, detail) => {
    heard(name, detail);
    tellAll(name, detail);
  };
  both("userStartedSdk", { verificationId });
  const page = new URL(opened.pageUrl);
  if (options.language) page.searchParams.set("lang", options.language);
  if (options.display === "page") {
    const back = options.returnUrl && new URL(options.returnUrl, location.href);
    if (back) {
      back.searchParams.set("verificationId", verificationId);
      page.hash += `&return=${encodeURIComponent(back.href)}`;
    }
    location.assign(page);
  } else {
    flow.show(page.href, both);
  }
  return flow;
}
