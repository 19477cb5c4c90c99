import { Alert, Badge, Button, Group, Skeleton, Stack, Text, Textarea, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, ask } from "@/api/client";
import { useReviewerName } from "@/api/reviewers";
import { covers, useSession } from "@/api/session";
import { Failure } from "@/parts/failures";
import { HandOver } from "@/parts/HandOver";
import { usePercent } from "@/parts/numbers";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { Moment } from "@/parts/time";
import { useDraft } from "@/parts/typed";
import { Comparison } from "./Comparison";
import { type Decision, type Hit, hitQuery } from "./queries";
import { useScreeningWords } from "./texts";

const route = getRouteApi("/shell/screening/hit/$id");
const DECISIONS = ["false_hit", "needs_information", "true_hit"] as const satisfies Decision[];

export function HitPage() {
  const words = useScreeningWords();
  const percent = usePercent();
  const { id } = route.useParams();
  const { user } = useSession();
  const found = useQuery(hitQuery(id));
  if (found.isPending) return <Skeleton h={320} />;
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const hit = found.data;
  return (
    <Stack>
      <RoomLink to="/screening" w="fit-content">
        {words("back")}
      </RoomLink>
      <Title order={1} size="h2">
        {hit.entryName}
      </Title>
      <Group>
        <Badge color="gray.7" tt="none">
          {words(hit.state)}
        </Badge>
        <Text>
          {hit.list} · {words("score")} {percent(hit.score)}
        </Text>
        {hit.verificationId && (
          <RoomLink to="/case/$id" params={{ id: hit.verificationId }} search={{}}>
            {words("toCase")}
          </RoomLink>
        )}
      </Group>
      <Comparison hit={hit} />
      {covers(user.role, "REVIEWER") && <Deciding key={hit.id} hit={hit} />}
      <Reviews hit={hit} />
    </Stack>
  );
}

/** Every act answers the match as it is afterwards. */
function useActs(hit: Hit, onDecided: () => void) {
  const words = useScreeningWords();
  const queries = useQueryClient();
  const path = { path: { id: hit.id } };
  const take = ({ match }: { match: Hit }) => {
    queries.setQueryData(hitQuery(hit.id).queryKey, match);
    void queries.invalidateQueries({ queryKey: ["hits"] });
  };
  const done = (answer: { match: Hit }) => {
    onDecided();
    take(answer);
    notifications.show({ message: words(answer.match.proposal ? "proposedNow" : "decidedNow") });
  };
  // Another reviewer's act: the page shows it beside the message, and the note stays.
  const onError = () => queries.invalidateQueries({ queryKey: hitQuery(hit.id).queryKey });
  const claim = useMutation({
    mutationFn: () => ask(api.POST("/v1/aml/matches/{id}/claim", { params: path })),
    onSuccess: take,
    onError,
  });
  const release = useMutation({
    mutationFn: () => ask(api.POST("/v1/aml/matches/{id}/release", { params: path })),
    onSuccess: take,
    onError,
  });
  const handOver = useMutation({
    mutationFn: (userId: string) =>
      ask(api.POST("/v1/aml/matches/{id}/hand-over", { params: path, body: { userId } })),
    onSuccess: take,
    onError,
  });
  const decide = useMutation({
    mutationFn: ({ decision, note }: { decision: Decision; note: string }) =>
      ask(
        api.POST("/v1/aml/matches/{id}/review", {
          params: path,
          body: { decision, openedAt: hit.openedAt, ...(note && { note }) },
        }),
      ),
    onSuccess: done,
    onError,
  });
  const second = useMutation({
    mutationFn: ({ act, note }: { act: "confirm" | "decline"; note: string }) =>
      ask(
        api.POST(`/v1/aml/matches/{id}/proposal/${act}`, {
          params: path,
          body: { proposal: hit.proposal?.id ?? "", ...(note && { note }) },
        }),
      ),
    onSuccess: done,
    onError,
  });
  return { claim, release, handOver, decide, second };
}

function Deciding({ hit }: { hit: Hit }) {
  const words = useScreeningWords();
  const { user } = useSession();
  const [note, setNote] = useDraft(`hit ${hit.id}`);
  const { claim, release, handOver, decide, second } = useActs(hit, () => setNote(""));
  const isHeldByOther = hit.claimedBy !== null && hit.claimedBy !== user.id;
  const mayRelease = hit.claimedBy !== null && (!isHeldByOther || covers(user.role, "ADMIN"));
  const holder = useReviewerName()(hit.claimedBy);
  const { proposal } = hit;
  return (
    <Stack>
      {isHeldByOther && <Alert variant="outline">{words("heldByOther", { name: holder ?? words("somebody") })}</Alert>}
      <Textarea
        label={words("note")}
        autosize
        minRows={2}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {proposal && (
        <Alert variant="outline" title={words("proposal", { decision: words(proposal.decision) })}>
          {proposal.proposedBy === user.id ? (
            words("ownProposal")
          ) : (
            <Group>
              <Button onClick={() => second.mutate({ act: "confirm", note })}>
                {words("confirm")}
              </Button>
              <Button variant="default" onClick={() => second.mutate({ act: "decline", note })}>
                {words("decline")}
              </Button>
            </Group>
          )}
        </Alert>
      )}
      <Group>
        {!proposal &&
          DECISIONS.map((decision) => (
            <Button
              key={decision}
              variant={decision === "needs_information" ? "default" : "filled"}
              color={decision === "true_hit" ? "red.9" : undefined}
              disabled={isHeldByOther}
              loading={decide.isPending && decide.variables.decision === decision}
              onClick={() => decide.mutate({ decision, note: note.trim() })}
            >
              {words(`decide_${decision}` as "decide_true_hit")}
            </Button>
          ))}
        {hit.claimedBy === null && (
          <Button variant="default" loading={claim.isPending} onClick={() => claim.mutate()}>
            {words("claim")}
          </Button>
        )}
        {mayRelease && (
          <Button variant="default" loading={release.isPending} onClick={() => release.mutate()}>
            {words("release")}
          </Button>
        )}
        {(hit.claimedBy === null || mayRelease) && (
          <HandOver
            label={words("handOver")}
            loading={handOver.isPending}
            besides={hit.claimedBy}
            onChoice={({ id }) => handOver.mutate(id)}
          />
        )}
      </Group>
    </Stack>
  );
}

function Reviews({ hit }: { hit: Hit }) {
  const words = useScreeningWords();
  if (hit.reviews.length === 0) return null;
  return (
    <>
      <Title order={2} size="h3">
        {words("reviews")}
      </Title>
      <PlainTable
        label={words("reviews")}
        head={[words("when"), words("kind"), words("state"), words("note")]}
        rows={hit.reviews.map((review) => ({
          id: review.id,
          cells: [
            <Moment key="at" at={review.at} />,
            words(review.kind),
            words(review.decision),
            review.note ?? "—",
          ],
        }))}
      />
    </>
  );
}
