import { Badge, Button, Code, Group, NumberInput, Select, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { covers, useSession } from "@/api/session";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { Secret } from "@/parts/Copied";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { Moment } from "@/parts/time";
import { keysQuery } from "./queries";
import { useDeveloperWords } from "./texts";

const ROLES = ["MEMBER", "REVIEWER", "ADMIN"] as const;

export function ApiKeys() {
  const words = useDeveloperWords();
  const mayChange = covers(useSession().user.role, "ADMIN");
  const keys = useQuery(keysQuery);
  return (
    <Stack>
      <Text>{words("keysLead")}</Text>
      {mayChange && <NewKey />}
      {keys.isPending && <Skeleton h={120} />}
      {keys.isError && <Failure fault={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isSuccess && (
        <PlainTable
          label={words("keys")}
          head={[
            words("name"),
            words("prefix"),
            words("role"),
            words("rate"),
            words("lastUsed"),
            words("created"),
            ...(mayChange ? [words("acts")] : []),
          ]}
          rows={keys.data.apiKeys.map((key) => ({
            id: key.id,
            cells: [
              key.name,
              <Code key="prefix">{key.prefix}…</Code>,
              key.role,
              key.rateLimit || "—",
              key.lastUsedAt === null ? words("never") : <Moment at={key.lastUsedAt} />,
              <Moment key="created" at={key.createdAt} />,
              key.isActive ? (
                <Revoke key="revoke" id={key.id} name={key.name} />
              ) : (
                <Badge key="revoked" color="gray.7" tt="none">
                  {words("revoked")}
                </Badge>
              ),
            ].slice(0, mayChange ? 7 : 6),
          }))}
        />
      )}
    </Stack>
  );
}

function NewKey() {
  const words = useDeveloperWords();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [role, setRole] = useState<(typeof ROLES)[number]>("MEMBER");
  const [rateLimit, setRateLimit] = useState<number | null>(null);
  const create = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/v1/organizations/me/api-keys", {
          body: { name: name.trim(), role, ...(rateLimit && { rateLimit }) },
        }),
      ),
    onSuccess: () => setName(""),
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            label={words("name")}
            placeholder={words("keyName")}
            required
            minLength={1}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={words("role")}
            data={[...ROLES]}
            allowDeselect={false}
            value={role}
            onChange={(value) => value && setRole(value as typeof role)}
          />
          <NumberInput
            label={words("rate")}
            placeholder={words("usual")}
            min={1}
            allowDecimal={false}
            value={rateLimit ?? ""}
            onChange={(value) => setRateLimit(typeof value === "number" ? value : null)}
          />
          <Button type="submit" loading={create.isPending} disabled={!name.trim()}>
            {words("createKey")}
          </Button>
        </Group>
      </form>
      {create.data && (
        <Secret
          text={create.data.apiKey.key}
          label={words("newKey", { name: create.data.apiKey.name })}
          warning={words("shownOnce")}
          onClose={create.reset}
        />
      )}
    </>
  );
}

function Revoke({ id, name }: { id: string; name: string }) {
  const words = useDeveloperWords();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () =>
      ask(api.DELETE("/v1/organizations/me/api-keys/{id}", { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  return (
    <ConfirmButton
      text={words("revoke")}
      aria-label={`${words("revoke")}: ${name}`}
      question={words("revokeQuestion", { name })}
      loading={revoke.isPending}
      onConfirm={revoke.mutate}
    />
  );
}
