import { Accordion, Badge, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { COLOURS } from "@/app/theme";
import { Failure } from "@/parts/failures";
import { RoomLink } from "@/parts/RoomLink";
import { StatusBadge } from "@/parts/StatusBadge";
import { WarningIcon } from "@/parts/icons";
import { usePercent } from "@/parts/numbers";
import { Moment } from "@/parts/time";
import classes from "./case.module.css";
import { useFieldName } from "./fieldNames";
import { hitsOf, registriesOf, type Signal } from "./findings";
import { LinkGraph } from "./LinkGraph";
import type { Mark } from "./pictures";
import { linksQuery, type Step } from "./queries";
import { useSignalDetail, useSignalName } from "./signalNames";
import { useCaseWords } from "./texts";
import { useWireWord } from "./wireWords";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

interface SignalsProps {
  signals: readonly Signal[];
  onPoint: (mark: Mark | null) => void;
}

/** Raised signals in words; the others folded. */
export function Signals({ signals, onPoint }: SignalsProps) {
  const words = useCaseWords();
  const raised = signals.filter((each) => each.raised);
  const rest = signals.filter((each) => !each.raised);
  return (
    <Section title={words("signals")}>
      {raised.length === 0 && <Text size="sm">{words("raisedNone")}</Text>}
      {raised.map((each, place) => (
        <SignalLine key={`${each.signal} ${place}`} signal={each} onPoint={onPoint} />
      ))}
      {rest.length > 0 && (
        <Accordion variant="contained">
          <Accordion.Item value="rest">
            <Accordion.Control>
              <Text size="sm">{words("rest", { count: rest.length })}</Text>
            </Accordion.Control>
            <Accordion.Panel>
              {rest.map((each, place) => (
                <SignalLine key={`${each.signal} ${place}`} signal={each} onPoint={onPoint} />
              ))}
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Section>
  );
}

function SignalLine({ signal, onPoint }: { signal: Signal } & Pick<SignalsProps, "onPoint">) {
  const words = useCaseWords();
  const nameOf = useSignalName();
  const detailOf = useSignalDetail();
  return (
    <Group
      gap="xs"
      wrap="nowrap"
      className={classes.signal}
      tabIndex={signal.place ? 0 : undefined}
      onMouseEnter={() => onPoint(signal.place)}
      onMouseLeave={() => onPoint(null)}
      onFocus={() => onPoint(signal.place)}
      onBlur={() => onPoint(null)}
    >
      {signal.raised && <WarningIcon />}
      <Text size="sm" flex={1} fw={signal.raised ? 600 : 400}>
        {nameOf(signal.signal)}
        {signal.detail !== null && `: ${detailOf(signal.detail)}`}
      </Text>
      {signal.measure !== null && signal.threshold !== null && (
        <Text size="xs" c="dimmed">
          {words("measure", { measure: signal.measure, limit: signal.threshold })}
        </Text>
      )}
    </Group>
  );
}

export function Registries({ steps }: { steps: readonly Step[] }) {
  const words = useCaseWords();
  const fieldOf = useFieldName();
  const wireWord = useWireWord();
  const answers = registriesOf(steps);
  if (answers.length === 0) return null;
  return (
    <Section title={words("registries")}>
      {answers.map((answer) => (
        <Stack key={answer.registry} gap={2}>
          <Group gap="xs">
            <Text fw={600}>{answer.registry}</Text>
            <Badge color={answer.outcome === "match" ? COLOURS.good : COLOURS.doubtful} tt="none">
              {wireWord(answer.outcome)}
            </Badge>
            {answer.status !== null && <Text size="sm">{answer.status}</Text>}
            {answer.sandbox && (
              <Badge variant="outline" color="gray" tt="none">
                {words("sandbox")}
              </Badge>
            )}
          </Group>
          {Object.entries(answer.registered).map(([field, value]) => (
            <Text key={field} size="sm">
              {fieldOf(field)}: {value}
            </Text>
          ))}
        </Stack>
      ))}
    </Section>
  );
}

export function Hits({ steps }: { steps: readonly Step[] }) {
  const words = useCaseWords();
  const percent = usePercent();
  const wireWord = useWireWord();
  const hits = hitsOf(steps);
  if (hits === null) return null;
  return (
    <Section title={words("hits")}>
      {hits.length === 0 && <Text size="sm">{words("hitsNone")}</Text>}
      {hits.map((hit) => (
        <Stack key={hit.id} gap={2}>
          <Group gap="xs">
            <RoomLink to="/screening/hit/$id" params={{ id: hit.id }} fw={600}>
              {hit.name}
            </RoomLink>
            <Badge color={COLOURS.doubtful} tt="none">
              {wireWord(hit.assessment)}
            </Badge>
          </Group>
          <Text size="sm">
            {hit.list} · {words("score", { value: percent(hit.score) })}
            {hit.programs.length > 0 && ` · ${hit.programs.join(", ")}`}
          </Text>
        </Stack>
      ))}
    </Section>
  );
}

/** Verifications that share data with this one. */
export function Links({ id }: { id: string }) {
  const words = useCaseWords();
  const wireWord = useWireWord();
  const { data = [], isPending, isError, error, refetch } = useQuery(linksQuery(id));
  if (isPending) return null;
  return (
    <Section title={words("links")}>
      {isError && <Failure fault={error} onRetry={() => void refetch()} />}
      {!isError && data.length === 0 && <Text size="sm">{words("linksNone")}</Text>}
      {data.length > 0 && <LinkGraph id={id} links={data} />}
      {data.map((link) => (
        <Group key={link.verificationId} gap="xs">
          <RoomLink
            to="/case/$id"
            params={{ id: link.verificationId }}
            search={{}}
            size="sm"
          >
            {link.verificationId.slice(0, 8)}
          </RoomLink>
          <StatusBadge status={link.status} />
          <Moment at={link.createdAt} />
          <Text size="sm">{words("sharedBy", { what: link.via.map(wireWord).join(", ") })}</Text>
        </Group>
      ))}
    </Section>
  );
}
