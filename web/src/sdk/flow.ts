/** A flow from start to end, and the listeners of its events. */
import { openDialog, type OpenDialog } from "./dialog";
import { languageOf } from "./labels";
import {
  inIdsOfThePage,
  openSession,
  reasonOfSilence,
  waitForResult,
  type Opened,
} from "./service";
import type {
  AcreditaError,
  EventName,
  Events,
  LinkOptions,
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
  /** It gives access to this verification for two hours: do not log it. Empty for a link. */
  readonly token: string;
  private readonly identityId: string | null;
  private dialog: OpenDialog | null = null;
  private finish: (result: Result) => void = () => undefined;
  private readonly finished = new Promise<Result>((resolve) => (this.finish = resolve));

  constructor(
    opened: Opened,
    private readonly options: Partial<StartOptions>,
  ) {
    this.verificationId = opened.verificationId;
    this.token = opened.token;
    this.identityId = options.identityId ?? opened.identityId ?? null;
  }

  /** Wait for the final status: APPROVED, REJECTED, MANUAL_REVIEW or EXPIRED. */
  waitForResult(options: WaitOptions = {}): Promise<Result> {
    // The page of a link has the session; it says when the verification has ended.
    if (!this.token) return this.finished;
    const { baseUrl } = this.options;
    const known = { token: this.token, ...(baseUrl ? { baseUrl } : {}) };
    return waitForResult(this.verificationId, { ...known, ...options });
  }

  close(): void {
    this.dialog?.close();
  }

  /** @internal */
  show(pageUrl: string, heard: Heard): void {
    const { verificationId, identityId, options } = this;
    const language = languageOf(options.language ?? navigator.language);
    let [isFinished, isSilent] = [false, true];
    const onFinish = (status: TerminalStatus) => {
      isFinished = true;
      this.finish({ verificationId, status });
      heard("userFinishedSdk", { verificationId, identityId, status });
    };
    this.dialog = openDialog(
      pageUrl,
      language,
      (message) => {
        isSilent = false;
        if (message.type === "loaded") heard("loaded", { verificationId });
        else if (message.type === "screen")
          heard("screen", { verificationId, screen: message.screen ?? "" });
        else if (message.type === "finished" && !isFinished)
          onFinish(message.status as TerminalStatus);
      },
      () => {
        isSilent = false;
        if (!isFinished) heard("exitedSdk", { verificationId });
      },
      async () => {
        const { code, message } = await reasonOfSilence(pageUrl, verificationId);
        if (!isSilent) return;
        console.error(`acredita: ${message}`);
        heard("error", { verificationId, code, message });
      },
    );
  }
}

const both =
  (heard: Heard): Heard =>
  (name, detail) => {
    const told = inIdsOfThePage(detail);
    heard(name, told);
    tellAll(name, told);
  };

/** Show the flow of a link that your server got from `POST /v1/verifications` with `capture`. */
export function open(
  url: string,
  options: LinkOptions = {},
  heard: Heard = () => undefined,
): Flow {
  const page = new URL(url);
  const verificationId = page.pathname.split("/").pop() ?? "";
  const flow = new Flow({ verificationId, token: "", pageUrl: url }, options);
  if (options.language) page.searchParams.set("lang", options.language);
  both(heard)("userStartedSdk", { verificationId });
  flow.show(page.href, both(heard));
  return flow;
}

/** Create a verification and show its flow. Throw AcreditaError. */
export async function start(options: StartOptions, heard: Heard = () => undefined): Promise<Flow> {
  const tell = both(heard);
  const opened = await openSession(options).catch((reason: AcreditaError | TypeError) => {
    const code = "code" in reason ? reason.code : "UNREACHABLE";
    tell("error", { verificationId: null, code, message: reason.message });
    throw reason;
  });
  const flow = new Flow(opened, options);
  const { verificationId } = opened;
  tell("userStartedSdk", { verificationId });
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
    flow.show(page.href, tell);
  }
  return flow;
}
