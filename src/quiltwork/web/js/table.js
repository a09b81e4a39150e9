// @ts-check
/** The table: joins a game, keeps its state, and sends what the player decides. */
import { signal } from "@preact/signals";
import { approved } from "./coach.js";
import { noteResult } from "./ladder.js";
import { Link, newKey } from "./link.js";
import { forgetGame, keepSeat, playerName, seatOf } from "./prefs.js";
import { cancel, moveText, ready, selection, sewing, staysOnTrial, trial, typeMove } from "./selection.js";
import { goTo, say, showEdition, tell, view } from "./store.js";
import { remember } from "./games.js";
import { forgetScenes, noteScene } from "./again.js";
import { catchUp, inTurn, nextMover } from "./queue.js";
import { consider } from "./remarks.js";
import { reviewed } from "./review.js";
import { ended, moverOf, playScene, staying } from "./scene.js";
import { passage, pause } from "./watching.js";
import { describeHint, describeMove, describeTurn } from "./telling.js";
import { whyRefused } from "./words.js";

/** @type {import("@preact/signals").Signal<Link | null>} */
export const link = signal(null);
/** the hint on the table @type {import("@preact/signals").Signal<any>} */
export const hint = signal(null);
export const hinting = signal(false);

const INVITATION = /\.\d+i\./;

/** Sits down at the table of a token; the seat of an invitation is taken, once. @param {string} token */
export function join(token) {
  const now = link.peek();
  if (now?.token === token) return;
  if (now) leave(now.token);
  forgetScenes();
  const seat = INVITATION.test(token) ? seatOf(token) ?? keepSeat({ invitation: token, key: newKey() }) : undefined;
  if (seat?.token) moveTo(seat.token);
  else link.value = new Link(token, (message) => receive(token, message), seat?.key);
}

/** Puts a seat of one's own in the place of its invitation. @param {string} token */
function moveTo(token) {
  location.replace(`#/game/${token}`);
}

/** Gets up from the table of a token, unless another was joined already. @param {string} token */
export function leave(token) {
  if (link.peek()?.token !== token) return;
  link.peek()?.close();
  link.value = null;
  pause(false);
  catchUp();
  reviewed.value = null;
  staying.value = 0;
  view.value = /** @type {any} */ (null);
  selection.value = trial.value = null;
  hint.value = null;
}

/** @param {string} token @param {any} message */
function receive(token, message) {
  if (message.type === "state") {
    const received = Date.now();
    inTurn(async () => {
      await showEdition(message.edition, message.theme);
      if (message.moves.length) await passage();
      if (link.peek()?.token === token) await update(token, { ...message, received });
    }, moverOf(message.moves)).catch((error) => tell(whyRefused(error), "warning"));
  } else if (message.type === "presence") {
    inTurn(() => {
      const now = view.peek();
      if (now) view.value = { ...now, seats: message.seats, watchers: message.watchers };
    });
  } else if (message.type === "wait") {
    inTurn(() => {
      const now = view.peek();
      if (now) view.value = { ...now, wait: message.seconds || null };
    });
  } else if (message.type === "seat") {
    const seat = seatOf(token);
    if (seat) keepSeat({ ...seat, token: message.token });
    moveTo(message.token);
  } else if (message.type === "refused" && (message.code === "unknown-token" || message.code === "seat-moved")) {
    forgetGame(token);
  }
}

/** @param {string} token @param {any} state */
async function update(token, state) {
  const looking = reviewed.peek();
  const old = looking?.live ?? view.peek();
  const kept = old?.game === state.game ? old.moves.slice(0, state.moves_from) : [];
  const next = { ...state, moves: [...kept, ...state.moves] };
  const fresh =
    old?.game === state.game && next.moves.length > old.moves.length ? next.moves.slice(old.moves.length) : [];
  const moved = !old || old.game !== state.game || old.position !== state.position;
  remember(token, next);
  if (looking) {
    // Who looks back is not disturbed; the present waits.
    reviewed.value = { ...looking, live: next };
    return;
  }
  const show = () => {
    if (link.peek()?.token !== token) return;
    const looking = reviewed.peek();
    if (looking) {
      reviewed.value = { ...looking, live: next };
      return;
    }
    view.value = next;
    if (moved) {
      // The new position is the answer, though its acknowledgement may still be on its way.
      sewing.value = false;
      if (!staysOnTrial(old, next)) selection.value = trial.value = null;
      hint.value = null;
      if (next.options) cancel();
      say([...fresh.map((/** @type {any} */ m) => describeMove(next, m)), describeTurn(next)].join(" "));
    } else if (!next.options && !trial.peek()) {
      selection.value = null;
    }
    if (next.result && fresh.length) ended.value = next.game;
    if (next.result && old?.game === next.game && !old.result) noteResult(next);
  };
  if (fresh.length) {
    consider(old, next, fresh[0]);
    noteScene({ before: old, after: next, moves: fresh });
    await playScene(old, next, fresh, show, { next: nextMover });
  } else show();
  introduce(next);
  if (next.rematch && !old?.rematch && old?.game === state.game) goTo(`game/${next.rematch}`);
}

/** A friend who came by link is called as this device's owner wants. @param {any} state */
function introduce(state) {
  const seat = state.you.length === 1 ? state.seats[state.you[0] - 1] : null;
  if (seat?.remote && !seat.named && playerName.peek().trim())
    link.peek()?.send("name", state.version, { name: playerName.peek().trim() });
}

/** @param {string} type @param {object} [more] */
export async function send(type, more) {
  const now = link.peek();
  if (!now || !view.peek()) return null;
  await catchUp();
  if (link.peek() !== now || !view.peek()) return null;
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
    const move = moveText(chosen);
    if (await approved(move)) await send("move", { move });
  } finally {
    if (mine === sewn) sewing.value = false;
  }
}

/** A special patch that was just won is not laid by the second tap of a quick finger. */
const SECOND_TAP = 700;
let tapped = -SECOND_TAP;

/** The button under the thumb. */
export function tapSew() {
  const chosen = selection.peek();
  const before = tapped;
  tapped = performance.now();
  if (chosen?.kind === "lay" && chosen.code === "s" && tapped - before < SECOND_TAP) return;
  sew();
}

/** Asks the engine for a move and shows it, unsewn. */
export async function askHint() {
  if (hinting.peek()) return;
  hinting.value = true;
  try {
    const answer = await send("hint");
    if (answer?.type === "hint" && answer.position === view.peek()?.position) {
      typeMove(answer.move);
      hint.value = answer.hint && { ...answer.hint, move: answer.move };
      if (answer.hint) say(describeHint(answer.hint));
    }
  } finally {
    hinting.value = false;
  }
}
