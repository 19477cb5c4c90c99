import { Stack, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Tabbed } from "@/parts/Tabbed";
import { Entries } from "./Entries";
import { Hits } from "./Hits";
import { Lists } from "./Lists";
import { Monitors } from "./Monitors";
import { Screenings } from "./Screenings";
import { useScreeningWords } from "./texts";

const route = getRouteApi("/shell/screening");

export function ScreeningPage() {
  const words = useScreeningWords();
  const navigate = useNavigate();
  const { tab } = route.useSearch();
  return (
    <Stack>
      <Title order={1} size="h2">
        {words("title")}
      </Title>
      <Tabbed
        label={words("title")}
        chosen={tab ?? "hits"}
        onChoice={(id) => void navigate({ to: "/screening", search: { tab: id }, replace: true })}
        tabs={[
          { id: "hits", label: words("hits"), body: <Hits /> },
          { id: "monitors", label: words("monitors"), body: <Monitors /> },
          { id: "entries", label: words("findEntry"), body: <Entries /> },
          { id: "screenings", label: words("screenings"), body: <Screenings /> },
          { id: "lists", label: words("lists"), body: <Lists /> },
        ]}
      />
    </Stack>
  );
}
