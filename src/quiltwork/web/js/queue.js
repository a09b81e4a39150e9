// @ts-check
/** What happens at the table is shown in turn: each state, and each scene, waits for the one before. */
import { hurry } from "./motion.js";

/** @type {Promise<unknown>} */
let last = Promise.resolve();
let waiting = 0;

/** Does something when all that came before has been shown. @param {() => unknown} work */
export function inTurn(work) {
  waiting += 1;
  const done = last.then(work);
  last = done.catch(() => undefined).then(() => (waiting -= 1));
  return done;
}

/** Shows at once whatever is still to be shown. */
export async function catchUp() {
  while (waiting > 0) {
    hurry();
    await new Promise((done) => setTimeout(done));
  }
}
