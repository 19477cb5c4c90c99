import { Alert, Button, Group, Kbd, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { covers, useSession } from "@/api/session";
import { useKeys } from "@/parts/keys";
import { type Case, type PersonalData, reveal } from "./queries";
import { useCaseWords } from "./texts";

/** Before the links to the revealed pictures expire. */
const MASKED_AFTER = 14 * 60_000;
type Revealed = Partial<Record<PersonalData, Case>>;

/** What the organization masks: revealed values live in this page alone, until it is left. */
export function useRevealed(found: Case) {
  const queries = useQueryClient();
  const { id, updatedAt } = found.verification;
  const [revealed, setRevealed] = useState<Revealed>({});
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
  const { FIELDS: fields, PICTURES: pictures } = revealed;
  const shown: Case = {
    ...found,
    verification: fields?.verification ?? found.verification,
    extraction: fields?.extraction ?? found.extraction,
    documents: pictures?.documents ?? found.documents,
  };
  return { shown, masked, show };
}

interface Props {
  masked: readonly PersonalData[];
  show: ReturnType<typeof useRevealed>["show"];
}

/** What is masked, with a button for each kind. Who may not reveal it learns who may. */
export function Reveal({ masked, show }: Props) {
  const words = useCaseWords();
  const mayReveal = covers(useSession().user.role, "REVIEWER");
  const isAsked = (kind: PersonalData) => show.isPending && show.variables === kind;
  const run = (kind: PersonalData) => {
    if (masked.includes(kind) && !isAsked(kind)) show.mutate(kind);
  };
  const kinds = [
    { kind: "FIELDS", key: "d", does: words("revealFields") },
    { kind: "PICTURES", key: "p", does: words("revealPictures") },
  ] as const;
  const offered = kinds.filter(({ kind }) => mayReveal && masked.includes(kind));
  useKeys(offered.map(({ kind, key, does }) => ({ key, does, run: () => run(kind) })));
  if (masked.length === 0) return null;
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
