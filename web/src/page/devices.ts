/** Which device this is, and whether another one continues in its place. */
import { boot } from "./boot";

const KEY = `acredita:${boot.verificationId}:away`;

const SMALLEST_COMPUTER = 600;

/** A mouse and a large screen: a computer. Phones take better pictures of documents. */
export const isComputer =
  matchMedia("(any-pointer: fine) and (hover: hover)").matches &&
  Math.min(screen.width, screen.height) >= SMALLEST_COMPUTER;

export async function hasCamera(): Promise<boolean> {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.some((device) => device.kind === "videoinput");
  } catch {
    return false;
  }
}

/** Whether this tab handed over, also after a reload; null until the person has chosen a device. */
export let isAway: boolean | null = stored();

export function setAway(away: boolean): void {
  isAway = away;
  try {
    sessionStorage.setItem(KEY, away ? "1" : "0");
  } catch {
    // Without storage, a reload forgets it, and the person continues here.
  }
}

function stored(): boolean | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    return kept === null ? null : kept === "1";
  } catch {
    return null;
  }
}
