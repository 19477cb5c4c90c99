import { Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { SecondFactor, Session } from "@/api/contract";
import { ApiError } from "@/api/errors";
import { giveSecondFactor } from "@/api/session";
import { useFailureText } from "@/parts/failures";
import { PasskeyButton } from "./PasskeyButton";
import { useSignInWords } from "./texts";

interface Props {
  factors: SecondFactor[];
  onSession: (session: Session) => void;
  onBack: () => void;
}

export function SecondFactorForm({ factors, onSession, onBack }: Props) {
  const words = useSignInWords();
  const failureText = useFailureText();
  const [method, setMethod] = useState<"TOTP" | "RECOVERY_CODE">(
    factors.includes("TOTP") ? "TOTP" : "RECOVERY_CODE",
  );
  const [code, setCode] = useState("");
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);

  async function give(answer: () => Promise<Session>) {
    setBusy(true);
    setSaid("");
    try {
      onSession(await answer());
    } catch (fault) {
      const isWrong = fault instanceof ApiError && [401, 422].includes(fault.status);
      setSaid(isWrong ? words("badCode") : failureText(fault));
    } finally {
      setBusy(false);
      setCode("");
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void give(() => giveSecondFactor({ method, code: code.trim() }));
  };
  const isTotp = method === "TOTP";
  return (
    <form onSubmit={submit}>
      <Stack>
        <Title order={2} size="h4">
          {words("secondTitle")}
        </Title>
        <TextInput
          label={words(isTotp ? "code" : "recovery")}
          inputMode={isTotp ? "numeric" : "text"}
          autoComplete="one-time-code"
          autoFocus
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Text role="alert" size="sm">
          {said}
        </Text>
        <Button type="submit" loading={isBusy}>
          {words("enter")}
        </Button>
        {factors.includes("PASSKEY") && <PasskeyButton onSession={onSession} onFailure={setSaid} />}
        {factors.includes("TOTP") && factors.includes("RECOVERY_CODE") && (
          <Button variant="subtle" onClick={() => setMethod(isTotp ? "RECOVERY_CODE" : "TOTP")}>
            {words(isTotp ? "useRecovery" : "useCode")}
          </Button>
        )}
        <Button variant="subtle" onClick={onBack}>
          {words("back")}
        </Button>
      </Stack>
    </form>
  );
}
