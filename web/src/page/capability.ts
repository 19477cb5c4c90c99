/**
 * The session's token: it comes in the address's fragment, which browsers send to nobody, and is
 * kept for this tab alone, so that neither the history nor a look over a shoulder shows it.
 */
import { boot } from "./boot";

const KEY = `acredita:${boot.verificationId}`;

interface Arrival {
  token: string;
  returnTo: string | null;
}

function arrive(): Arrival {
  const given = new URLSearchParams(`token=${location.hash.slice(1)}`);
  const token = given.get("token") ?? "";
  if (!token) return remembered() ?? { token: "", returnTo: null };
  const arrival = { token, returnTo: given.get("return") };
  try {
    sessionStorage.setItem(KEY, JSON.stringify(arrival));
    history.replaceState(null, "", location.pathname + location.search);
  } catch {
    // A browser that keeps nothing: the fragment stays, so that a reload finds it.
  }
  return arrival;
}

function remembered(): Arrival | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Arrival | null;
  } catch {
    return null;
  }
}

const arrival = arrive();

export const token = arrival.token;

/** Where a full page goes back to: only to the organization's own origins. */
export const returnTo = known(arrival.returnTo);

function known(address: string | null): string | null {
  try {
    return address && boot.embedders.includes(new URL(address).origin) ? address : null;
  } catch {
    return null;
  }
}
