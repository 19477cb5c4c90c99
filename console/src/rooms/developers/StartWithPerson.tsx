import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { RoomLink } from "@/parts/RoomLink";
import { Dialog } from "@/parts/dialogs";
import { useFailureText } from "@/parts/failures";
import { useLanguage } from "@/texts";
import { CaptureLink } from "./StartByHand";
import { type SandboxPerson, type SandboxStart, startWithPerson } from "./sandboxStart";
import { useDeveloperWords } from "./texts";
import type { Workflow } from "@/rooms/workflows/queries";

interface Props {
  person: SandboxPerson;
  /** Null: there is none yet. */
  workflow: Workflow | null;
}

/** Starts a verification of an invented person, and sends the pictures that can be drawn. */
export function StartWithPerson({ person, workflow }: Props) {
  const words = useDeveloperWords();
  const language = useLanguage();
  const start = useMutation({
    mutationFn: (chosen: Workflow) => startWithPerson(person, chosen, language),
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={workflow === null}
        loading={start.isPending}
        aria-label={`${words("startOne")}: ${person.name} ${person.curp ?? ""}`}
        onClick={() => workflow && start.mutate(workflow)}
      >
        {words("startOne")}
      </Button>
      {start.data && <Started person={person} started={start.data} onClose={start.reset} />}
    </>
  );
}

interface StartedProps {
  person: SandboxPerson;
  started: SandboxStart;
  onClose: () => void;
}

function Started({ person, started, onClose }: StartedProps) {
  const words = useDeveloperWords();
  const failureText = useFailureText();
  const { verificationId, capture, sent, fault } = started;
  const pictureOf = (role: string) =>
    `/v1/sandbox/picture?${new URLSearchParams({ person: person.id, role })}`;
  return (
    <Dialog opened onClose={onClose} title={words("startedFor", { name: person.name })}>
      <Stack>
        {fault !== null && (
          <Alert color="red" variant="outline" role="alert">
            {words("notSent")} {failureText(fault)}
          </Alert>
        )}
        {sent.length > 0 && (
          <Text>
            {words("sentPictures", { pictures: sent.map((role) => words(role)).join(", ") })}
          </Text>
        )}
        {person.pictures.length === 0 ? (
          <Text>{words("noPictures")}</Text>
        ) : (
          <Group gap="sm">
            <Text size="sm">{words("samplePictures")}</Text>
            {person.pictures.map((role) => (
              <Anchor key={role} size="sm" href={pictureOf(role)} download={`${person.id}-${role}.jpg`}>
                {words(role as "front")}
              </Anchor>
            ))}
          </Group>
        )}
        <RoomLink to="/case/$id" params={{ id: verificationId }}>
          {words("openCase")}
        </RoomLink>
        {capture && <CaptureLink url={capture.url} expiresAt={capture.expiresAt} />}
      </Stack>
    </Dialog>
  );
}
