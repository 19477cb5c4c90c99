/**
 * The session's token. It arrives in the URL's fragment, which browsers do not send, and is stored
 * only for this tab, so that neither the history nor the address bar shows it.
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
    // The browser has no storage: the fragment stays, so that a reload finds it.
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

/** Return where a full page goes back to: only to an allowed origin of the organization. */
export const returnTo = known(arrival.returnTo);

function known(address: string | null): string | null {
  try {
    return address && boot.embedders.includes(new URL(address).origin) ? address : null;
  } catch {
    return null;
  }
}
