/**
 * Runs one act at a time and shows its fault to the whole page. Acts that only need time or a
 * connection are repeated automatically, so that the person loses nothing.
 */
import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { firstOf } from "./abort";
import { Fault } from "./api";
import { pause } from "./progress";

export interface Raised {
  fault: Fault;
  /** Repeat it now; null if the person continues on the screen itself. */
  again: (() => void) | null;
}

/** Repeat until it succeeds. `isAgain`: an interrupted earlier try may have arrived. */
export type Insist = <T>(act: (isAgain: boolean) => Promise<T>) => Promise<T>;

export const FaultContext = createContext<(raised: Raised | null) => void>(() => undefined);

export function useSending(): {
  /** Return whether it succeeded. The screen itself handles a fault that `keep` accepts. */
  send: (
    work: (insist: Insist) => Promise<void>,
    keep?: (fault: Fault) => boolean,
  ) => Promise<boolean>;
  isBusy: boolean;
} {
  const raise = useContext(FaultContext);
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);

  const send = async (
    work: (insist: Insist) => Promise<void>,
    keep?: (fault: Fault) => boolean,
  ) => {
    setBusy(true);
    try {
      await work((act) => insist(act, raise, leaving.current.signal));
      raise(null);
      return true;
    } catch (reason) {
      const fault = reason instanceof Fault ? reason : new Fault("server");
      if (!leaving.current.signal.aborted && !keep?.(fault)) raise({ fault, again: null });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy };
}

async function insist<T>(
  act: (isAgain: boolean) => Promise<T>,
  raise: (raised: Raised | null) => void,
  left: AbortSignal,
): Promise<T> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await act(isAgain);
    } catch (fault) {
      if (!(fault instanceof Fault) || !fault.passes || left.aborted) throw fault;
      const pressed = new AbortController();
      raise({ fault, again: () => pressed.abort() });
      const wait = fault.retryAfter > 0 ? fault.retryAfter * 1000 : Infinity;
      await pause(wait, firstOf(pressed.signal, left));
      raise(null);
      left.throwIfAborted();
    }
  }
}
