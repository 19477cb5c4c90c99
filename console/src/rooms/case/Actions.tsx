import { Alert, Button, Group, Kbd, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { changed } from "@/api/tabs";
import { COLOURS } from "@/app/theme";
import { ConfirmButton } from "@/parts/ConfirmButton";
import { notifyFailure } from "@/parts/failures";
import { saveFile } from "@/parts/files";
import { HandOver } from "@/parts/HandOver";
import { useKeys } from "@/parts/keys";
import { useStatusText } from "@/parts/StatusBadge";
import { claimNext } from "@/rooms/queue/queries";
import classes from "./case.module.css";
import { DecisionDrawer } from "./DecisionDrawer";
import { canRunAgain, codesOf } from "./findings";
import { Proposal } from "./Proposal";
import { type Case, type Decision, evidence, historyQuery, pendingProposal, runAgain } from "./queries";
import { RetakeDialog } from "./RetakeDialog";
import { useCaseWords } from "./texts";
import { type Lease, useLease, useLeaseActs } from "./useLease";

const route = getRouteApi("/shell/case/$id");

/** What a reviewer can do with a verification. */
export function Actions({ found, onHistory }: { found: Case; onHistory: () => void }) {
  const words = useCaseWords();
  const { id, status, steps } = found.verification;
  const [decision, setDecision] = useState<Decision | null>(null);
  const [asksRetake, setRetake] = useState(false);
  const waits = status === "MANUAL_REVIEW";
  const lease = useLease(id, waits);
  const history = useQuery(historyQuery(id));
  const proposal = history.data ? pendingProposal(history.data) : null;
  const goOn = useGoOn(id);
  const isOthers = lease.state === "others";
  const mayAsk = waits && !isOthers && found.documents.length > 0;
  const begin = (chosen: Decision) => {
    if (!isOthers) setDecision(chosen);
  };
  useKeys([
    { key: "a", does: words("approve"), run: () => begin("APPROVED") },
    { key: "r", does: words("reject"), run: () => begin("REJECTED") },
    { key: "f", does: words("askPictures"), run: () => setRetake(mayAsk) },
    { key: "t", does: words("noteKey"), run: () => document.getElementById("note")?.focus() },
    { key: "h", does: words("historyKey"), run: onHistory },
  ]);
  return (
    <Stack className={classes.bar} gap="xs">
      {isOthers && <Held lease={lease} />}
      {proposal && (
        <Proposal id={id} proposal={proposal} onConfirmed={() => goOn(proposal.status, false)} />
      )}
      <Group gap="xs">
        <Button color={COLOURS.good} disabled={isOthers} onClick={() => begin("APPROVED")}>
          {words("approve")} <Kbd ml={8} visibleFrom="sm">a</Kbd>
        </Button>
        <Button color={COLOURS.bad} disabled={isOthers} onClick={() => begin("REJECTED")}>
          {words("reject")} <Kbd ml={8} visibleFrom="sm">r</Kbd>
        </Button>
        {waits && found.documents.length > 0 && (
          <Button variant="default" disabled={isOthers} onClick={() => setRetake(true)}>
            {words("askPictures")} <Kbd ml={8} visibleFrom="sm">f</Kbd>
          </Button>
        )}
        {canRunAgain(steps) && waits && <RunAgain id={id} />}
        {lease.state === "mine" && <LeaseButtons id={id} />}
        {!waits && <Evidence id={id} isMasked={(found.masked ?? []).length > 0} />}
      </Group>
      {asksRetake && <RetakeDialog found={found} onClose={() => setRetake(false)} />}
      {decision && (
        <DecisionDrawer
          id={id}
          decision={decision}
          status={status}
          codes={codesOf(found.verification)}
          onClose={() => setDecision(null)}
          onDecided={({ isProposal }) => {
            setDecision(null);
            goOn(decision, isProposal);
          }}
        />
      )}
    </Stack>
  );
}

function Held({ lease }: { lease: Lease }) {
  const words = useCaseWords();
  return (
    <Alert color="orange" variant="outline" role="status">
      {lease.holder === null
        ? words("heldBySomebody")
        : words("held", { name: lease.holder })}
    </Alert>
  );
}

/** After a decision: say so, and open the next verification of the same queue. */
function useGoOn(id: string) {
  const words = useCaseWords();
  const statusText = useStatusText();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const filter = route.useSearch();
  return async (decision: Decision, isProposal: boolean) => {
    notifications.show({
      message: isProposal ? words("proposed") : words("decided", { what: statusText(decision) }),
    });
    changed(queries, ["case", id], ["reviews"]);
    try {
      const next = await claimNext(filter);
      if (next && next.verificationId !== id) {
        await navigate({ to: "/case/$id", params: { id: next.verificationId }, search: filter });
        return;
      }
      notifications.show({ message: words("queueEmpty") });
    } catch (fault) {
      notifyFailure(fault);
    }
    await navigate({ to: "/", search: filter });
  };
}

function RunAgain({ id }: { id: string }) {
  const words = useCaseWords();
  const queries = useQueryClient();
  const run = useMutation({
    mutationFn: () => runAgain(id),
    onSuccess: () => notifications.show({ message: words("runsAgain") }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["case", id] }),
  });
  return (
    <Button variant="default" loading={run.isPending} onClick={() => run.mutate()}>
      {words("runAgain")}
    </Button>
  );
}

function LeaseButtons({ id }: { id: string }) {
  const words = useCaseWords();
  const navigate = useNavigate();
  const filter = route.useSearch();
  const { release, handOver } = useLeaseActs(id);
  const back = (message: string) => {
    notifications.show({ message });
    void navigate({ to: "/", search: filter });
  };
  return (
    <>
      <Button
        variant="default"
        loading={release.isPending}
        onClick={() => release.mutate(undefined, { onSuccess: () => back(words("released")) })}
      >
        {words("release")}
      </Button>
      <HandOver
        label={words("handOver")}
        loading={handOver.isPending}
        onChoice={({ id: to, name }) =>
          handOver.mutate(to, { onSuccess: () => back(words("handedOver", { name })) })
        }
      />
    </>
  );
}

/** The evidence file of the decision. Where personal data are masked, a dialog asks first. */
function Evidence({ id, isMasked }: { id: string; isMasked: boolean }) {
  const words = useCaseWords();
  const load = useMutation({
    mutationFn: () => evidence(id, isMasked),
    onSuccess: (file) => saveFile(file as Blob, `${id}.zip`),
  });
  const text = words("evidence");
  if (isMasked) {
    return (
      <ConfirmButton
        size="sm"
        text={text}
        question={words("evidenceQuestion")}
        loading={load.isPending}
        onConfirm={() => load.mutate()}
      />
    );
  }
  return (
    <Button variant="default" loading={load.isPending} onClick={() => load.mutate()}>
      {text}
    </Button>
  );
}
