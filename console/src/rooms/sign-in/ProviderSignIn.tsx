import { Button, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { ApiError } from "@/api/errors";
import { useFailureText } from "@/parts/failures";
import { keepNext } from "./next";
import { useSignInWords } from "./texts";

const FAILURES = [
  "EXPIRED",
  "DENIED",
  "UNREACHABLE",
  "INVALID",
  "EMAIL_UNVERIFIED",
  "NOT_ALLOWED",
] as const;
// The organization of the last sign-in in this browser: not a secret.
const KEY = "acredita.organization";

/** Say why a sign-in at the organization's site failed. */
export function useProviderFailure() {
  const words = useSignInWords();
  return (failure: string | undefined) => {
    const known = FAILURES.find((each) => each === failure);
    return known === undefined ? "" : words(known);
  };
}

interface Props {
  /** The short name that a link gave. */
  organization?: string | undefined;
  /** The page to open afterwards; by default this one. */
  next?: string | undefined;
}

/** Sign in with the organization's own account (OpenID Connect): the browser goes to its site. */
export function ProviderSignIn({ organization, next }: Props) {
  const words = useSignInWords();
  const failureText = useFailureText();
  const [isOpen, setOpen] = useState(organization !== undefined);
  const [slug, setSlug] = useState(organization ?? localStorage.getItem(KEY) ?? "");
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);

  async function go(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setSaid("");
    try {
      const body = { organization: slug.trim() };
      const { authorizationUrl } = await ask(api.POST("/v1/auth/oidc/start", { body }));
      localStorage.setItem(KEY, body.organization);
      if (next !== undefined) keepNext(next);
      window.location.assign(authorizationUrl);
    } catch (fault) {
      const isUnknown = fault instanceof ApiError && [404, 422].includes(fault.status);
      setSaid(isUnknown ? words("noProvider") : failureText(fault));
      setBusy(false);
    }
  }

  if (!isOpen) {
    return (
      <Button
        variant="default"
        fullWidth
        h="auto"
        mih={36}
        py={6}
        styles={{ label: { whiteSpace: "normal", lineHeight: 1.35, height: "auto" } }}
        onClick={() => setOpen(true)}
      >
        {words("provider")}
      </Button>
    );
  }
  return (
    <form onSubmit={(event) => void go(event)}>
      <Stack>
        <TextInput
          label={words("organization")}
          description={words("organizationHint")}
          autoComplete="organization"
          autoFocus
          required
          withAsterisk={false}
          maxLength={200}
          value={slug}
          onChange={(event) => setSlug(event.currentTarget.value)}
          error={said}
        />
        <Button type="submit" variant="default" loading={isBusy}>
          {words("goToProvider")}
        </Button>
      </Stack>
    </form>
  );
}
