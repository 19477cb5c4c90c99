/** Notes that the organization masks, as they were revealed. They live in the page alone. */
import { createContext, useContext } from "react";

/** By the id of their entry of the history. */
export const RevealedNotes = createContext<ReadonlyMap<string, string>>(new Map());

/** The note of an entry: revealed, or as the history has it. */
export function useNote({ id, note }: { id: string; note: string | null }): string | null {
  return useContext(RevealedNotes).get(id) ?? note;
}
