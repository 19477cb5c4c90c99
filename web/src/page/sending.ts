/** One call at a time, and its fault where the whole page can see it. */
import { createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { Fault } from "./api";

export const FaultContext = createContext<(fault: Fault | null) => void>(() => undefined);

export function useSending(): {
  /** Whether it went through. A fault that `keep` takes is the screen's own business. */
  send: (work: () => Promise<void>, keep?: (fault: Fault) => boolean) => Promise<boolean>;
  isBusy: boolean;
} {
  const raise = useContext(FaultContext);
  const [isBusy, setBusy] = useState(false);
  const send = async (work: () => Promise<void>, keep?: (fault: Fault) => boolean) => {
    setBusy(true);
    try {
      await work();
      raise(null);
      return true;
    } catch (reason) {
      const fault = reason instanceof Fault ? reason : new Fault("server");
      if (!keep?.(fault)) raise(fault);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { send, isBusy };
}
