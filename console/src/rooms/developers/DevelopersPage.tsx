import { Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Tabbed } from "@/parts/Tabbed";
import { ApiKeys } from "./ApiKeys";
import { Examples } from "./Examples";
import { sandboxQuery } from "./queries";
import { SandboxPeople } from "./SandboxPeople";
import { StartByHand } from "./StartByHand";
import { useDeveloperWords } from "./texts";
import { Webhooks } from "./Webhooks";

const route = getRouteApi("/shell/developers");

export function DevelopersPage() {
  const words = useDeveloperWords();
  const navigate = useNavigate();
  const { tab } = route.useSearch();
  const sandbox = useQuery(sandboxQuery);
  const people = sandbox.data?.people ?? [];
  return (
    <Stack>
      <Title order={1} size="h2">
        {words("title")}
      </Title>
      <Tabbed
        label={words("title")}
        chosen={tab ?? "start"}
        onChoice={(id) => void navigate({ to: "/developers", search: { tab: id }, replace: true })}
        tabs={[
          { id: "start", label: words("start"), body: <StartByHand /> },
          { id: "keys", label: words("keys"), body: <ApiKeys /> },
          { id: "webhooks", label: words("webhooks"), body: <Webhooks /> },
          { id: "examples", label: words("examples"), body: <Examples /> },
          ...(people.length > 0
            ? [{ id: "sandbox", label: words("sandbox"), body: <SandboxPeople people={people} /> }]
            : []),
        ]}
      />
    </Stack>
  );
}
