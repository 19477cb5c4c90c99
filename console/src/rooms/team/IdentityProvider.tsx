import { Alert, PasswordInput, Select, Skeleton, Stack, Switch, Text, Textarea, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { covers, useSession } from "@/api/session";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { Copied } from "@/parts/Copied";
import { Failure, useFailureText } from "@/parts/failures";
import { SaveButton } from "@/parts/SaveButton";
import { useCommonWords } from "@/texts/common";
import { GroupRoles } from "./GroupRoles";
import { useProviderWords } from "./providerTexts";
import {
  GRANTABLE,
  type GrantableRole,
  organizationQuery,
  type Provider,
  type ProviderAnswer,
  type ProviderWrite,
  providerQuery,
} from "./queries";

const EMPTY: ProviderWrite = {
  issuer: "",
  clientId: "",
  scopes: ["openid", "email", "profile"],
  allowedDomains: [],
  groupsClaim: "groups",
  roles: [],
  defaultRole: null,
  only: false,
  secondFactor: false,
};

/** What the form begins with: the stored configuration, whose secret the API does not show. */
function writeOf(stored: Provider | null): ProviderWrite {
  if (stored === null) return EMPTY;
  const { id: _id, createdAt: _at, ...kept } = stored;
  return kept as ProviderWrite;
}

const partsOf = (text: string) => text.split(/[\s,]+/).filter(Boolean);

/** The provider (OpenID Connect) that the users of the organization sign in with. */
export function IdentityProvider() {
  const found = useQuery(providerQuery);
  if (found.isPending) return <Skeleton h={320} />;
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  return (
    <Stack maw={640}>
      <Addresses redirectUri={found.data.redirectUri} isSet={found.data.identityProvider !== null} />
      <ProviderForm stored={found.data.identityProvider} />
    </Stack>
  );
}

/** What the provider's administrators register, and what the users open. */
function Addresses({ redirectUri, isSet }: { redirectUri: string; isSet: boolean }) {
  const words = useProviderWords();
  const organization = useQuery(organizationQuery);
  const slug = organization.data?.slug;
  return (
    <Stack>
      <Text>{words("lead")}</Text>
      <Copied label={words("redirectUri")} text={redirectUri} />
      {isSet && slug && (
        <Copied
          label={words("signInPage")}
          text={`${window.location.origin}/console/sign-in?organization=${slug}`}
        />
      )}
    </Stack>
  );
}

function ProviderForm({ stored }: { stored: Provider | null }) {
  const words = useProviderWords();
  const failureText = useFailureText();
  const queries = useQueryClient();
  const mayChange = covers(useSession().user.role, "OWNER");
  const [changes, setChanges] = useState<Partial<ProviderWrite>>({});
  const shown = { ...writeOf(stored), ...changes };
  const change = (part: Partial<ProviderWrite>) => setChanges({ ...changes, ...part });
  const keep = (identityProvider: Provider | null) => {
    queries.setQueryData(providerQuery.queryKey, (before: ProviderAnswer | undefined) =>
      before && { ...before, identityProvider },
    );
    setChanges({});
  };
  const save = useMutation({
    mutationFn: (body: ProviderWrite) =>
      ask(api.PUT("/v1/organizations/me/identity-provider", { body })),
    meta: { quiet: true },
    onSuccess: (answer) => {
      keep(answer.identityProvider);
      notifications.show({ message: words("saved") });
    },
  });
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE("/v1/organizations/me/identity-provider")),
    onSuccess: () => keep(null),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(shown);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {!mayChange && (
          <Alert variant="outline" role="note">
            {words("ownersOnly")}
          </Alert>
        )}
        <fieldset className="plain" disabled={!mayChange}>
          <Stack>
            <Client shown={shown} isNew={stored === null} change={change} />
            <Joining shown={shown} change={change} />
            <Rules shown={shown} change={change} />
          </Stack>
        </fieldset>
        <Warnings stored={stored} shown={shown} />
        {save.isError && (
          <Alert color="red" variant="outline" role="alert">
            {failureText(save.error)}
          </Alert>
        )}
        {mayChange && <SaveButton changes={changes} loading={save.isPending} />}
        {mayChange && stored !== null && (
          <ConfirmButton
            w="fit-content"
            text={words("remove")}
            question={words("removeQuestion")}
            loading={remove.isPending}
            onConfirm={remove.mutate}
          />
        )}
      </Stack>
    </form>
  );
}

