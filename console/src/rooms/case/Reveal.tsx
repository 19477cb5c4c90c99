import { Alert, Button, Group, Kbd, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { covers, useSession } from "@/api/session";
import { useKeys } from "@/parts/keys";
import { type Case, historyQuery, type PersonalData, type Revealed, reveal } from "./queries";
import { useCaseWords } from "./texts";

/** Before the links to the revealed pictures expire. */
const MASKED_AFTER = 14 * 60_000;
type Answers = Partial<Record<PersonalData, Revealed>>;

/** What the organization masks: revealed values live in this page alone, until it is left. */
export function useRevealed(found: Case) {
  const queries = useQueryClient();
  const { id, updatedAt } = found.verification;
  const [revealed, setRevealed] = useState<Answers>({});
  const masked = (found.masked ?? []).filter((kind) => revealed[kind] === undefined);
  const show = useMutation({
    mutationFn: (kind: PersonalData) => reveal(id, kind),
    onSuccess: (answer, kind) => setRevealed((earlier) => ({ ...earlier, [kind]: answer })),
    onSettled: () => queries.invalidateQueries({ queryKey: ["case", id, "history"] }),
  });
  // What was revealed is out of date when the verification changes.
  useEffect(() => {
    setRevealed({});
    const timer = setTimeout(() => setRevealed({}), MASKED_AFTER);
    return () => clearTimeout(timer);
  }, [updatedAt]);
  const { FIELDS: fields, PICTURES: pictures, NOTES: noted } = revealed;
  const notes = useMemo(
    () => new Map(noted?.notes?.map((each) => [each.id, each.note])),
    [noted],
  );
  const shown: Case = {
    ...found,
    verification: fields?.verification ?? found.verification,
    extraction: fields?.extraction ?? found.extraction,
    documents: pictures?.documents ?? found.documents,
  };
  return { shown, masked, notes, show };
}

interface Props {
  id: string;
  masked: readonly PersonalData[];
  show: ReturnType<typeof useRevealed>["show"];
}

/** What is masked, with a button for each kind. Who may not reveal it learns who may. */
export function Reveal({ id, masked, show }: Props) {
  const words = useCaseWords();
  const mayReveal = covers(useSession().user.role, "REVIEWER");
  const { data: history } = useQuery({ ...historyQuery(id), enabled: mayReveal });
  const hasNotes = history?.some(({ note }) => note !== null) ?? false;
  const isAsked = (kind: PersonalData) => show.isPending && show.variables === kind;
  const run = (kind: PersonalData) => {
    if (masked.includes(kind) && !isAsked(kind)) show.mutate(kind);
  };
  const kinds = [
    { kind: "FIELDS", key: "d", does: words("revealFields") },
    { kind: "PICTURES", key: "p", does: words("revealPictures") },
    { kind: "NOTES", key: "m", does: words("revealNotes") },
  ] as const;
  const present = masked.filter((kind) => kind !== "NOTES" || hasNotes);
  const offered = kinds.filter(({ kind }) => mayReveal && present.includes(kind));
  useKeys(offered.map(({ kind, key, does }) => ({ key, does, run: () => run(kind) })));
  if (present.length === 0) return null;
  return (
    <Alert color="blue" variant="outline" role="region" aria-label={words("masked")}>
      <Text>{words(mayReveal ? "maskedLead" : "maskedForMembers")}</Text>
      <Group gap="xs" mt={offered.length > 0 ? "xs" : 0}>
        {offered.map(({ kind, key, does }) => (
          <Button
            key={kind}
            variant="default"
            loading={isAsked(kind)}
            onClick={() => run(kind)}
          >
            {does} <Kbd ml={8}>{key}</Kbd>
          </Button>
        ))}
      </Group>
    </Alert>
  );
}
