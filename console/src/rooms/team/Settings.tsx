import {
  Button,
  NumberInput,
  Select,
  Skeleton,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { covers, useSession } from "@/api/session";
import { Failure } from "@/parts/failures";
import { SaveButton } from "@/parts/SaveButton";
import { type Organization, organizationQuery, originsQuery } from "./queries";
import { useTeamWords } from "./texts";

// In their own language, so that everybody finds theirs.
const PERSON_LANGUAGES = [
  { value: "es", label: "Español" },
  { value: "en", label: "English" },
  { value: "pt", label: "Português" },
  { value: "fr", label: "Français" },
  { value: "de", label: "Deutsch" },
] as const satisfies { value: NonNullable<Organization["defaultLanguage"]>; label: string }[];

export function Settings() {
  const organization = useQuery(organizationQuery);
  const mayChange = covers(useSession().user.role, "ADMIN");
  if (organization.isPending) return <Skeleton h={240} />;
  if (organization.isError) return <Failure fault={organization.error} />;
  return (
    <Stack maw={560}>
      <Rules organization={organization.data} mayChange={mayChange} />
      {mayChange && <Origins />}
    </Stack>
  );
}

function Rules({ organization, mayChange }: { organization: Organization; mayChange: boolean }) {
  const words = useTeamWords();
  const queries = useQueryClient();
  const { user } = useSession();
  // Only what was changed here: a colleague's change of another field stays.
  const [changes, setChanges] = useState<Partial<Organization>>({});
  const shown = { ...organization, ...changes };
  const change = (part: Partial<Organization>) => setChanges({ ...changes, ...part });
  const save = useMutation({
    mutationFn: () => ask(api.PATCH("/v1/organizations/me", { body: changes })),
    onSuccess: ({ org }) => {
      queries.setQueryData(organizationQuery.queryKey, org);
      setChanges({});
      notifications.show({ message: words("saved") });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const isOwner = covers(user.role, "OWNER");
  const mayTurnOff = isOwner || !organization.requiresSecondReviewer;
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={words("organizationName")}
          required
          minLength={2}
          maxLength={100}
          readOnly={!mayChange}
          value={shown.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Title order={2} size="h3">
          {words("retention")}
        </Title>
        <Text>{words("retentionLead")}</Text>
        <NumberInput
          label={words("days")}
          min={30}
          max={3650}
          allowDecimal={false}
          readOnly={!mayChange}
          value={shown.dataRetentionDays}
          onChange={(value) => typeof value === "number" && change({ dataRetentionDays: value })}
        />
        <NumberInput
          label={words("years")}
          placeholder={words("noYears")}
          min={1}
          max={30}
          allowDecimal={false}
          readOnly={!mayChange}
          value={shown.dataRetentionYears ?? ""}
          onChange={(value) =>
            change({ dataRetentionYears: typeof value === "number" ? value : null })
          }
        />
        <Select
          label={words("retentionStart")}
          allowDeselect={false}
          readOnly={!mayChange}
          data={[
            { value: "CREATION", label: words("CREATION") },
            { value: "RELATIONSHIP_END", label: words("RELATIONSHIP_END") },
          ]}
          value={shown.retentionStart}
          onChange={(value) =>
            value && change({ retentionStart: value as Organization["retentionStart"] })
          }
        />
        <Persons shown={shown} mayChange={mayChange} change={change} />
        <Title order={2} size="h3">
          {words("decisions")}
        </Title>
        <NumberInput
          label={words("sla")}
          description={words("slaLead")}
          placeholder={words("noSla")}
          min={1}
          max={8760}
          allowDecimal={false}
          readOnly={!mayChange}
          value={shown.reviewSlaHours ?? ""}
          onChange={(value) => change({ reviewSlaHours: typeof value === "number" ? value : null })}
        />
        <Switch
          label={words("secondReviewer")}
          description={words("secondReviewerLead")}
          disabled={!mayChange || !mayTurnOff}
          checked={shown.requiresSecondReviewer}
          onChange={(event) => change({ requiresSecondReviewer: event.currentTarget.checked })}
        />
        <Switch
          label={words("secondFactor")}
          description={words("secondFactorLead")}
          disabled={!mayChange || (organization.secondFactorRequired && !isOwner)}
          checked={shown.secondFactorRequired}
          onChange={(event) => change({ secondFactorRequired: event.currentTarget.checked })}
        />
        <Switch
          label={words("reveals")}
          description={words("revealsLead")}
          disabled={!mayChange || (organization.revealsOnDemand && !isOwner)}
          checked={shown.revealsOnDemand}
          onChange={(event) => change({ revealsOnDemand: event.currentTarget.checked })}
        />
        {mayChange && <SaveButton changes={changes} loading={save.isPending} />}
      </Stack>
    </form>
  );
}

interface PersonsProps {
  shown: Organization;
  mayChange: boolean;
  change: (part: Partial<Organization>) => void;
}

/** What the people who verify themselves see. */
function Persons({ shown, mayChange, change }: PersonsProps) {
  const words = useTeamWords();
  return (
    <>
      <Title order={2} size="h3">
        {words("persons")}
      </Title>
      <Select
        label={words("personsLanguage")}
        description={words("personsLanguageLead")}
        placeholder={words("usualLanguage")}
        clearable={mayChange}
        readOnly={!mayChange}
        data={PERSON_LANGUAGES}
        value={shown.defaultLanguage}
        onChange={(value) =>
          change({ defaultLanguage: value as Organization["defaultLanguage"] })
        }
      />
      <TextInput
        label={words("contact")}
        description={words("contactLead")}
        placeholder={words("noContact")}
        minLength={3}
        maxLength={300}
        readOnly={!mayChange}
        value={shown.supportContact ?? ""}
        onChange={(event) => change({ supportContact: event.currentTarget.value || null })}
      />
    </>
  );
}

/** The pages of other hosts that may call the capture flow. */
function Origins() {
  const words = useTeamWords();
  const queries = useQueryClient();
  const origins = useQuery(originsQuery);
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? origins.data?.allowedOrigins.join("\n") ?? "";
  const save = useMutation({
    mutationFn: () => {
      const allowedOrigins = shown.split(/\s+/).filter(Boolean);
      return ask(api.PUT("/v1/organizations/me/allowed-origins", { body: { allowedOrigins } }));
    },
    onSuccess: (answer) => {
      queries.setQueryData(originsQuery.queryKey, answer);
      setTyped(null);
      notifications.show({ message: words("saved") });
    },
  });
  if (origins.isError) return <Failure fault={origins.error} />;
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("origins")}
      </Title>
      <Textarea
        label={words("originsLead")}
        placeholder="https://www.banco.example"
        autosize
        minRows={3}
        value={shown}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        w="fit-content"
        disabled={typed === null}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {words("saveOrigins")}
      </Button>
    </Stack>
  );
}
