import { Button, Code, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { Moment } from "@/parts/time";
import { namesOf } from "./browserNames";
import { Passkeys } from "./Passkeys";
import { sessionsQuery } from "./queries";
import { SecondFactors } from "./SecondFactors";
import { useTeamWords } from "./texts";

type ListedSession = components["schemas"]["ListedSession"];

/** The user's own sessions and second factors. */
export function MySignIn() {
  const words = useTeamWords();
  const sessions = useQuery(sessionsQuery);
  return (
    <Stack>
      <SecondFactors />
      <Passkeys />
      <Title order={2} size="h3">
        {words("sessions")}
      </Title>
      <Text>{words("sessionsLead")}</Text>
      {sessions.isPending && <Skeleton h={120} />}
      {sessions.isError && (
        <Failure fault={sessions.error} onRetry={() => void sessions.refetch()} />
      )}
      {sessions.isSuccess && (
        <PlainTable
          label={words("sessions")}
          head={[
            words("browser"),
            words("address"),
            words("lastSeen"),
            words("since"),
            words("acts"),
          ]}
          rows={sessions.data.sessions.map((session) => ({
            id: session.id,
            cells: [
              <SignedInWith key="browser" userAgent={session.userAgent ?? ""} />,
              session.address ?? "—",
              <Moment key="seen" at={session.lastSeenAt} />,
              <Moment key="since" at={session.createdAt} />,
              session.current ? (
                <Text key="this" size="sm" fw={600}>
                  {words("thisSession")}
                </Text>
              ) : (
                <EndSession key="end" session={session} />
              ),
            ],
          }))}
        />
      )}
      {(sessions.data?.sessions.length ?? 0) > 1 && <EndOthers />}
    </Stack>
  );
}

/** The browser and its system by name; as the browser calls itself, on demand. */
function SignedInWith({ userAgent }: { userAgent: string }) {
  const words = useTeamWords();
  const names = namesOf(userAgent);
  if (!names) return userAgent || "—";
  return (
    <details>
      <summary>{words("browserOnSystem", names)}</summary>
      <Code className="breaks-anywhere">{userAgent}</Code>
    </details>
  );
}

function EndOthers() {
  const words = useTeamWords();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => ask(api.DELETE("/v1/auth/sessions")),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <Button variant="default" w="fit-content" loading={end.isPending} onClick={() => end.mutate()}>
      {words("endOthers")}
    </Button>
  );
}

function EndSession({ session }: { session: ListedSession }) {
  const words = useTeamWords();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      ask(api.DELETE("/v1/auth/sessions/{id}", { params: { path: { id: session.id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <Button size="xs" variant="default" loading={end.isPending} onClick={() => end.mutate()}>
      {words("endSession")}
    </Button>
  );
}
