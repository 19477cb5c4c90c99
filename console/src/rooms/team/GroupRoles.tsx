import { Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useCommonWords } from "@/texts/common";
import { useProviderWords } from "./providerTexts";
import { GRANTABLE, type GrantableRole, type GroupRole } from "./queries";
import { useTeamWords } from "./texts";

interface Props {
  roles: readonly GroupRole[];
  onChange: (roles: GroupRole[]) => void;
}

/** The role that each group of the provider gives. */
export function GroupRoles({ roles, onChange }: Props) {
  const words = useProviderWords();
  const team = useTeamWords();
  const common = useCommonWords();
  const change = (place: number, part: Partial<GroupRole>) =>
    onChange(roles.map((each, at) => (at === place ? { ...each, ...part } : each)));
  return (
    <Stack gap="xs" role="group" aria-label={words("groups")}>
      <Text size="sm" fw={500}>
        {words("groups")}
      </Text>
      <Text size="xs" c="dimmed">
        {words("groupsLead")}
      </Text>
      {roles.map((each, place) => (
        // A row has no name of its own, and rows never change places.
        <Group key={place} align="flex-end" gap="xs">
          <TextInput
            flex={1}
            miw={140}
            label={words("group", { place: place + 1 })}
            required
            maxLength={255}
            autoComplete="off"
            value={each.group}
            onChange={(event) => change(place, { group: event.currentTarget.value })}
          />
          <Select
            w={210}
            label={words("roleOfGroup", { place: place + 1 })}
            allowDeselect={false}
            data={GRANTABLE.map((role) => ({ value: role, label: common(role) }))}
            value={each.role}
            onChange={(role) => role && change(place, { role: role as GrantableRole })}
          />
          <Button
            variant="default"
            aria-label={words("removeGroup", { place: place + 1 })}
            onClick={() => onChange(roles.filter((_, at) => at !== place))}
          >
            {team("remove")}
          </Button>
        </Group>
      ))}
      <Button
        variant="default"
        w="fit-content"
        onClick={() => onChange([...roles, { group: "", role: "REVIEWER" }])}
      >
        {words("addGroup")}
      </Button>
    </Stack>
  );
}
