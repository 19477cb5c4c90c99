/**
 * Parts that the first screen does not need.
 *
 *     const List = useLater(() => import("./List").then((part) => part.List), hasMessages);
 */
import { useEffect, useState } from "react";

// Milliseconds after the first screen, and between attempts without a connection.
const FIRST_SCREEN = 2_000;
const AGAIN_AFTER = 5_000;

/**
 * Return a part once it is loaded, null before: after the first screen, so that it is there when
 * the connection is not, or at once when it is wanted.
 */
export function useLater<Part>(load: () => Promise<Part>, isWanted: boolean): Part | null {
  const [part, setPart] = useState<Part | null>(null);
  const isMissing = part === null;
  useEffect(() => {
    if (!isMissing) return;
    let timer = 0;
    const attempt = () => {
      load().then(
        (found) => setPart(() => found),
        () => {
          timer = window.setTimeout(attempt, AGAIN_AFTER);
        },
      );
    };
    if (isWanted) attempt();
    else timer = window.setTimeout(attempt, FIRST_SCREEN);
    return () => clearTimeout(timer);
    // `load` changes at each rendering, what it loads does not.
  }, [isMissing, isWanted]);
  return part;
}
