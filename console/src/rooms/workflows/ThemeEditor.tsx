import { Alert, Box, Button, ColorInput, Group, Select, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import { covers, useSession } from "@/api/session";
import { Failure } from "@/parts/failures";
import { useLanguage } from "@/texts";
import { localeOf } from "@/texts/formats";
import { contrast, isColour, LEAST_CONTRAST } from "./contrast";
import type { DraftStep } from "./queries";
import { previewScreens, type PreviewScreen } from "./screens";
import { useWorkflowWords } from "./texts";

type Theme = components["schemas"]["ThemeShape"];

const COLOURS = [
  "backgroundColor",
  "titleTextColor",
  "subtitleColor",
  "bodyTextColor",
  "accentColor",
  "borderColor",
  "errorColor",
  "warningColor",
  "successColor",
] as const satisfies (keyof Theme)[];
const TEXTS = ["titleTextColor", "subtitleColor", "bodyTextColor", "errorColor"] as const;

const themeQuery = (id: string) =>
  queryOptions({
    queryKey: ["theme", id],
    queryFn: () => ask(api.GET("/v1/workflows/{id}/theme", { params: { path: { id } } })),
  });

/** The colours of the capture page, with the page beside them. */
export function ThemeEditor({ workflowId, steps }: Omit<PreviewProps, "theme">) {
  const words = useWorkflowWords();
  const queries = useQueryClient();
  const mayChange = covers(useSession().user.role, "ADMIN");
  const [changes, setChanges] = useState<Partial<Theme>>({});
  const found = useQuery(themeQuery(workflowId));
  const save = useMutation({
    mutationFn: (body: Theme) =>
      ask(api.PUT("/v1/workflows/{id}/theme", { params: { path: { id: workflowId } }, body })),
    onSuccess: (theme) => {
      queries.setQueryData(themeQuery(workflowId).queryKey, theme);
      setChanges({});
      notifications.show({ message: words("saved") });
    },
  });
  if (found.isPending) return <Skeleton h={240} />;
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const theme: Theme = { ...found.data, ...changes };
  const change = (name: keyof Theme, value: string) =>
    setChanges({ ...changes, [name]: value.trim() || null });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(theme);
  };
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("theme")}
      </Title>
      <Group align="flex-start" gap="xl">
        <form onSubmit={submit}>
          <Stack w={300}>
            {COLOURS.map((name) => (
              <ColorInput
                key={name}
                label={words(name)}
                placeholder={words("usual")}
                readOnly={!mayChange}
                withEyeDropper={false}
                withPicker={mayChange}
                value={theme[name] ?? ""}
                onChange={(value) => change(name, value)}
              />
            ))}
            <TextInput
              label={words("fontFamily")}
              maxLength={100}
              readOnly={!mayChange}
              value={theme.fontFamily ?? ""}
              onChange={(event) => change("fontFamily", event.currentTarget.value)}
            />
            <TextInput
              label={words("logoUrl")}
              type="url"
              placeholder="https://"
              readOnly={!mayChange}
              value={theme.logoUrl ?? ""}
              onChange={(event) => change("logoUrl", event.currentTarget.value)}
            />
            {mayChange && (
              <Button
                type="submit"
                loading={save.isPending}
                disabled={Object.keys(changes).length === 0}
              >
                {words("saveTheme")}
              </Button>
            )}
          </Stack>
        </form>
        <Stack>
          <Preview workflowId={workflowId} theme={theme} steps={steps} />
          <Contrasts theme={theme} />
        </Stack>
      </Group>
    </Stack>
  );
}

const colourOf = (theme: Theme, name: (typeof COLOURS)[number], usual: string) => {
  const given = theme[name];
  return given && isColour(given) ? given : usual;
};
const BACKGROUND = "#ffffff";
const TEXT = "#1a1a1a";

interface PreviewProps {
  workflowId: string;
  theme: Theme;
  steps: readonly DraftStep[];
}

/** The person's page itself, in the theme as it is being changed. */
function Preview({ workflowId, theme, steps }: PreviewProps) {
  const words = useWorkflowWords();
  const [screen, setScreen] = useState<PreviewScreen>("consent");
  const screens = previewScreens(steps);
  const shown = screens.includes(screen) ? screen : "consent";
  const [address] = useDebouncedValue(previewOf(workflowId, theme, shown), 300);
  return (
    <Stack gap="xs">
      <Select
        label={words("previewScreen")}
        w={280}
        allowDeselect={false}
        data={screens.map((each) => ({ value: each, label: words(`screen_${each}`) }))}
        value={shown}
        onChange={(value) => value && setScreen(value as PreviewScreen)}
      />
      <iframe title={words("preview")} src={address} className="preview" tabIndex={-1} />
    </Stack>
  );
}

/** The address of the preview. It leaves out colours that are still being typed. */
function previewOf(workflowId: string, theme: Theme, screen: PreviewScreen): string {
  const query = new URLSearchParams({ screen });
  for (const [name, value] of Object.entries(theme)) {
    if (!value) continue;
    const isColoured = COLOURS.some((colour) => colour === name);
    const isLogo = name === "logoUrl";
    if (isColoured && !isColour(value)) continue;
    if (isLogo && !/^https:\/\/[^\s"'<>@\\]+$/.test(value)) continue;
    query.set(name, value);
  }
  return `/v1/workflows/${workflowId}/theme/preview?${query}`;
}

function Contrasts({ theme }: { theme: Theme }) {
  const words = useWorkflowWords();
  const language = useLanguage();
  const ground = colourOf(theme, "backgroundColor", BACKGROUND);
  const weak = TEXTS.map((name) => ({
    name,
    value: contrast(colourOf(theme, name, name === "errorColor" ? "#b3261e" : TEXT), ground),
  })).filter(({ value }) => value < LEAST_CONTRAST);
  const number = new Intl.NumberFormat(localeOf(language), {
    maximumFractionDigits: 1,
  });
  return (
    <Box role="status" maw={280}>
      {weak.length === 0 ? (
        <Text size="sm">{words("contrastEnough")}</Text>
      ) : (
        <Alert color="orange" variant="outline" title={words("contrastWeak")}>
          {weak.map(({ name, value }) => (
            <Text key={name} size="sm">
              {words(name)}: {number.format(value)}
            </Text>
          ))}
        </Alert>
      )}
    </Box>
  );
}
