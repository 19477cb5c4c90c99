import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { Moment } from "@/parts/time";
import { useCommonWords } from "@/texts/common";
import { holdsQuery } from "./queries";
import { useTeamWords } from "./texts";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Verifications whose data stay, and the erasure of one at the person's request. */
export function Holds() {
  const words = useTeamWords();
  const common = useCommonWords();
  const found = useInfiniteQuery(holdsQuery);
  const rows = found.data?.pages.flatMap((page) => page.holds) ?? [];
  return (
    <Stack>
      <Text>{words("holdsLead")}</Text>
      <NewHold />
      {found.isPending && <Skeleton h={120} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && rows.length === 0 && <Text c="dimmed">{words("noHolds")}</Text>}
      {rows.length > 0 && (
        <PlainTable
          label={words("holdsTab")}
          head={[words("verification"), words("since"), words("reason"), words("acts")]}
          rows={rows.map(({ verificationId, externalId, heldAt, reason }) => {
            const name = externalId ?? verificationId.slice(0, 8);
            return {
              id: verificationId,
              cells: [
                <RoomLink key="case" to="/case/$id" params={{ id: verificationId }}>
                  {name}
                </RoomLink>,
                <Moment key="since" at={heldAt} />,
                reason ?? "—",
                <Release key="release" id={verificationId} name={name} />,
              ],
            };
          })}
        />
      )}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()}>
          {common("more")}
        </Button>
      )}
      <Erasure />
    </Stack>
  );
}

const path = (id: string) => ({ params: { path: { id: id.trim().toLowerCase() } } });
const isId = (text: string) => ID.test(text.trim().toLowerCase());

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: holdsQuery.queryKey });
}

function NewHold() {
  const words = useTeamWords();
  const [id, setId] = useState("");
  const [reason, setReason] = useState("");
  const hold = useMutation({
    mutationFn: () =>
      ask(
        api.PUT("/v1/verifications/{id}/legal-hold", {
          ...path(id),
          body: { reason: reason.trim() || null },
        }),
      ),
    onSuccess: () => {
      setId("");
      setReason("");
      notifications.show({ message: words("held") });
    },
    onSettled: useRefresh(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    hold.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <VerificationId value={id} onChange={setId} />
        <TextInput
          flex={1}
          miw={220}
          label={words("reason")}
          description={words("reasonHint")}
          maxLength={1000}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Button type="submit" disabled={!isId(id)} loading={hold.isPending}>
          {words("hold")}
        </Button>
      </Group>
    </form>
  );
}

function VerificationId({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const words = useTeamWords();
  return (
    <TextInput
      w={340}
      label={words("verificationId")}
      description={words("verificationIdHint")}
      required
      autoComplete="off"
      maxLength={40}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Release({ id, name }: { id: string; name: string }) {
  const words = useTeamWords();
  const release = useMutation({
    mutationFn: () => ask(api.DELETE("/v1/verifications/{id}/legal-hold", path(id))),
    onSettled: useRefresh(),
  });
  return (
    <ConfirmButton
      text={words("releaseHold")}
      aria-label={`${words("releaseHold")}: ${name}`}
      question={words("releaseHoldQuestion", { name })}
      loading={release.isPending}
      onConfirm={release.mutate}
    />
  );
}

function Erasure() {
  const words = useTeamWords();
  const queries = useQueryClient();
  const [id, setId] = useState("");
  const erase = useMutation({
    mutationFn: () => ask(api.DELETE("/v1/verifications/{id}", path(id))),
    onSuccess: () => {
      queries.removeQueries({ queryKey: ["case", id.trim().toLowerCase()] });
      setId("");
      notifications.show({ message: words("erased") });
    },
  });
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("erasure")}
      </Title>
      <Text>{words("erasureLead")}</Text>
      <Group align="flex-end">
        <VerificationId value={id} onChange={setId} />
        <ConfirmButton
          size="sm"
          disabled={!isId(id)}
          text={words("erase")}
          question={words("eraseQuestion", { id: id.trim().toLowerCase() })}
          loading={erase.isPending}
          onConfirm={erase.mutate}
        />
      </Group>
    </Stack>
  );
}
