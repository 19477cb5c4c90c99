import { Alert, Anchor, Button, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { Copied } from "@/parts/Copied";
import { Failure } from "@/parts/failures";
import { QrCode } from "@/parts/QrCode";
import { dateText } from "@/parts/time";
import { workflowsQuery } from "@/rooms/queue/queries";
import { useLanguage } from "@/texts";
import { useDeveloperWords } from "./texts";

const LIFETIMES = [1, 24, 72, 168];
const HOUR = 3600;

/** Starts a verification and shows the link for the person. */
export function StartByHand() {
  const words = useDeveloperWords();
  const workflows = useQuery(workflowsQuery);
  const [workflowId, setWorkflowId] = useState<string | null>(null);
  const [externalId, setExternalId] = useState("");
  const [language, setLanguage] = useState<"es" | "en">("es");
  const [hours, setHours] = useState(24);
  const start = useMutation({
    mutationFn: (workflow: string) =>
      ask(
        api.POST("/v1/verifications", {
          body: {
            workflowId: workflow,
            ...(externalId.trim() && { externalId: externalId.trim() }),
            capture: { language, expiresIn: hours * HOUR },
          },
        }),
      ),
  });
  const active = (workflows.data?.workflows ?? []).filter(({ isActive }) => isActive);
  const chosen = workflowId ?? active[0]?.id ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen) start.mutate(chosen);
  };
  const capture = start.data?.verification.capture;
  return (
    <Stack>
      <Text>{words("startLead")}</Text>
      {workflows.isError && <Failure fault={workflows.error} />}
      {workflows.isSuccess && active.length === 0 && (
        <Alert variant="outline">{words("noWorkflow")}</Alert>
      )}
      <form onSubmit={submit}>
        <Group align="flex-end">
          <Select
            label={words("workflow")}
            allowDeselect={false}
            data={active.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen}
            onChange={setWorkflowId}
          />
          <TextInput
            label={words("reference")}
            maxLength={255}
            autoComplete="off"
            value={externalId}
            onChange={(event) => setExternalId(event.currentTarget.value)}
          />
          <Select
            label={words("language")}
            allowDeselect={false}
            data={[
              { value: "es", label: "Español" },
              { value: "en", label: "English" },
            ]}
            value={language}
            onChange={(value) => value && setLanguage(value as "es" | "en")}
          />
          <Select
            label={words("lifetime")}
            allowDeselect={false}
            data={LIFETIMES.map((each) => ({
              value: String(each),
              label: words("hours", { count: each }),
            }))}
            value={String(hours)}
            onChange={(value) => value && setHours(Number(value))}
          />
          <Button type="submit" disabled={!chosen} loading={start.isPending}>
            {words("startOne")}
          </Button>
        </Group>
      </form>
      {capture && <CaptureLink url={capture.url} expiresAt={capture.expiresAt} />}
    </Stack>
  );
}

/** The link for the person, as text and as QR code. */
export function CaptureLink({ url, expiresAt }: { url: string; expiresAt: string }) {
  const words = useDeveloperWords();
  const language = useLanguage();
  return (
    <Stack align="flex-start" role="status">
      <Text>{words("linkLead", { until: dateText(expiresAt, language) })}</Text>
      <QrCode text={url} label={words("qr")} />
      <Copied text={url} label={words("link")} />
      <Anchor href={url} target="_blank" rel="noreferrer">
        {words("openHere")}
      </Anchor>
    </Stack>
  );
}
