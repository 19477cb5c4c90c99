import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ask } from "@/api/client";
import { ApiError } from "@/api/errors";
import { covers, useSession } from "@/api/session";

const RENEW_EVERY = 60_000;
const of = (id: string) => ({ params: { path: { id } } });

export interface Lease {
  state: "none" | "mine" | "others";
  /** Who holds it, if others do and the service says so. */
  holder: string | null;
}

/** Hold the verification while its page is open and it waits for a reviewer. */
export function useLease(id: string, waits: boolean): Lease {
  const { user } = useSession();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ["lease", id],
    enabled: waits && covers(user.role, "REVIEWER"),
    // A claim of what one holds renews the lease.
    refetchInterval: RENEW_EVERY,
    staleTime: 0,
    queryFn: async (): Promise<Lease> => {
      try {
        await ask(api.POST("/v1/reviews/{id}/claim", of(id)));
        return { state: "mine", holder: null };
      } catch (fault) {
        if (!(fault instanceof ApiError)) throw fault;
        if (fault.code === "ALREADY_CLAIMED") {
          return { state: "others", holder: fault.details[0] ?? null };
        }
        if (fault.code !== "NOT_IN_REVIEW" && fault.status !== 404) throw fault;
        // Decided meanwhile: the page shows how.
        void queries.invalidateQueries({ queryKey: ["case", id] });
        return { state: "none", holder: null };
      }
    },
  });
  return data ?? { state: "none", holder: null };
}

/** Release the verification, or hand it over to another user. */
export function useLeaseActs(id: string) {
  const queries = useQueryClient();
  const settle = () => {
    queries.removeQueries({ queryKey: ["lease", id] });
    return queries.invalidateQueries({ queryKey: ["reviews"] });
  };
  const release = useMutation({
    mutationFn: () => ask(api.POST("/v1/reviews/{id}/release", of(id))),
    onSettled: settle,
  });
  const handOver = useMutation({
    mutationFn: (userId: string) =>
      ask(api.POST("/v1/reviews/{id}/hand-over", { ...of(id), body: { userId } })),
    onSettled: settle,
  });
  return { release, handOver };
}
