import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useCommonWords } from "@/texts/common";

interface Props extends ButtonProps {
  text: string;
  /** What will happen, and that it cannot be undone. */
  question: string;
  onConfirm: () => void;
}

/** A button for what cannot be undone: a dialog asks first. */
export function ConfirmButton({ text, question, onConfirm, ...rest }: Props) {
  const common = useCommonWords();
  const [opened, dialog] = useDisclosure(false);
  const confirm = () => {
    dialog.close();
    onConfirm();
  };
  return (
    <>
      <Button size="xs" variant="default" {...rest} onClick={dialog.open}>
        {text}
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={text}
        closeButtonProps={{ "aria-label": common("close") }}
      >
        <Stack>
          <Text>{question}</Text>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={dialog.close}>
              {common("cancel")}
            </Button>
            <Button color="red.9" onClick={confirm}>
              {text}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
