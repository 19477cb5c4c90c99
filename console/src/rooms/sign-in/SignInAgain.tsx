import { Text } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import type { Session } from "@/api/contract";
import { useSessionEnded, useTakeSession } from "@/api/session";
import { Dialog } from "@/parts/dialogs";
import { useLater } from "@/parts/later";
import { useCommonWords } from "@/texts/common";

/** A dialog over the page whose session ended: nothing that was typed is lost. */
export function SignInAgain() {
  const words = useCommonWords();
  const hasEnded = useSessionEnded();
  const take = useTakeSession();
  const here = useRouterState({ select: (state) => state.location.href });
  const Form = useLater(() => import("./SignInForm").then((part) => part.SignInForm), hasEnded);
  const enter = (session: Session) => {
    // Another person must not see what the first one had open.
    if (take(session)) window.location.reload();
  };
  return (
    <Dialog opened={hasEnded} title={words("endedTitle")}>
      <Text mb="md">{words("endedLead")}</Text>
      {Form && <Form onSession={enter} provider={{ next: here }} />}
    </Dialog>
  );
}
