/**
 * Dialogs over a page. Mantine's own `title` makes a second banner of the page; here the title is a
 * heading of the dialog.
 */
import { CloseButton, Group, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useCommonWords } from "@/texts/common";

export interface DialogProps {
  title: string;
  opened: boolean;
  /** Absent: the dialog stays until its content closes it, and the page cannot be read meanwhile. */
  onClose?: () => void;
  children: ReactNode;
}

export function Dialog({ title, opened, onClose, children }: DialogProps) {
  return (
    <Modal.Root opened={opened} onClose={onClose ?? (() => {})}>
      <Modal.Overlay backgroundOpacity={onClose ? 0.6 : 1} />
      <Modal.Content>
        <Modal.Body pt="md">
          <DialogHead onClose={onClose}>
            <Modal.Title fw={700}>{title}</Modal.Title>
          </DialogHead>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The title of a dialog, and the button that closes it. */
export function DialogHead({ onClose, children }: { onClose: (() => void) | undefined; children: ReactNode }) {
  const words = useCommonWords();
  return (
    <Group justify="space-between" mb="sm">
      {children}
      {onClose && <CloseButton aria-label={words("close")} onClick={onClose} />}
    </Group>
  );
}
