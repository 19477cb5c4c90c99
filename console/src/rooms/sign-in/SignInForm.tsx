import { Anchor, Box, Button, Divider, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { type ComponentProps, type FormEvent, lazy, Suspense, useState } from "react";
import { api, ask, isError } from "@/api/client";
import type { Session } from "@/api/contract";
import { ApiError } from "@/api/errors";
import { signIn } from "@/api/session";
import { Waiting } from "@/app/ErrorPages";
import { useFailureText } from "@/parts/failures";
import { PasskeyButton } from "./PasskeyButton";
import { ProviderSignIn } from "./ProviderSignIn";
import { SecondFactorForm } from "./SecondFactorForm";
import { useSignInWords } from "./texts";

const FactorSetup = lazy(() =>
  import("./FactorSetup").then((part) => ({ default: part.FactorSetup })),
);

/** E-mail and password, then the second factor if the account has one. */
interface Props {
  onSession: (session: Session) => void;
  /** A session that still lacks its second factor. */
  begun?: Session | null;
  /** Why a sign-in elsewhere failed. */
  failure?: string;
  provider?: ComponentProps<typeof ProviderSignIn>;
}

export function SignInForm({ onSession, begun = null, failure = "", provider = {} }: Props) {
  const words = useSignInWords();
  const failureText = useFailureText();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [said, setSaid] = useState(failure);
  const [isBusy, setBusy] = useState(false);
  const [pending, setPending] = useState<Session | null>(begun);

  const textOf = (fault: unknown) =>
    isError(fault, "PROVIDER_SIGN_IN_REQUIRED")
      ? words("providerOnly")
      : fault instanceof ApiError && fault.status === 401
      ? words("refused")
      : fault instanceof ApiError && fault.status === 429
        ? words("throttled")
        : failureText(fault);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setSaid("");
    try {
      const session = await signIn(email, password);
      if (session.state === "ACTIVE") onSession(session);
      else setPending(session);
    } catch (fault) {
      setSaid(textOf(fault));
    } finally {
      setBusy(false);
      setPassword("");
    }
  }

  async function forget() {
    if (!email) {
      setSaid(words("needsEmail"));
      return;
    }
    try {
      await ask(api.POST("/v1/auth/forgot-password", { body: { email } }));
      setSaid(words("mailed"));
    } catch (fault) {
      setSaid(textOf(fault));
    }
  }

  if (pending?.state === "SECOND_FACTOR_SETUP") {
    return (
      <Suspense fallback={<Waiting />}>
        <FactorSetup onSession={onSession} />
      </Suspense>
    );
  }
  if (pending) {
    return (
      <SecondFactorForm
        factors={pending.factors ?? []}
        onSession={onSession}
        onBack={() => setPending(null)}
      />
    );
  }
  return (
    <>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={words("email")}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={words("password")}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ "aria-hidden": true }}
          />
          <Text role="alert" size="sm">
            {said}
          </Text>
          <Button type="submit" loading={isBusy}>
            {words("enter")}
          </Button>
          <Anchor component="button" type="button" size="sm" onClick={() => void forget()}>
            {words("forgotten")}
          </Anchor>
          <Divider label={words("or")} />
          <PasskeyButton onSession={onSession} onFailure={setSaid} />
        </Stack>
      </form>
      <Box mt="md">
        <ProviderSignIn {...provider} />
      </Box>
    </>
  );
}
