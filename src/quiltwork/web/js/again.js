// @ts-check
/** Shows the other's last moves again. */
import { ask } from "./api.js";
import { catchUp, inTurn } from "./queue.js";
import { reviewed } from "./review.js";
import { moverOf, playScene } from "./scene.js";
import { tell, view } from "./store.js";
import { whyRefused } from "./words.js";

/** @typedef {{before: any, after: any, moves: any[]}} Seen */
/** the scenes of the last moves that were not the viewer's own @type {Seen[]} */
let seen = [];

/** Keeps a scene for those who want to see it again. @param {Seen} scene */
export function noteScene(scene) {
  const player = moverOf(scene.moves);
  if (!player || isOwn(scene.after, player)) return;
  const last = seen.at(-1);
  const goesOn = last && last.after.position === scene.before.position && last.moves.some((m) => m.player === player);
  seen = goesOn ? [...seen, scene] : [scene];
}

export function forgetScenes() {
  seen = [];
}

/** @param {any} now @param {number} player */
const isOwn = (now, player) => now.you.length === 1 && now.you[0] === player;

/** Whether there is a move to see again. */
export function canShowAgain() {
  const now = view.value;
  if (!now) return false;
  if (reviewed.value) return reviewed.value.ply > 0;
  return now.moves.some((/** @type {any} */ m) => m.player && !isOwn(now, m.player));
}

export async function showAgain() {
  if (!canShowAgain()) return;
  await catchUp();
  try {
    const scenes = await lastScenes();
    await inTurn(async () => {
      const now = view.peek();
      const quiet = { options: null, thinking: false, result: null };
      for (const [i, { before, after, moves }] of scenes.entries()) {
        view.value = { ...now, ...onTable(before), ...quiet };
        const show = () => (view.value = { ...now, ...onTable(after), ...quiet });
        const next = () => moverOf(scenes[i + 1]?.moves ?? []);
        await playScene(view.peek(), now, moves, show, { next, whole: true });
      }
      view.value = now;
    });
  } catch (error) {
    tell(whyRefused(error), "warning");
  }
}

const LYING = [
  "position",
  "turn",
  "phase",
  "why",
  "players",
  "tile",
  "circle",
  "reserve",
  "held",
  "pending",
  "special_patch_spaces",
  "choices",
  "ring",
];

/** What of a state lies on the table. @param {any} state */
const onTable = (state) => Object.fromEntries(LYING.filter((name) => name in state).map((name) => [name, state[name]]));

/** @returns {Promise<Seen[]>} */
async function lastScenes() {
  const looking = reviewed.peek();
  if (looking) return [sceneAt(looking.history, looking.ply - 1)];
  const now = view.peek();
  if (seen.length && now.moves.length >= seen.length && now.game === seen[0].after.game) return seen;
  const { link } = await import("./table.js");
  const history = await ask("game/history", { token: link.peek()?.token });
  /** @type {Seen[]} */
  const found = [];
  const others = (/** @type {any} */ m) => m.player && !isOwn(now, m.player);
  const last = history.moves.findLastIndex(others);
  const player = history.moves[last]?.player;
  for (let ply = last; ply >= 0 && [player, 0].includes(history.moves[ply].player); ply -= 1)
    found.unshift(sceneAt(history, ply));
  return found;
}

/** @param {any} history @param {number} ply @returns {Seen} */
const sceneAt = ({ snapshots, moves }, ply) => ({
  before: snapshots[ply],
  after: snapshots[ply + 1],
  moves: [moves[ply]],
});
