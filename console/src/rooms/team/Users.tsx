import { Badge, Button, Group, Select, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import type { Role } from "@/api/contract";
import { covers, useSession } from "@/api/session";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { Moment } from "@/parts/time";
import { useCommonWords } from "@/texts/common";
import { type Member, usersQuery } from "./queries";
import { useTeamWords } from "./texts";

const ROLES: Role[] = ["MEMBER", "REVIEWER", "ADMIN", "OWNER"];

/** The roles that the user may give: none above the own one. */
function useRoles() {
  const common = useCommonWords();
  const { user } = useSession();
  return ROLES.filter((role) => covers(user.role, role)).map((value) => ({
    value,
    label: common(value),
  }));
}

export function Users() {
  const words = useTeamWords();
  const users = useQuery(usersQuery);
  return (
    <Stack>
      <Invite />
      {users.isPending && <Skeleton h={160} />}
      {users.isError && <Failure fault={users.error} onRetry={() => void users.refetch()} />}
      {users.isSuccess && (
        <PlainTable
          label={words("users")}
          head={[words("email"), words("role"), words("since"), words("acts")]}
          rows={users.data.users.map((member) => ({
            id: member.id,
            cells: [
              <Address key="address" member={member} />,
              <RoleOf key="role" member={member} />,
              <Moment key="since" at={member.createdAt} />,
              <Acts key="acts" member={member} />,
            ],
          }))}
        />
      )}
    </Stack>
  );
}

function Address({ member }: { member: Member }) {
  const words = useTeamWords();
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm">{member.email}</Text>
      {!member.hasJoined && (
        <Badge color="gray.7" tt="none">
          {words("invited")}
        </Badge>
      )}
      {member.pendingEmail && (
        <Text size="sm" c="dimmed">
          {words("pendingEmail", { email: member.pendingEmail })}
        </Text>
      )}
    </Stack>
  );
}

function Invite() {
  const words = useTeamWords();
  const queries = useQueryClient();
  const roles = useRoles();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("REVIEWER");
  const invite = useMutation({
    mutationFn: () =>
      ask(api.POST("/v1/organizations/me/users", { body: { email: email.trim(), role } })),
    onSuccess: ({ user }) => {
      setEmail("");
      notifications.show({ message: words("invitationSent", { email: user.email }) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput
          miw={260}
          type="email"
          required
          label={words("email")}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Select
          label={words("role")}
          allowDeselect={false}
          data={roles}
          value={role}
          onChange={(value) => value && setRole(value as Role)}
        />
        <Button type="submit" loading={invite.isPending} disabled={!email.trim()}>
          {words("invite")}
        </Button>
      </Group>
    </form>
  );
}

function RoleOf({ member }: { member: Member }) {
  const words = useTeamWords();
  const common = useCommonWords();
  const queries = useQueryClient();
  const { user } = useSession();
  const roles = useRoles();
  const change = useMutation({
    mutationFn: (role: Role) =>
      ask(
        api.PATCH("/v1/organizations/me/users/{id}", {
          params: { path: { id: member.id } },
          body: { role },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  if (!covers(user.role, member.role)) return common(member.role);
  return (
    <Select
      aria-label={words("roleOf", { email: member.email })}
      allowDeselect={false}
      miw={210}
      data={roles}
      value={change.isPending ? change.variables : member.role}
      onChange={(value) => value && change.mutate(value as Role)}
    />
  );
}

function Acts({ member }: { member: Member }) {
  const words = useTeamWords();
  const queries = useQueryClient();
  const { user } = useSession();
  const path = { params: { path: { id: member.id } } };
  const again = useMutation({
    mutationFn: () => ask(api.POST("/v1/organizations/me/users/{id}/invitation", path)),
    onSuccess: () =>
      notifications.show({ message: words("invitationSent", { email: member.email }) }),
  });
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE("/v1/organizations/me/users/{id}", path)),
    onSettled: () => queries.invalidateQueries({ queryKey: usersQuery.queryKey }),
  });
  const reset = useMutation({
    mutationFn: () => ask(api.DELETE("/v1/organizations/me/users/{id}/second-factors", path)),
    onSuccess: () => notifications.show({ message: words("factorsReset", { email: member.email }) }),
  });
  if (member.id === user.id || !covers(user.role, member.role)) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      {!member.hasJoined && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${words("inviteAgain")}: ${member.email}`}
          loading={again.isPending}
          onClick={() => again.mutate()}
        >
          {words("inviteAgain")}
        </Button>
      )}
      {member.hasJoined && (
        <ConfirmButton
          text={words("resetFactors")}
          aria-label={`${words("resetFactors")}: ${member.email}`}
          question={words("resetFactorsQuestion", { email: member.email })}
          loading={reset.isPending}
          onConfirm={reset.mutate}
        />
      )}
      <ConfirmButton
        text={words("remove")}
        aria-label={`${words("remove")}: ${member.email}`}
        question={words("removeQuestion", { email: member.email })}
        loading={remove.isPending}
        onConfirm={remove.mutate}
      />
    </Group>
  );
}
