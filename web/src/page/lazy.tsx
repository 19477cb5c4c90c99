/** Parts of the page that are loaded when they are first shown: the camera's. */
import type { FunctionComponent, JSX } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { Fault } from "./api";
import { Spinner } from "./components";
import { FaultContext } from "./sending";

export function lazyComponent<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  return function LazyComponent(props: Props): JSX.Element {
    const [Part, setPart] = useState<{ it: FunctionComponent<Props> } | null>(
      loaded && { it: loaded },
    );
    const [attempt, setAttempt] = useState(0);
    const raise = useContext(FaultContext);
    useEffect(() => {
      if (Part) return;
      const again = () => {
        raise(null);
        setAttempt(attempt + 1);
      };
      load().then(
        (part) => {
          loaded = part;
          setPart({ it: part });
        },
        () => raise({ fault: new Fault("offline"), again }),
      );
    }, [attempt]);
    return Part ? <Part.it {...props} /> : <Spinner />;
  };
}
