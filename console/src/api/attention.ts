/**
 * Whether somebody is at the browser. Requests that the page makes by itself say if nobody is, so
 * that an open page does not keep the session of a user who has left.
 */
const WITHIN = 60_000;
const INPUTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

// Somebody has opened the page.
let lastInput = Date.now();
for (const name of INPUTS) {
  const options = { capture: true, passive: true };
  window.addEventListener(name, () => (lastInput = Date.now()), options);
}

export const isAttended = () => Date.now() - lastInput < WITHIN;
