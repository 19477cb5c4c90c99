import { MutationCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "./errors";

const MOST_RETRIES = 2;

export const makeQueryClient = (onFailure: (fault: unknown) => void) =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // A refusal does not change by itself.
        retry: (count, fault) =>
          count < MOST_RETRIES && fault instanceof ApiError && fault.isTemporary,
      },
      // Without a connection, a mutation fails at once: the page says so and keeps what was typed.
      mutations: { networkMode: "always" },
    },
    // A mutation that shows its own failure says `meta: { quiet: true }`.
    mutationCache: new MutationCache({
      onError: (fault, _variables, _result, mutation) => {
        if (!mutation.meta?.quiet) onFailure(fault);
      },
    }),
  });
