/**
 * Notes that are being written, by verification. They live in memory alone, since they may be
 * personal: a reload asks before it loses them, and a change of page keeps them. So does a sign-out,
 * for the same user.
 */
import { useEffect, useState } from "react";
import { useSession } from "@/api/session";

const drafts = new Map<string, string>();
let owner: string | null = null;

window.addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});

/** Forget the notes of the user before, if this is another one. */
function keepDraftsOf(user: string) {
  if (owner !== user) drafts.clear();
  owner = user;
}

export function useDraft(id: string): [string, (text: string) => void] {
  keepDraftsOf(useSession().user.id);
  const [text, setText] = useState(drafts.get(id) ?? "");
  useEffect(() => setText(drafts.get(id) ?? ""), [id]);
  const change = (value: string) => {
    setText(value);
    if (value.trim()) drafts.set(id, value);
    else drafts.delete(id);
  };
  return [text, change];
}
