import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { addPasskey, canUsePasskeys, isCancelled } from "@/api/passkeys";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { Secret } from "@/parts/Copied";
import { Failure, notifyFailure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { Moment } from "@/parts/time";
import { factorsQuery, passkeysQuery } from "./queries";
import { useTeamWords } from "./texts";

/** Passkeys of the user: list, add, remove. */
export function Passkeys() {
  const words = useTeamWords();
  const queries = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const [name, setName] = useState("");
  const refresh = () =>
    Promise.all(
      [passkeysQuery, factorsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
    );
  const add = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    meta: { quiet: true },
    onSuccess: () => setName(""),
    onError: (fault) => {
      if (!isCancelled(fault)) notifyFailure(fault);
    },
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      ask(api.DELETE("/v1/auth/passkeys/{id}", { params: { path: { id } } })),
    onSettled: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  if (passkeys.isPending) return <Skeleton h={80} />;
  if (passkeys.isError) return <Failure fault={passkeys.error} />;
  return (
    <Stack align="flex-start">
      <Title order={2} size="h3">
        {words("passkeys")}
      </Title>
      <Text>{words("passkeysLead")}</Text>
      {passkeys.data.length === 0 ? (
        <Text c="dimmed">{words("noPasskeys")}</Text>
      ) : (
        <PlainTable
          label={words("passkeys")}
          head={[words("passkeyName"), words("since"), words("lastUsed"), words("acts")]}
          rows={passkeys.data.map((passkey) => ({
            id: passkey.id,
            cells: [
              passkey.name,
              <Moment key="since" at={passkey.createdAt} />,
              passkey.lastUsedAt ? <Moment key="used" at={passkey.lastUsedAt} /> : words("never"),
              <ConfirmButton
                key="remove"
                text={words("removePasskey", { name: passkey.name })}
                question={words("removePasskeyQuestion", { name: passkey.name })}
                onConfirm={() => remove.mutate(passkey.id)}
              />,
            ],
          }))}
        />
      )}
      {canUsePasskeys() ? (
        <form onSubmit={submit}>
          <Group align="flex-end">
            <TextInput
              label={words("passkeyName")}
              description={words("passkeyHint")}
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={add.isPending}>
              {words("addPasskey")}
            </Button>
          </Group>
        </form>
      ) : (
        <Text c="dimmed">{words("passkeysOff")}</Text>
      )}
      {add.data && (
        <Secret
          label={words("recoveryCodes")}
          warning={words("codesOnce")}
          text={add.data.join("\n")}
          onClose={add.reset}
        />
      )}
    </Stack>
  );
}
