/**
 * What the user types, for as long as the page lives, by place. It may be personal, so it lives in
 * memory alone, for the user who typed it: another one who signs in finds nothing.
 */
import { useEffect, useState } from "react";
import { useSession } from "@/api/session";

const drafts = new Map<string, string>();
const searches = new Map<string, string>();
let owner: string | null = null;

window.addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});

function forgetOthers(user: string) {
  if (owner !== user) {
    drafts.clear();
    searches.clear();
  }
  owner = user;
}

/**
 * A note that is being written. A reload asks before it loses it; a change of page keeps it, and so
 * does a sign-out, for the same user.
 */
export function useDraft(id: string): [string, (text: string) => void] {
  forgetOthers(useSession().user.id);
  const [text, setText] = useState(drafts.get(id) ?? "");
  useEffect(() => setText(drafts.get(id) ?? ""), [id]);
  const change = (value: string) => {
    setText(value);
    if (value.trim()) drafts.set(id, value);
    else drafts.delete(id);
  };
  return [text, change];
}

/** What was looked for last: pages that it led to lead back to it. */
export function useLastSearch(room: string): [string, (text: string) => void] {
  forgetOthers(useSession().user.id);
  return [searches.get(room) ?? "", (text) => void searches.set(room, text)];
}
