/**
 * A session for a service without POST /v1/auth/session: the token of the JSON login, in memory
 * alone, so that a reload ends it. Goes away with the last such service.
 */
import { api, ask, sendToken } from "./client";
import type { Session } from "./contract";

let session: Session | null = null;

export const tokenSession = () => session;

export function endTokenSession() {
  session = null;
  sendToken(null);
}

export async function signInForToken(email: string, password: string): Promise<Session> {
  const answer = await ask(api.POST("/v1/auth/login", { body: { email, password } }));
  sendToken(answer.access_token);
  const end = new Date(Date.now() + answer.expires_in * 1000).toISOString();
  session = {
    state: "ACTIVE",
    user: { id: answer.user.id, email: answer.user.email, role: answer.user.role },
    organization: { id: answer.org.id, name: answer.org.name },
    csrfToken: "",
    expiresAt: end,
    idleExpiresAt: end,
  };
  return session;
}
