/** Lets the tabs of a browser agree about what they show. Messages hold keys of queries: no values. */
import type { QueryClient, QueryKey } from "@tanstack/react-query";

const channel = new BroadcastChannel("acredita.changes");

/** Read what these keys name again, in this tab and in all others. */
export function changed(queries: QueryClient, ...keys: QueryKey[]) {
  for (const queryKey of keys) {
    void queries.invalidateQueries({ queryKey });
    channel.postMessage(queryKey);
  }
}

/** Read again what another tab has changed. */
export function followChanges(queries: QueryClient) {
  channel.onmessage = ({ data }) => void queries.invalidateQueries({ queryKey: data as QueryKey });
}
