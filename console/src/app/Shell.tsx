import {
  ActionIcon,
  Alert,
  AppShell,
  Box,
  Burger,
  Group,
  Menu,
  NavLink,
  SegmentedControl,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { onlineManager } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { covers, useSession, useSessionWatch, useSignOut } from "@/api/session";
import { notifyFailure } from "@/parts/failures";
import { KeysIcon, LeaveIcon, MoonIcon, SunIcon } from "@/parts/icons";
import { KeysDialog, useKeysDialog } from "@/parts/keys";
import { ROOMS } from "@/rooms";
import { SignInAgain } from "@/rooms/sign-in/SignInAgain";
import { chooseLanguage, type Language, useLanguage } from "@/texts";
import { useCommonWords } from "@/texts/common";

/** What every room has around it. */
export function Shell() {
  const words = useCommonWords();
  const [isOpen, navigation] = useDisclosure(false);
  useSessionWatch();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <Box component="a" href="#content" className="skip-link">
        {words("skip")}
      </Box>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={navigation.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={words("menu")}
            aria-expanded={isOpen}
          />
          <Text fw={700} component="span">
            Acredita
          </Text>
          <Box flex="1 0 0" />
          <Tools />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={words("menu")}>
        <Navigation onChoice={navigation.close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Connection />
        <Outlet />
      </AppShell.Main>
      <SignInAgain />
    </AppShell>
  );
}

function Navigation({ onChoice }: { onChoice: () => void }) {
  const language = useLanguage();
  const { user } = useSession();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isHere = (room: string) =>
    room === "/" ? path === "/" || path.startsWith("/case") : path.startsWith(room);
  return ROOMS.filter((room) => covers(user.role, room.role)).map((room) => (
    <NavLink
      key={room.path}
      component={Link}
      to={room.path}
      label={room.name[language]}
      leftSection={<room.icon />}
      active={isHere(room.path)}
      aria-current={isHere(room.path) ? "page" : undefined}
      onClick={onChoice}
    />
  ));
}

function Tools() {
  const words = useCommonWords();
  const language = useLanguage();
  const scheme = useComputedColorScheme("light");
  const { setColorScheme } = useMantineColorScheme();
  const keys = useKeysDialog();
  return (
    <>
      <SegmentedControl
        size="xs"
        visibleFrom="xs"
        aria-label={words("language")}
        value={language}
        onChange={(value) => chooseLanguage(value as Language)}
        data={[
          { value: "es", label: "ES" },
          { value: "en", label: "EN" },
        ]}
      />
      <ActionIcon
        variant="default"
        size="lg"
        visibleFrom="xs"
        aria-label={words("keys")}
        onClick={keys.open}
      >
        <KeysIcon />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={words("scheme")}
        onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}
      >
        {scheme === "dark" ? <SunIcon /> : <MoonIcon />}
      </ActionIcon>
      <UserMenu />
      <KeysDialog opened={keys.opened} onClose={keys.close} />
    </>
  );
}

function UserMenu() {
  const words = useCommonWords();
  const language = useLanguage();
  const { user, organization } = useSession();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const leave = () =>
    signOut(() => navigate({ to: "/sign-in", search: {} })).catch(notifyFailure);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton maw={220} miw={0}>
          <Text size="sm" truncate>
            {user.email}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {organization.name}
          </Text>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {words(user.role)}
        </Menu.Label>
        <Menu.Item onClick={() => chooseLanguage(language === "es" ? "en" : "es")}>
          {language === "es" ? "English" : "Español"}
        </Menu.Item>
        <Menu.Item leftSection={<LeaveIcon size={16} />} onClick={() => void leave()}>
          {words("signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Connection() {
  const words = useCommonWords();
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  if (isOnline) return null;
  return (
    <Alert color="orange" variant="outline" role="status" mb="md">
      {words("offline")}
    </Alert>
  );
}
