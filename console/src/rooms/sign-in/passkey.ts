import { api, ask } from "@/api/client";

/** Ask the browser for a passkey of the account that is signing in. Throw if the user declines. */
export async function askPasskey(): Promise<object> {
  const options = await ask(api.POST("/v1/auth/session/passkey-options"));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey");
  return credential.toJSON() as object;
}
