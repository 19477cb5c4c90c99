import { ActionIcon, Badge, Box, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { COLOURS } from "@/app/theme";
import { covers, useSession } from "@/api/session";
import { EditIcon } from "@/parts/icons";
import { usePercent } from "@/parts/numbers";
import { CorrectionDialog } from "./CorrectionDialog";
import { type Case, fieldsQuery } from "./queries";
import classes from "./case.module.css";
import { useFieldName } from "./fieldNames";
import { Piece } from "./Piece";
import { type Mark, type Picture, shows } from "./pictures";
import { placeOf } from "./places";
import { useCaseWords } from "./texts";
import { useWireWord } from "./wireWords";

const OF_DECISION: Record<string, string> = {
  ACCEPTED: COLOURS.good,
  REVIEW: COLOURS.doubtful,
  REJECTED: COLOURS.bad,
};

interface Props {
  id: string;
  pictures: readonly Picture[];
  fields: Case["extraction"];
  /** Whether the values are masked: nobody corrects what they do not see. */
  isMasked: boolean;
  onPoint: (mark: Mark | null) => void;
}

/** The person's data, field by field. The one that the reader points at is marked on its page. */
export function Person({ id, pictures, fields, isMasked, onPoint }: Props) {
  const words = useCaseWords();
  const nameOf = useFieldName();
  const { user } = useSession();
  const mayReview = covers(user.role, "REVIEWER");
  const mayCorrect = mayReview && !isMasked;
  const [corrected, setCorrected] = useState<Case["extraction"][number] | null>(null);
  const { data: located = [] } = useQuery({
    ...fieldsQuery(id),
    enabled: mayReview,
  });
  const pieceOf = (field: Case["extraction"][number]) => {
    const mark = placeOf(field, located);
    if (mark === null || isMasked) return null;
    const page = pictures.find((picture) => shows(picture, mark));
    return page && <Piece page={page} mark={mark} />;
  };
  if (fields.length === 0) return <Text>{words("noData")}</Text>;
  return (
    <>
      <Table aria-label={words("data")} verticalSpacing={6} horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{words("field")}</Table.Th>
          <Table.Th scope="col">{words("value")}</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            {words("confidence")}
          </Table.Th>
          {mayCorrect && (
            <Table.Th scope="col">
              <VisuallyHidden>{words("correction")}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr
            key={`${field.field} ${field.documentId}`}
            className={classes.field}
            tabIndex={0}
            onMouseEnter={() => onPoint(placeOf(field, located))}
            onMouseLeave={() => onPoint(null)}
            onFocus={() => onPoint(placeOf(field, located))}
            onBlur={() => onPoint(null)}
          >
            <Table.Th scope="row" fw={500}>
              {nameOf(field.field)}
            </Table.Th>
            <Table.Td className={classes.value}>
              {field.value}
              {pieceOf(field)}
              <Box hiddenFrom="sm" mt={4}>
                <Certainty field={field} />
              </Box>
              {field.alternatives.length > 0 && (
                <Text size="xs" c="dimmed">
                  {words("others", { values: field.alternatives.join(", ") })}
                </Text>
              )}
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Certainty field={field} />
            </Table.Td>
            {mayCorrect && (
              <Table.Td>
                {field.documentId && (<ActionIcon
                  variant="subtle"
                  size="lg"
                  aria-label={words("correct", { field: nameOf(field.field) })}
                  onClick={() => setCorrected(field)}
                >
                  <EditIcon size={16} />
                </ActionIcon>)}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
      {corrected?.documentId && (
        <CorrectionDialog
          field={corrected}
          documentId={corrected.documentId}
          onClose={() => setCorrected(null)}
        />
      )}
    </>
  );
}

/** How sure the reading is, and where it was read. */
function Certainty({ field }: { field: Case["extraction"][number] }) {
  const words = useCaseWords();
  const percent = usePercent();
  const wireWord = useWireWord();
  return (
    <Stack gap={0} align="flex-start">
      <Badge color={OF_DECISION[field.decision] ?? COLOURS.neutral} tt="none">
        {words(field.decision as "REVIEW")}
      </Badge>
      <Text size="xs" c="dimmed">
        {percent(field.confidence)} · {wireWord(field.source)}
      </Text>
    </Stack>
  );
}
