/** Passkeys of the browser: WebAuthn, with the options and answers of the API as JSON. */
import { api, ask } from "./client";
import type { Session } from "./contract";
import { keepSession } from "./session";

/** Whether this browser can have passkeys, and take their options as JSON. */
export const canUsePasskeys = () =>
  typeof PublicKeyCredential === "function" &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";

/** Whether the person has closed the browser's own dialog, or it has timed out. */
export const isCancelled = (fault: unknown) =>
  fault instanceof DOMException && ["NotAllowedError", "AbortError"].includes(fault.name);

const answerOf = (credential: Credential | null) => {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("The browser gave no passkey.");
  return { ...credential.toJSON() };
};

export async function signInWithPasskey(): Promise<Session> {
  const options = await ask(api.POST("/v1/auth/session/passkey-options"));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options.publicKey as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = answerOf(await navigator.credentials.get({ publicKey }));
  return keepSession(await ask(api.POST("/v1/auth/session/passkey", { body: { credential } })));
}

/** Add a passkey; return recovery codes if the user had none. */
export async function addPasskey(name: string): Promise<string[] | null> {
  const options = await ask(api.POST("/v1/auth/passkeys/options"));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options.publicKey as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = answerOf(await navigator.credentials.create({ publicKey }));
  const added = await ask(api.POST("/v1/auth/passkeys", { body: { name, credential } }));
  return added.recoveryCodes;
}
