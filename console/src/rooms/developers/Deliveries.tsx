import { Alert, Badge, Button, Group, Select, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "@/api/client";
import { Copied } from "@/parts/Copied";
import { Dialog } from "@/parts/dialogs";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { dateText, Moment } from "@/parts/time";
import { useLanguage } from "@/texts";
import { useCommonWords } from "@/texts/common";
import { deliveriesQuery, type Delivery, payloadQuery, type DeliveryState, type Webhook } from "./queries";
import { useDeveloperWords } from "./texts";

const STATES = ["pending", "delivered", "failed", "cancelled"] as const satisfies DeliveryState[];
const COLOURS = { pending: "gray.7", delivered: "teal.9", failed: "red.9", cancelled: "gray.7" };

/** What was sent to an endpoint, with each attempt. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const words = useDeveloperWords();
  const common = useCommonWords();
  const language = useLanguage();
  const [state, setState] = useState<DeliveryState | null>(null);
  const found = useInfiniteQuery(deliveriesQuery(webhook.id, state));
  const rows = found.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const pausedUntil = found.data?.pages[0]?.pausedUntil;
  return (
    <Stack>
      <Title order={2} size="h3">
        {words("deliveriesTo", { url: webhook.url })}
      </Title>
      {pausedUntil && (
        <Alert color="orange" variant="outline">
          {words("paused", { until: dateText(pausedUntil, language) })}
        </Alert>
      )}
      <Select
        w={240}
        label={words("state")}
        placeholder={words("anyState")}
        clearable
        data={STATES.map((value) => ({ value, label: words(value) }))}
        value={state}
        onChange={(value) => setState(value as DeliveryState | null)}
      />
      {found.isPending && <Skeleton h={120} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && rows.length === 0 && <Text>{words("noDelivery")}</Text>}
      {rows.length > 0 && (
        <PlainTable
          label={words("deliveries")}
          head={[words("event"), words("state"), words("created"), words("attempts"), words("acts")]}
          rows={rows.map((delivery) => ({
            id: delivery.id,
            cells: [
              delivery.event,
              <Badge key="state" color={COLOURS[delivery.state]} tt="none">
                {words(delivery.state)}
              </Badge>,
              <Moment key="created" at={delivery.createdAt} />,
              <Attempts key="attempts" delivery={delivery} />,
              <Group key="acts" gap="xs">
                <Redeliver webhook={webhook} delivery={delivery} />
                <Payload webhook={webhook} delivery={delivery} />
              </Group>,
            ],
          }))}
        />
      )}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()}>
          {common("more")}
        </Button>
      )}
    </Stack>
  );
}

function Attempts({ delivery }: { delivery: Delivery }) {
  const words = useDeveloperWords();
  const language = useLanguage();
  const next = delivery.nextAttemptAt;
  return (
    <Stack gap={2}>
      {delivery.attempts.map((attempt) => (
        <Text key={attempt.id} size="sm">
          {dateText(attempt.startedAt, language)}:{" "}
          {attempt.responseCode ?? (attempt.reason && words(`fault_${attempt.reason}`))} ·{" "}
          {attempt.durationMs} ms
        </Text>
      ))}
      {next && (
        <Text size="sm" c="dimmed">
          {words("nextAttempt", { at: dateText(next, language) })}
        </Text>
      )}
    </Stack>
  );
}

function Redeliver({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const words = useDeveloperWords();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver", {
          params: { path: { id: webhook.id, deliveryId: delivery.id } },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ["deliveries", webhook.id] }),
  });
  return (
    <Button size="xs" variant="default" loading={send.isPending} onClick={() => send.mutate()}>
      {words("redeliver")}
    </Button>
  );
}

/** What was sent, on demand: it may be personal, and the audit log records who reads it. */
function Payload({ webhook, delivery }: { webhook: Webhook; delivery: Delivery }) {
  const words = useDeveloperWords();
  const [opened, dialog] = useDisclosure(false);
  const found = useQuery({ ...payloadQuery(webhook.id, delivery.id), enabled: opened });
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {words("payload")}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={words("payloadOf", { event: delivery.event })}>
        {found.isPending && <Skeleton h={120} />}
        {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
        {found.isSuccess && <Copied text={indented(found.data)} label={words("payload")} />}
      </Dialog>
    </>
  );
}

const indented = (body: string) => JSON.stringify(JSON.parse(body), null, 2);
