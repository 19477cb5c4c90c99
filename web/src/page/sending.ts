/**
 * One act at a time, and its fault where the whole page can see it. What only needs time or a line
 * is done again by itself: the person waits, and loses nothing.
 */
import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { Fault } from "./api";
import { pause } from "./progress";

export interface Raised {
  fault: Fault;
  /** Do it again now; null where the screen itself is the way on. */
  again: (() => void) | null;
}

/** Until it went through. What was cut off may have arrived all the same: `isAgain` tells of it. */
export type Insist = <T>(act: (isAgain: boolean) => Promise<T>) => Promise<T>;

export const FaultContext = createContext<(raised: Raised | null) => void>(() => undefined);

export function useSending(): {
  /** Whether it went through. A fault that `keep` takes is the screen's own business. */
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
      await pause(wait, AbortSignal.any([pressed.signal, left]));
      raise(null);
      left.throwIfAborted();
    }
  }
}
