/**
 * The proof that this browser may continue the verification: a session's token, or that of a link,
 * which is exchanged for one. It arrives in the URL's fragment, which browsers do not send, and is
 * stored only for this tab, so that neither the history nor the address bar shows it.
 */
import { boot } from "./boot";

const KEY = `acredita:${boot.verificationId}`;
const IS_LINK = /^cl_/;

interface Arrival {
  token: string;
  /** The token of the link, which opens another session when this one ends. */
  link: string;
  returnTo: string | null;
}

function arrive(): Arrival {
  const given = new URLSearchParams(`token=${location.hash.slice(1)}`);
  const token = given.get("token") ?? "";
  if (!token) return remembered() ?? { token: "", link: "", returnTo: null };
  const isLink = IS_LINK.test(token);
  const arrival = {
    token: isLink ? "" : token,
    link: isLink ? token : "",
    returnTo: given.get("return"),
  };
  if (keep(arrival)) history.replaceState(null, "", location.pathname + location.search);
  return arrival;
}

/** Return whether the browser has storage. Without it the fragment stays, for a reload. */
function keep(arrival: Arrival): boolean {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(arrival));
    return true;
  } catch {
    return false;
  }
}

function remembered(): Arrival | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Arrival | null;
  } catch {
    return null;
  }
}

const arrival = arrive();

export let token = arrival.token;

/** The token of the link; empty if the page was not opened with one. */
export const link = arrival.link ?? "";

/** Where a full page goes back to: only to an allowed origin of the organization. */
export let returnTo = known(arrival.returnTo);

/** Remember the session that the link opened. */
export function enter(session: { token: string; returnUrl: string | null }): void {
  token = session.token;
  returnTo = known(session.returnUrl);
  keep({ token, link, returnTo });
}

function known(address: string | null): string | null {
  try {
    return address && boot.embedders.includes(new URL(address).origin) ? address : null;
  } catch {
    return null;
  }
}
