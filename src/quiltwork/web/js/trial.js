// @ts-check
/** Any patch of the circle may be tried on a quilt, at any time: would it fit? The server is asked where. */
import { ask } from "./api.js";
import { nearPlayer } from "./near.js";
import { choose, options, selection, trial } from "./selection.js";
import { tell, view } from "./store.js";
import { link } from "./table.js";
import { whyRefused } from "./words.js";

/** Takes a patch in hand, to be laid if the rules allow it now, otherwise only to be looked at. @param {string} code */
export async function take(code) {
  const now = view.peek();
  const legal = now.choices.find((/** @type {any} */ c) => c.code === code)?.legal;
  if (options.peek() && legal) return choose(code);
  if (now.imported || now.phase === "over") return false;
  trial.value = null;
  try {
    const player = nearPlayer();
    const found = await ask(`game/places?patch=${code}&player=${player}`, { token: link.peek()?.token });
    if (view.peek()?.game !== now.game) return false;
    const fits = Object.values(found.places).some((/** @type {number[]} */ cells) => cells.length > 0);
    trial.value = { ...found, fits, missing: 0, take: false };
    selection.value = null;
    return fits && choose(code);
  } catch (error) {
    tell(whyRefused(error), "warning");
    return false;
  }
}
