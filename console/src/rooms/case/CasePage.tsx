import { Alert, Grid, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { covers, useSession } from "@/api/session";
import { RoomLink } from "@/parts/RoomLink";
import { Failure } from "@/parts/failures";
import { useReasonWords } from "@/parts/reasons";
import { Soon } from "@/parts/Soon";
import { StatusBadge } from "@/parts/StatusBadge";
import { useStepNames } from "@/parts/stepNames";
import { Moment } from "@/parts/time";
import { Actions } from "./Actions";
import { Faces } from "./Faces";
import { Hits, Links, Registries, Section, Signals } from "./Findings";
import { codesOf, comparisonOf, signalsOf } from "./findings";
import { History, NoteForm } from "./History";
import { RevealedNotes } from "./notes";
import { Person } from "./Person";
import { Pictures } from "./Pictures";
import { faces, type Mark, picturesOf } from "./pictures";
import { type Case, caseQuery } from "./queries";
import { Reveal, useRevealed } from "./Reveal";
import { RulesDecision } from "./RulesDecision";
import { useCaseWords } from "./texts";

const route = getRouteApi("/shell/case/$id");

export function CasePage() {
  const { id } = route.useParams();
  const found = useQuery(caseQuery(id));
  // A failure behind a case that shows takes nothing away: a decision may be half typed.
  if (found.isError && !found.data) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton h={480} />;
  // A new verification begins with a page of its own: no choice of the last one remains.
  return <CaseView key={id} found={found.data} />;
}

function CaseView({ found: asked }: { found: Case }) {
  const words = useCaseWords();
  const { shown: found, masked, notes, show } = useRevealed(asked);
  const { user } = useSession();
  const [mark, setMark] = useState<Mark | null>(null);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const { id, steps } = found.verification;
  const arePicturesMasked = masked.includes("PICTURES");
  const pictures = arePicturesMasked ? [] : picturesOf(found, words);
  const [portrait, selfie] = faces(pictures);
  const signals = signalsOf(steps);
  const warnings = signals.flatMap(({ raised, place }) => (raised && place ? [place] : []));
  const mayReview = covers(user.role, "REVIEWER");
  const toggleHistory = () => setHistoryOpen(!isHistoryOpen);
  return (
    <RevealedNotes.Provider value={notes}>
    <Stack>
      <Heading found={found} />
      <Reasons codes={codesOf(found.verification)} />
      <Reveal id={id} masked={masked} show={show} />
      <Soon place="case">
        <Grid>
          <Grid.Col span={{ base: 12, md: 6 }}>
            {arePicturesMasked ? (
              <Text>{words("picturesMasked")}</Text>
            ) : (
              <Pictures pictures={pictures} mark={mark} warnings={warnings} />
            )}
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack gap="lg">
              <Signals signals={signals} onPoint={setMark} />
              <RulesDecision decision={found.verification.decision} />
              <Section title={words("data")}>
                <Person
                  id={id}
                  pictures={pictures}
                  fields={found.extraction}
                  isMasked={masked.includes("FIELDS")}
                  onPoint={setMark}
                />
              </Section>
              <Faces portrait={portrait} selfie={selfie} comparison={comparisonOf(steps)} />
              <Registries steps={steps} />
              <Hits steps={steps} />
              <Links id={id} />
              {mayReview && <NoteForm id={id} />}
              {mayReview && <History id={id} opened={isHistoryOpen} onToggle={toggleHistory} />}
            </Stack>
          </Grid.Col>
        </Grid>
      </Soon>
      {mayReview && <Actions found={found} onHistory={toggleHistory} />}
    </Stack>
    </RevealedNotes.Provider>
  );
}

function Heading({ found }: { found: Case }) {
  const words = useCaseWords();
  const names = useStepNames();
  const filter = route.useSearch();
  const mayReview = covers(useSession().user.role, "REVIEWER");
  const { id, externalId, status, createdAt, steps } = found.verification;
  return (
    <Stack gap={4}>
      {mayReview ? (
        <RoomLink to="/" search={filter} size="sm" w="fit-content">
          {words("back")}
        </RoomLink>
      ) : (
        <RoomLink to="/search" size="sm" w="fit-content">
          {words("backToSearch")}
        </RoomLink>
      )}
      <Group gap="sm">
        <Title order={1} size="h2">
          {words("title", { reference: externalId ?? id.slice(0, 8) })}
        </Title>
        <StatusBadge status={status} />
        <Moment at={createdAt} />
      </Group>
      <Group gap="xs" component="section" aria-label={words("steps")}>
        {steps.map((step) => (
          <Group key={step.id} gap={4} wrap="nowrap">
            <Text size="xs" title={step.type}>
              {names(step.type)}
            </Text>
            <StatusBadge status={step.status} />
          </Group>
        ))}
      </Group>
    </Stack>
  );
}

/** Why the verification waits, and what a reviewer can do about it. */
function Reasons({ codes }: { codes: readonly string[] }) {
  const wordsOf = useReasonWords();
  if (codes.length === 0) return null;
  return (
    <Alert color="orange" variant="outline">
      {codes.map((code) => (
        <div key={code}>
          <Text fw={600}>{wordsOf(code).meaning}</Text>
          <Text size="sm">{wordsOf(code).advice}</Text>
        </div>
      ))}
    </Alert>
  );
}
