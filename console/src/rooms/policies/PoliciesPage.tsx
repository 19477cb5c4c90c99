import { Button, Group, Select, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { covers, useSession } from "@/api/session";
import { Failure } from "@/parts/failures";
import { Soon } from "@/parts/Soon";
import { createPolicy, policiesQuery, policyQuery } from "./queries";
import { RulesEditor } from "./RulesEditor";
import { Shadows } from "./Shadows";
import { Simulations } from "./Simulations";
import { usePolicyWords } from "./texts";
import { Versions } from "./Versions";

const route = getRouteApi("/shell/policies");

export function PoliciesPage() {
  const words = usePolicyWords();
  const navigate = useNavigate();
  const { user } = useSession();
  const { policy: asked } = route.useSearch();
  const found = useQuery(policiesQuery);
  const all = found.data ?? [];
  const shown = all.find(({ id }) => id === asked) ?? all[0];
  const choose = (policy: string) =>
    void navigate({ to: "/policies", search: { policy }, replace: true });
  return (
    <Stack>
      <Title order={1} size="h2">
        {words("title")}
      </Title>
      <Text>{words("lead")}</Text>
      {found.isPending && <Skeleton h={240} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Group align="flex-end">
          {shown && (
            <Select
              miw={240}
              label={words("policy")}
              allowDeselect={false}
              data={all.map(({ id, name }) => ({ value: id, label: name }))}
              value={shown.id}
              onChange={(id) => id && choose(id)}
            />
          )}
          {covers(user.role, "ADMIN") && <NewPolicy onCreated={choose} />}
        </Group>
      )}
      {found.isSuccess && !shown && <Text>{words("none")}</Text>}
      {shown && (
        <Soon key={shown.id} place="policies">
          <PolicyView id={shown.id} />
        </Soon>
      )}
    </Stack>
  );
}

function NewPolicy({ onCreated }: { onCreated: (id: string) => void }) {
  const words = usePolicyWords();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => createPolicy(name.trim()),
    onSuccess: async (policy) => {
      setName("");
      await queries.invalidateQueries({ queryKey: policiesQuery.queryKey });
      onCreated(policy.id);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          label={words("newName")}
          required
          withAsterisk={false}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={create.isPending}>
          {words("create")}
        </Button>
      </Group>
    </form>
  );
}

function PolicyView({ id }: { id: string }) {
  const { user } = useSession();
  const found = useQuery(policyQuery(id));
  if (found.isPending) return <Skeleton h={320} />;
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const policy = found.data;
  const newest = policy.versions[0];
  if (newest === undefined) return null;
  const mayChange = covers(user.role, "ADMIN");
  return (
    <Stack gap="xl">
      <RulesEditor key={newest.digest} policyId={id} version={newest} isReadOnly={!mayChange} />
      <Versions policy={policy} mayPublish={mayChange} />
      <Simulations policyId={id} versions={policy.versions} mayBegin={mayChange} />
      <Shadows policyId={id} />
    </Stack>
  );
}
