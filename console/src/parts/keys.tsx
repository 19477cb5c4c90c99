/**
 * Keyboard shortcuts. A page says which it has; `?` lists those of the current page.
 *
 *     useKeys([{ key: "n", does: words("claimNext"), run: claimNext }]);
 *
 * They do nothing while the user types or a dialog is open.
 */
import { Kbd, Table } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useCommonWords } from "@/texts/common";
import { Dialog } from "./dialogs";

export interface Key {
  key: string;
  does: string;
  run: () => void;
}

let shown: readonly Key[] = [];
const lists = new Map<object, readonly Key[]>();
const listeners = new Set<() => void>();

function note(owner: object, keys: readonly Key[] | null) {
  if (keys === null) lists.delete(owner);
  else lists.set(owner, keys);
  shown = [...lists.values()].flat();
  for (const listener of listeners) listener();
}

const isDialogOpen = () => document.querySelector("[role=dialog][aria-modal=true]") !== null;

export function useKeys(keys: readonly Key[]) {
  const owner = useRef({});
  const listed = keys.map(({ key, does }) => `${key} ${does}`).join("\n");
  useEffect(() => {
    const self = owner.current;
    note(self, keys);
    return () => note(self, null);
    // The functions change at each rendering, the list does not.
  }, [listed]);
  useHotkeys(
    keys.map(({ key, run }) => [
      key,
      () => {
        if (!isDialogOpen()) run();
      },
    ]),
  );
}

const useShownKeys = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );

export function KeysDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useCommonWords();
  const keys = useShownKeys();
  return (
    <Dialog opened={opened} onClose={onClose} title={words("keys")}>
      <Table>
        <Table.Tbody>
          {keys.map(({ key, does }) => (
            <Table.Tr key={key}>
              <Table.Td w={80}>
                <Kbd>{key === "shift+?" ? "?" : key}</Kbd>
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}

export function useKeysDialog() {
  const [opened, dialog] = useDisclosure(false);
  useHotkeys([["shift+?", dialog.open]]);
  return { opened, ...dialog };
}
