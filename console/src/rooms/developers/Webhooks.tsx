import { Badge, Button, Group, MultiSelect, Select, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import type { components } from "@/api/schema";
import { covers, useSession } from "@/api/session";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { Secret } from "@/parts/Copied";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { Moment } from "@/parts/time";
import { Deliveries } from "./Deliveries";
import { type Webhook, webhooksQuery } from "./queries";
import { useDeveloperWords } from "./texts";

type EventKind = components["schemas"]["EventKind"];
const EVENTS = [
  "verification.created",
  "verification.updated",
  "verification.completed",
  "verification.approved",
  "verification.rejected",
  "verification.manual_review",
  "step.completed",
  "step.failed",
  "aml.match",
] as const satisfies readonly EventKind[];
const route = getRouteApi("/shell/developers");

export function Webhooks() {
  const words = useDeveloperWords();
  const mayChange = covers(useSession().user.role, "ADMIN");
  const { webhook } = route.useSearch();
  const webhooks = useQuery(webhooksQuery);
  const shown = webhooks.data?.webhooks.find(({ id }) => id === webhook);
  return (
    <Stack>
      <Text>{words("webhooksLead")}</Text>
      {mayChange && <NewWebhook />}
      {webhooks.isPending && <Skeleton h={120} />}
      {webhooks.isError && (
        <Failure fault={webhooks.error} onRetry={() => void webhooks.refetch()} />
      )}
      {webhooks.data?.webhooks.length === 0 && <Text>{words("noWebhook")}</Text>}
      {!!webhooks.data?.webhooks.length && (
        <PlainTable
          label={words("webhooks")}
          head={[words("url"), words("events"), words("format"), words("created"), words("acts")]}
          rows={webhooks.data.webhooks.map((each) => ({
            id: each.id,
            cells: [
              each.url,
              <Group key="events" gap={4}>
                {each.events.map((event) => (
                  <Badge key={event} color="gray.7" tt="none">
                    {event}
                  </Badge>
                ))}
              </Group>,
              each.format,
              <Moment key="created" at={each.createdAt} />,
              <Acts key="acts" webhook={each} mayChange={mayChange} />,
            ],
          }))}
        />
      )}
      {mayChange && shown && <Deliveries webhook={shown} />}
    </Stack>
  );
}

function Acts({ webhook, mayChange }: { webhook: Webhook; mayChange: boolean }) {
  const words = useDeveloperWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const path = { params: { path: { id: webhook.id } } };
  const test = useMutation({
    mutationFn: () => ask(api.POST("/v1/webhooks/{id}/test", path)),
    onSuccess: ({ delivered }) =>
      notifications.show({
        color: delivered ? "teal" : "orange",
        message: words(delivered ? "testArrived" : "testFailed", { url: webhook.url }),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["deliveries", webhook.id] }),
  });
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE("/v1/webhooks/{id}", path)),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
  const showLog = () =>
    void navigate({ to: "/developers", search: { tab: "webhooks", webhook: webhook.id } });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        aria-label={`${words("test")}: ${webhook.url}`}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {words("test")}
      </Button>
      {mayChange && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${words("deliveries")}: ${webhook.url}`}
          onClick={showLog}
        >
          {words("deliveries")}
        </Button>
      )}
      {mayChange && (
        <ConfirmButton
          text={words("remove")}
          aria-label={`${words("remove")}: ${webhook.url}`}
          question={words("removeQuestion", { url: webhook.url })}
          onConfirm={remove.mutate}
        />
      )}
    </Group>
  );
}

function NewWebhook() {
  const words = useDeveloperWords();
  const queries = useQueryClient();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<EventKind[]>(["verification.completed"]);
  const [format, setFormat] = useState<"standard" | "metamap">("standard");
  const create = useMutation({
    mutationFn: () => ask(api.POST("/v1/webhooks", { body: { url: url.trim(), events, format } })),
    onSuccess: () => setUrl(""),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            flex={1}
            miw={240}
            label={words("url")}
            placeholder="https://"
            type="url"
            required
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <MultiSelect
            flex={1}
            miw={240}
            label={words("events")}
            data={[...EVENTS]}
            value={events}
            onChange={(value) => setEvents(value as EventKind[])}
          />
          <Select
            label={words("format")}
            allowDeselect={false}
            data={["standard", "metamap"]}
            value={format}
            onChange={(value) => value && setFormat(value as typeof format)}
          />
          <Button type="submit" loading={create.isPending} disabled={!url || !events.length}>
            {words("createWebhook")}
          </Button>
        </Group>
      </form>
      {create.data && (
        <Secret
          text={create.data.webhook.secret}
          label={words("newSecret", { url: create.data.webhook.url })}
          warning={words("shownOnce")}
          onClose={create.reset}
        />
      )}
    </>
  );
}
