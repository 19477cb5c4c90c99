import { Drawer } from "@mantine/core";
import { DialogHead, type DialogProps } from "./dialogs";

/** A dialog at the bottom, so that most of the page stays in sight. */
export function BottomDialog({ title, opened, onClose, children }: DialogProps) {
  return (
    <Drawer.Root opened={opened} onClose={onClose ?? (() => {})} position="bottom" size={430}>
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content>
        <Drawer.Body pt="md">
          <DialogHead onClose={onClose}>
            <Drawer.Title fw={700}>{title}</Drawer.Title>
          </DialogHead>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
