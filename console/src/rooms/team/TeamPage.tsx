import { Stack, Title } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { covers, useSession } from "@/api/session";
import { Tabbed } from "@/parts/Tabbed";
import { AuditLog } from "./AuditLog";
import { Holds } from "./Holds";
import { IdentityProvider } from "./IdentityProvider";
import { MySignIn } from "./MySignIn";
import { Settings } from "./Settings";
import { useTeamWords } from "./texts";
import { Users } from "./Users";

const route = getRouteApi("/shell/team");

export function TeamPage() {
  const words = useTeamWords();
  const navigate = useNavigate();
  const { tab } = route.useSearch();
  const { user } = useSession();
  const own = { id: "me", label: words("mySignIn"), body: <MySignIn /> };
  const settings = { id: "settings", label: words("settings"), body: <Settings /> };
  const tabs = covers(user.role, "ADMIN")
    ? [
        { id: "users", label: words("users"), body: <Users /> },
        own,
        { id: "provider", label: words("provider"), body: <IdentityProvider /> },
        { id: "holds", label: words("holdsTab"), body: <Holds /> },
        { id: "audit", label: words("audit"), body: <AuditLog /> },
        settings,
      ]
    : [own, settings];
  return (
    <Stack>
      <Title order={1} size="h2">
        {words("title")}
      </Title>
      <Tabbed
        label={words("title")}
        chosen={tab ?? ""}
        onChoice={(id) => void navigate({ to: "/team", search: { tab: id }, replace: true })}
        tabs={tabs}
      />
    </Stack>
  );
}
