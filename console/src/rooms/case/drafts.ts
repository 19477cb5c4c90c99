/**
 * Notes that are being written, by verification. They live in memory alone, since they may be
 * personal: a reload asks before it loses them, and a change of page keeps them.
 */
import { useEffect, useState } from "react";

const drafts = new Map<string, string>();

window.addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export function useDraft(id: string): [string, (text: string) => void] {
  const [text, setText] = useState(drafts.get(id) ?? "");
  useEffect(() => setText(drafts.get(id) ?? ""), [id]);
  const change = (value: string) => {
    setText(value);
    if (value.trim()) drafts.set(id, value);
    else drafts.delete(id);
  };
  return [text, change];
}
