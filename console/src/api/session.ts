/** Who is signed in. The cookie is the session; nothing of it is stored here. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { api, ask, hasSession, keepCsrfToken, whenSessionEnds } from "./client";
import type { Role, Session } from "./contract";
import { ApiError } from "./errors";

const RANKS: Record<Role, number> = { MEMBER: 0, REVIEWER: 1, ADMIN: 2, OWNER: 3 };

export const covers = (role: Role, needed: Role) => RANKS[role] >= RANKS[needed];

/** Take over the CSRF token of a session that the API has answered with. */
export const keepSession = (session: Session): Session => {
  keepCsrfToken(session.csrfToken);
  return session;
};

/** Ask for the session; null if nobody is signed in. Throw if this page's session has ended. */
export async function readSession(): Promise<Session | null> {
  try {
    return keepSession(await ask(api.GET("/v1/auth/session")));
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.status !== 401 || hasSession()) throw fault;
    return null;
  }
}

const KEY = ["session"];

export const sessionQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ client }) => {
    const session = await readSession();
    // It needs a second factor since. As after its end, the page goes on to know whose it is.
    if (session?.user === null && client.getQueryData<Session | null>(KEY)?.user) {
      setEnded(true);
      throw new ApiError("UNAUTHORIZED", "The session needs a second factor.", 401);
    }
    return session;
  },
  staleTime: 60_000,
});

// The session that ends: the page shows it until the sign-in replaces the page.
let leaving: Session | null = null;

const WATCHED_EVERY = 60_000;

/** Notice the end of the session also on a page that asks for nothing else. */
export function useSessionWatch() {
  const isOver = useSessionEnded();
  useQuery({ ...sessionQuery, refetchInterval: WATCHED_EVERY, enabled: !isOver });
}

/** The session of a page below the shell, which always has one. */
export function useSession() {
  const { data } = useQuery(sessionQuery);
  const session = data ?? leaving;
  if (!session?.user || !session.organization) throw new Error("There is no session.");
  return { user: session.user, organization: session.organization };
}

export const signIn = async (email: string, password: string) =>
  keepSession(await ask(api.POST("/v1/auth/session", { body: { email, password } })));

export const giveSecondFactor = async (body: { method: "TOTP" | "RECOVERY_CODE"; code: string }) =>
  keepSession(await ask(api.POST("/v1/auth/session/second-factor", { body })));

// Whether the session of this page has ended, here or in another tab. The page stays as it is, so
// that nothing typed is lost; a dialog asks to sign in again.
let hasEnded = false;
const listeners = new Set<() => void>();
const channel = new BroadcastChannel("acredita.session");

const setEnded = (value: boolean) => {
  if (hasEnded === value) return;
  hasEnded = value;
  for (const listener of listeners) listener();
};

whenSessionEnds(() => setEnded(true));

/** Forget what this session has read, and show the sign-in. */
async function leave(queries: QueryClient, showSignIn: () => Promise<unknown>) {
  keepCsrfToken(null);
  setEnded(false);
  leaving = queries.getQueryData(sessionQuery.queryKey) ?? null;
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, null);
  await showSignIn();
  leaving = null;
}

/**
 * Let this tab agree with the others about who is signed in. Where the user has signed out in
 * another tab, nobody who comes after them sees what this one shows.
 */
export function followOtherTabs(queries: QueryClient, showSignIn: () => Promise<unknown>) {
  channel.onmessage = async ({ data }) => {
    const before = queries.getQueryData(sessionQuery.queryKey);
    if (data === "left") {
      if (before) await leave(queries, showSignIn);
      return;
    }
    const session = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    if (session?.user?.id !== before?.user?.id) window.location.reload();
    setEnded(false);
  };
}

export const useSessionEnded = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hasEnded,
  );

/** End the session in this tab and all others. */
export function useSignOut() {
  const queries = useQueryClient();
  return async (showSignIn: () => Promise<unknown>) => {
    await ask(api.DELETE("/v1/auth/session"));
    channel.postMessage("left");
    await leave(queries, showSignIn);
  };
}

/** Tell the other tabs that there is a new session. */
export const announceSession = () => channel.postMessage("began");

/** Take over a new session; return whether it is of another person than before. */
export function useTakeSession() {
  const queries = useQueryClient();
  return (session: Session) => {
    const before = queries.getQueryData(sessionQuery.queryKey);
    queries.setQueryData(sessionQuery.queryKey, session);
    setEnded(false);
    announceSession();
    const isOther = before?.user?.id !== session.user?.id;
    if (!isOther) void queries.invalidateQueries({ predicate: (q) => q.queryKey[0] !== "session" });
    return isOther;
  };
}
