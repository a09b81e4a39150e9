// @ts-check
/** The table: joins a game, keeps its state, and sends what the player decides. */
import { signal } from "@preact/signals";
import { Link } from "./link.js";
import { forgetGame, playerName } from "./prefs.js";
import { cancel, moveText, ready, selection, sewing, typeMove } from "./selection.js";
import { goTo, remember, say, showEdition, tell, view, wide } from "./store.js";
import { celebrate } from "./motion.js";
import { reviewed } from "./review.js";
import { describeHint, describeMove, describeTurn } from "./telling.js";
import { whyRefused } from "./words.js";

/** @type {import("@preact/signals").Signal<Link | null>} */
export const link = signal(null);
/** the hint on the table @type {import("@preact/signals").Signal<any>} */
export const hint = signal(null);
export const hinting = signal(false);

/** Where the last message is being taken in: each state brings only the moves since the one before. */
let arriving = Promise.resolve();

/** Sits down at the table of a token. @param {string} token */
export function join(token) {
  const now = link.peek();
  if (now?.token === token) return;
  if (now) leave(now.token);
  link.value = new Link(token, (message) => receive(token, message));
}

/** Gets up from the table of a token, unless another was joined already. @param {string} token */
export function leave(token) {
  if (link.peek()?.token !== token) return;
  link.peek()?.close();
  link.value = null;
  reviewed.value = null;
  view.value = null;
  selection.value = null;
  hint.value = null;
}

/** @param {string} token @param {any} message */
function receive(token, message) {
  if (message.type === "state") {
    arriving = arriving
      .then(() => showEdition(message.edition, message.theme))
      .then(() => {
        if (link.peek()?.token === token) update(token, message);
      })
      .catch((error) => tell(whyRefused(error), "warning"));
  } else if (message.type === "presence") {
    const now = view.peek();
    if (now) view.value = { ...now, seats: message.seats, watchers: message.watchers };
  } else if (message.type === "refused" && message.code === "unknown-token") {
    forgetGame(token);
  }
}

/** @param {string} token @param {any} state */
function update(token, state) {
  const looking = reviewed.peek();
  const old = looking?.live ?? view.peek();
  const kept = old?.game === state.game ? old.moves.slice(0, state.moves_from) : [];
  const next = { ...state, moves: [...kept, ...state.moves], received: Date.now() };
  const fresh = old?.game === state.game && next.moves.length > old.moves.length ? next.moves.slice(old.moves.length) : [];
  const moved = !old || old.game !== state.game || old.position !== state.position;
  remember(token, next);
  if (looking) {
    // Who looks back is not disturbed; the present waits.
    reviewed.value = { ...looking, live: next };
    return;
  }
  view.value = next;
  if (moved) {
    // The new position is the answer, though its acknowledgement may still be on its way.
    sewing.value = false;
    selection.value = null;
    hint.value = null;
    if (next.options) cancel();
    say([...fresh.map((/** @type {any} */ m) => describeMove(next, m)), describeTurn(next)].join(" "));
    celebrate(next, fresh);
  } else if (!next.options) {
    selection.value = null;
  }
  introduce(next);
  if (next.rematch && !old?.rematch && old?.game === state.game) goTo(`game/${next.rematch}`);
}

/** A friend who came by link is called as this device's owner wants. @param {any} state */
function introduce(state) {
  const seat = state.you.length === 1 ? state.seats[state.you[0] - 1] : null;
  if (seat?.remote && !seat.named && playerName.peek().trim()) link.peek()?.send("name", state.version, { name: playerName.peek().trim() });
}

/** @param {string} type @param {object} [more] */
export async function send(type, more) {
  const now = link.peek();
  if (!now || !view.peek()) return null;
  const answer = await now.send(type, view.peek().version, more);
  if (answer.type === "refused") tell(whyRefused(answer), "warning");
  return answer;
}

let sewn = 0;

/** Sews: sends the selected move. */
export async function sew() {
  const chosen = selection.peek();
  if (!chosen || !ready.peek() || sewing.peek()) return;
  const mine = ++sewn;
  sewing.value = true;
  try {
    await send("move", { move: moveText(chosen) });
  } finally {
    if (mine === sewn) sewing.value = false;
  }
}

/** Asks the engine for a move and shows it, unsewn. */
export async function askHint() {
  if (hinting.peek()) return;
  hinting.value = true;
  try {
    const answer = await send("hint");
    if (answer?.type === "hint" && answer.position === view.peek()?.position) {
      hint.value = answer.hint;
      typeMove(answer.move);
      const sentence = answer.hint ? describeHint(answer.hint) : answer.move;
      if (wide.peek()) say(sentence);
      else tell(sentence);
    }
  } finally {
    hinting.value = false;
  }
}
