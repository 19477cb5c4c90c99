/**
 * The flow in React, with `react` of the page's own:
 *
 *     import { VerifyButton } from "@acredita/browser/react";
 *
 *     <VerifyButton target={{ baseUrl, clientId, flowId }} onFinished={({ status }) => …}>
 *       Verify my identity
 *     </VerifyButton>
 *
 * or `useVerification` for a control of your own. The module that shows the flow is loaded when it
 * begins, so this one also renders on a server.
 */
import {
  createElement,
  useCallback,
  useEffect,
  useRef,
  useState,
  type ButtonHTMLAttributes,
  type ReactElement,
} from "react";
import type { Flow } from "./flow";
import type { AcreditaError, EventName, Events, LinkOptions, StartOptions } from "./types";

/** A verification that the page begins, or the link of one that your server made. */
export type Target = StartOptions | (LinkOptions & { url: string });

export interface Handlers {
  onLoaded?: (detail: Events["loaded"]) => void;
  onStarted?: (detail: Events["userStartedSdk"]) => void;
  onScreen?: (detail: Events["screen"]) => void;
  onFinished?: (detail: Events["userFinishedSdk"]) => void;
  onExited?: (detail: Events["exitedSdk"]) => void;
  onError?: (detail: Events["error"]) => void;
}

export interface Verification {
  /** Show the flow. It does not throw: `error` and `onError` have what failed. */
  begin: (target: Target) => Promise<void>;
  close: () => void;
  /** Whether a flow has begun and not ended. */
  isOpen: boolean;
  /** Of the last flow. A result that a browser reports proves nothing: ask your server. */
  result: Events["userFinishedSdk"] | null;
  error: Events["error"] | null;
}

const HANDLERS: { [Name in EventName]: keyof Handlers } = {
  loaded: "onLoaded",
  userStartedSdk: "onStarted",
  screen: "onScreen",
  userFinishedSdk: "onFinished",
  exitedSdk: "onExited",
  error: "onError",
};

/** The flow closes when the component that uses this hook goes. */
export function useVerification(handlers: Handlers = {}): Verification {
  const [isOpen, setOpen] = useState(false);
  const [result, setResult] = useState<Events["userFinishedSdk"] | null>(null);
  const [error, setError] = useState<Events["error"] | null>(null);
  const flow = useRef<Flow | null>(null);
  const latest = useRef(handlers);
  latest.current = handlers;
  const isGone = useRef(false);

  const close = useCallback(() => {
    flow.current?.close();
    flow.current = null;
    setOpen(false);
  }, []);
  useEffect(() => {
    // React runs effects twice in its strict mode.
    isGone.current = false;
    return () => {
      isGone.current = true;
      flow.current?.close();
    };
  }, []);

  const begin = useCallback(async (target: Target) => {
    setOpen(true);
    setResult(null);
    setError(null);
    const hear = <Name extends EventName>(name: Name, detail: Events[Name]) => {
      if (isGone.current) return;
      if (name === "userFinishedSdk") setResult(detail as Events["userFinishedSdk"]);
      if (name === "error") setError(detail as Events["error"]);
      if (name === "userFinishedSdk" || name === "exitedSdk" || name === "error") setOpen(false);
      (latest.current[HANDLERS[name]] as ((detail: Events[Name]) => void) | undefined)?.(detail);
    };
    const failed = (reason: unknown) => {
      const { code = "UNREACHABLE", message } = reason as Partial<AcreditaError> & Error;
      hear("error", { verificationId: null, code, message });
    };
    const sdk = await import("./acredita").catch(failed);
    if (!sdk || isGone.current) return;
    if ("url" in target) {
      flow.current = sdk.open(target.url, target, hear);
    } else {
      // Its error event has been heard; the reason is for the developer.
      flow.current = await sdk.start(target, hear).catch((reason: unknown) => {
        console.error(reason);
        return null;
      });
    }
    if (isGone.current) flow.current?.close();
  }, []);
  return { begin, close, isOpen, result, error };
}

export interface VerifyButtonProps
  extends Handlers, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "onClick" | "onError" | "type"> {
  target: Target;
}

/** A button of the page's own looks that shows the flow. */
export function VerifyButton(props: VerifyButtonProps): ReactElement {
  const { target, onLoaded, onStarted, onScreen, onFinished, onExited, onError, ...rest } = props;
  const handlers = { onLoaded, onStarted, onScreen, onFinished, onExited, onError };
  const { begin, isOpen } = useVerification(handlers as Handlers);
  return createElement("button", {
    ...rest,
    type: "button",
    disabled: rest.disabled || isOpen,
    onClick: () => void begin(target),
  });
}
