/**
 * Dialogs over a page. Mantine's own `title` makes a second banner of the page; here the title is a
 * heading of the dialog.
 */
import { CloseButton, Drawer, Group, Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useCommonWords } from "@/texts/common";

interface Props {
  title: string;
  opened: boolean;
  /** Absent: the dialog stays until its content closes it, and the page cannot be read meanwhile. */
  onClose?: () => void;
  children: ReactNode;
}

export function Dialog({ title, opened, onClose, children }: Props) {
  return (
    <Modal.Root opened={opened} onClose={onClose ?? (() => {})}>
      <Modal.Overlay backgroundOpacity={onClose ? 0.6 : 1} />
      <Modal.Content>
        <Modal.Body pt="md">
          <Head onClose={onClose}>
            <Modal.Title fw={700}>{title}</Modal.Title>
          </Head>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** At the bottom, so that most of the page stays in sight. */
export function BottomDialog({ title, opened, onClose, children }: Props) {
  return (
    <Drawer.Root opened={opened} onClose={onClose ?? (() => {})} position="bottom" size={430}>
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content>
        <Drawer.Body pt="md">
          <Head onClose={onClose}>
            <Drawer.Title fw={700}>{title}</Drawer.Title>
          </Head>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Head({ onClose, children }: { onClose: (() => void) | undefined; children: ReactNode }) {
  const words = useCommonWords();
  return (
    <Group justify="space-between" mb="sm">
      {children}
      {onClose && <CloseButton aria-label={words("close")} onClick={onClose} />}
    </Group>
  );
}
