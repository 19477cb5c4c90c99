import { Button } from "@mantine/core";
import { useState } from "react";
import type { Session } from "@/api/contract";
import { ApiError } from "@/api/errors";
import { canUsePasskeys, isCancelled, signInWithPasskey } from "@/api/passkeys";
import { useFailureText } from "@/parts/failures";
import { KeyIcon } from "@/parts/icons";
import { useSignInWords } from "./texts";

interface Props {
  onSession: (session: Session) => void;
  onFailure: (text: string) => void;
}

export function PasskeyButton({ onSession, onFailure }: Props) {
  const words = useSignInWords();
  const failureText = useFailureText();
  const [isBusy, setBusy] = useState(false);
  if (!canUsePasskeys()) return null;

  async function enter() {
    setBusy(true);
    onFailure("");
    try {
      onSession(await signInWithPasskey());
    } catch (fault) {
      const isRefused = fault instanceof ApiError && fault.status === 401;
      if (isCancelled(fault)) onFailure(words("passkeyCancelled"));
      else onFailure(isRefused ? words("passkeyRefused") : failureText(fault));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button
      variant="default"
      leftSection={<KeyIcon size={18} />}
      loading={isBusy}
      onClick={() => void enter()}
    >
      {words("passkey")}
    </Button>
  );
}
