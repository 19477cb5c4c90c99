import { Button, Center, Loader, Stack, Text, Title } from "@mantine/core";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { ApiError } from "@/api/errors";
import { useFailureText } from "@/parts/failures";
import { useCommonWords } from "@/texts/common";

export function Waiting() {
  const words = useCommonWords();
  return (
    <Center mih={240}>
      <Loader aria-label={words("loading")} role="status" />
    </Center>
  );
}

export function UnknownPage() {
  const words = useCommonWords();
  return (
    <Stack component="main" p="xl" align="flex-start">
      <Title order={1}>{words("unknownPage")}</Title>
      <Text>{words("unknownPageLead")}</Text>
      <Button component={Link} to="/">
        {words("toStart")}
      </Button>
    </Stack>
  );
}

export function Crashed({ error }: ErrorComponentProps) {
  const words = useCommonWords();
  const textOf = useFailureText();
  const router = useRouter();
  const isAnswer = error instanceof ApiError;
  return (
    <Stack p="xl" align="flex-start" role="alert">
      <Title order={1}>{isAnswer ? textOf(error) : words("crashed")}</Title>
      {!isAnswer && <Text>{words("crashedLead")}</Text>}
      {isAnswer && error.requestId !== null && (
        <Text c="dimmed">{words("requestId", { id: error.requestId })}</Text>
      )}
      <Button onClick={() => void router.invalidate()}>{words("reload")}</Button>
    </Stack>
  );
}
