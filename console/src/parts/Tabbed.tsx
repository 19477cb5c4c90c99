import { Tabs } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Soon } from "./Soon";

export interface Tab {
  id: string;
  label: string;
  body: ReactNode;
}

interface Props {
  label: string;
  tabs: Tab[];
  chosen: string;
  onChoice: (id: string) => void;
}

/** Parts of a room. A part that was opened stays, with what was typed in it. */
export function Tabbed({ label, tabs, chosen, onChoice }: Props) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const current = tabs.find((tab) => tab.id === chosen) ?? tabs[0];
  if (current === undefined) return null;
  if (!opened.has(current.id)) setOpened(new Set([...opened, current.id]));
  return (
    <Tabs value={current.id} onChange={(id) => id && onChoice(id)} keepMounted>
      <Tabs.List aria-label={label} mb="md">
        {tabs.map(({ id, label: text }) => (
          <Tabs.Tab key={id} value={id}>
            {text}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, body }) => (
        <Tabs.Panel key={id} value={id}>
          {opened.has(id) && <Soon place={`${label} ${id}`}>{body}</Soon>}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
