import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Session } from "@/api/contract";
import { readSession } from "@/api/session";
import { Passkeys } from "@/rooms/team/Passkeys";
import { SecondFactors } from "@/rooms/team/SecondFactors";
import { useSignInWords } from "./texts";

/** The organization requires a second factor, and the user has none yet. */
export function FactorSetup({ onSession }: { onSession: (session: Session) => void }) {
  const words = useSignInWords();
  const look = useMutation({
    mutationFn: readSession,
    onSuccess: (session) => {
      if (session?.state === "ACTIVE") onSession(session);
    },
  });
  return (
    <Stack>
      <Text>{words("setupLead")}</Text>
      <SecondFactors />
      <Passkeys />
      <Button loading={look.isPending} onClick={() => look.mutate()}>
        {words("goOn")}
      </Button>
    </Stack>
  );
}
