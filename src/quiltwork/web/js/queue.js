// @ts-check
/** What happens at the table is shown in turn: each state, and each scene, waits for the one before. */
import { hurry } from "./motion.js";

/** @type {Promise<unknown>} */
let last = Promise.resolve();
/** whose moves are still to be shown, 0 for what is no move; the first is being shown @type {number[]} */
const movers = [];

/** Does something when all that came before has been shown. @param {() => unknown} work @param {number} [mover] */
export function inTurn(work, mover = 0) {
  movers.push(mover);
  const done = last.then(work);
  last = done.catch(() => undefined).then(() => movers.shift());
  return done;
}

/** Whose move waits for the end of what is shown now; 0 if none does. */
export const nextMover = () => movers.slice(1).find(Boolean) ?? 0;

/** Shows at once whatever is still to be shown. */
export async function catchUp() {
  while (movers.length > 0) {
    hurry();
    await new Promise((done) => setTimeout(done));
  }
}