interface PartProps {
  shown: ProviderWrite;
  change: (part: Partial<ProviderWrite>) => void;
}

function Client({ shown, isNew, change }: PartProps & { isNew: boolean }) {
  const words = useProviderWords();
  return (
    <>
      <TextInput
        type="url"
        label={words("issuer")}
        description={words("issuerLead")}
        placeholder="https://login.banco.example"
        required
        maxLength={255}
        value={shown.issuer}
        onChange={(event) => change({ issuer: event.currentTarget.value.trim() })}
      />
      <TextInput
        label={words("clientId")}
        required
        maxLength={255}
        autoComplete="off"
        value={shown.clientId}
        onChange={(event) => change({ clientId: event.currentTarget.value })}
      />
      <PasswordInput
        label={words("clientSecret")}
        description={words(isNew ? "secretLead" : "secretKept")}
        required={isNew}
        maxLength={1024}
        autoComplete="new-password"
        value={shown.clientSecret ?? ""}
        onChange={(event) => change({ clientSecret: event.currentTarget.value || undefined })}
      />
      <TextInput
        label={words("scopes")}
        description={words("scopesLead")}
        required
        defaultValue={shown.scopes?.join(" ")}
        onChange={(event) => change({ scopes: partsOf(event.currentTarget.value) })}
      />
    </>
  );
}

function Joining({ shown, change }: PartProps) {
  const words = useProviderWords();
  const common = useCommonWords();
  return (
    <>
      <Title order={2} size="h3">
        {words("joining")}
      </Title>
      <Textarea
        label={words("domains")}
        description={words("domainsLead")}
        placeholder="banco.example"
        autosize
        minRows={2}
        defaultValue={shown.allowedDomains?.join("\n")}
        onChange={(event) => change({ allowedDomains: partsOf(event.currentTarget.value) })}
      />
      <TextInput
        label={words("groupsClaim")}
        description={words("groupsClaimLead")}
        required
        maxLength={255}
        value={shown.groupsClaim}
        onChange={(event) => change({ groupsClaim: event.currentTarget.value })}
      />
      <GroupRoles roles={shown.roles ?? []} onChange={(roles) => change({ roles })} />
      <Select
        label={words("defaultRole")}
        description={words("defaultRoleLead")}
        placeholder={words("noRole")}
        clearable
        data={GRANTABLE.map((role) => ({ value: role, label: common(role) }))}
        value={shown.defaultRole ?? null}
        onChange={(role) => change({ defaultRole: role as GrantableRole | null })}
      />
    </>
  );
}

function Rules({ shown, change }: PartProps) {
  const words = useProviderWords();
  return (
    <>
      <Title order={2} size="h3">
        {words("rules")}
      </Title>
      <Switch
        label={words("secondFactor")}
        description={words("secondFactorLead")}
        checked={shown.secondFactor ?? false}
        onChange={(event) => change({ secondFactor: event.currentTarget.checked })}
      />
      <Switch
        label={words("only")}
        description={words("onlyLead")}
        checked={shown.only ?? false}
        onChange={(event) => change({ only: event.currentTarget.checked })}
      />
    </>
  );
}

/** What saving does to colleagues who are signed in. */
function Warnings({ stored, shown }: { stored: Provider | null; shown: ProviderWrite }) {
  const words = useProviderWords();
  const isOther =
    stored !== null && (stored.issuer !== shown.issuer || stored.clientId !== shown.clientId);
  const endsSessions = shown.only === true && stored?.only !== true;
  if (!isOther && !endsSessions) return null;
  return (
    <Alert color="orange" variant="outline" role="status">
      {isOther && <Text size="sm">{words("warnOther")}</Text>}
      {endsSessions && <Text size="sm">{words("warnOnly")}</Text>}
    </Alert>
  );
}
