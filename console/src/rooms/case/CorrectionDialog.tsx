import { Alert, Button, Checkbox, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "@/parts/dialogs";
import { Failure, useFailureText } from "@/parts/failures";
import { useCommonWords } from "@/texts/common";
import { useFieldName } from "./fieldNames";
import { type Case, correct, labelQuery } from "./queries";
import { useCaseWords } from "./texts";

interface Props {
  field: Case["extraction"][number];
  documentId: string;
  onClose: () => void;
}

/** What the document really says. It becomes a label of the document, for training. */
export function CorrectionDialog({ field, documentId, onClose }: Props) {
  const words = useCaseWords();
  const common = useCommonWords();
  const nameOf = useFieldName();
  const failureText = useFailureText();
  const queries = useQueryClient();
  const label = useQuery(labelQuery(documentId));
  const [value, setValue] = useState(field.value ?? "");
  const [isAbsent, setAbsent] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      correct(documentId, label.data ?? [], {
        fieldName: field.field,
        ...(isAbsent ? { wasFieldPresent: false } : { confirmedValue: value.trim() }),
      }),
    meta: { quiet: true },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: labelQuery(documentId).queryKey });
      notifications.show({ message: words("corrected") });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog opened onClose={onClose} title={words("correct", { field: nameOf(field.field) })}>
      {label.isPending && <Skeleton h={80} />}
      {label.isError && <Failure fault={label.error} />}
      {label.isSuccess && (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{words("correctLead")}</Text>
            <TextInput
              label={words("rightValue")}
              required={!isAbsent}
              disabled={isAbsent}
              withAsterisk={false}
              maxLength={1000}
              autoComplete="off"
              data-autofocus
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            <Checkbox
              label={words("fieldAbsent")}
              checked={isAbsent}
              onChange={(event) => setAbsent(event.currentTarget.checked)}
            />
            {save.isError && (
              <Alert color="red" variant="outline" role="alert">
                {failureText(save.error)}
              </Alert>
            )}
            <Group>
              <Button type="submit" loading={save.isPending}>
                {common("save")}
              </Button>
              <Button variant="default" onClick={onClose}>
                {common("cancel")}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
