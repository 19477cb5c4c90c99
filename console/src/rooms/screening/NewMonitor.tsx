import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, ask } from "@/api/client";
import { Dialog } from "@/parts/dialogs";
import { useFailureText } from "@/parts/failures";
import { useCommonWords } from "@/texts/common";
import { useScreeningWords } from "./texts";

const EMPTY = { verificationId: "", fullName: "", dateOfBirth: "", curp: "", rfc: "" };
type Person = typeof EMPTY;

/** Starts the monitor of a verification's person. */
export function NewMonitor() {
  const words = useScreeningWords();
  const common = useCommonWords();
  const failureText = useFailureText();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [opened, dialog] = useDisclosure(false);
  const [person, setPerson] = useState(EMPTY);
  const start = useMutation({
    mutationFn: () => ask(api.POST("/v1/aml/monitor", { body: { ...bodyOf(person), enabled: true } })),
    onSuccess: ({ verificationId: id }) => {
      dialog.close();
      setPerson(EMPTY);
      void queries.invalidateQueries({ queryKey: ["monitors"] });
      void queries.invalidateQueries({ queryKey: ["monitor", id] });
      void navigate({ to: "/screening/monitor/$id", params: { id } });
    },
    meta: { quiet: true },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  const field = (name: keyof Person) => ({
    label: words(`monitor_${name}` as "monitor_curp"),
    autoComplete: "off",
    value: person[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setPerson({ ...person, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <Button onClick={dialog.open}>{words("newMonitor")}</Button>
      <Dialog title={words("newMonitor")} opened={opened} onClose={dialog.close}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{words("newMonitorLead")}</Text>
            <TextInput {...field("verificationId")} required maxLength={255} data-autofocus />
            <TextInput {...field("fullName")} required minLength={2} maxLength={500} />
            <TextInput {...field("dateOfBirth")} type="date" />
            <TextInput {...field("curp")} minLength={16} maxLength={18} />
            <TextInput {...field("rfc")} minLength={9} maxLength={13} />
            {start.isError && (
              <Alert color="red" variant="outline" role="alert">
                {failureText(start.error)}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={dialog.close}>
                {common("cancel")}
              </Button>
              <Button type="submit" loading={start.isPending}>
                {words("startMonitor")}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}

function bodyOf({ verificationId, fullName, dateOfBirth, curp, rfc }: Person) {
  return {
    verificationId: verificationId.trim(),
    fullName: fullName.trim(),
    ...(dateOfBirth && { dateOfBirth }),
    ...(curp.trim() && { curp: curp.trim().toUpperCase() }),
    ...(rfc.trim() && { rfc: rfc.trim().toUpperCase() }),
  };
}
