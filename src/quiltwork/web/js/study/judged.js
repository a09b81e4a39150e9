// @ts-check
/** The review: what each move cost, as the server finds it. */
import { signal } from "@preact/signals";
import { ask } from "../api.js";
import { tell } from "../store.js";
import { readPlaced } from "../shapes.js";
import { capital, patchName, t, whyRefused } from "../words.js";
import { mainLine, refresh, tree } from "./tree.js";
import { stream } from "./stream.js";

/**
 * @type {import("@preact/signals").Signal<{running: boolean, done: number, summary: any} | null>}
 */
export const review = signal(null);
let stopping = new AbortController();

/** Begins to follow the review of the game, or comes back to it. */
export async function startReview() {
  const now = tree.peek();
  if (!now || review.peek()?.running || mainLine.peek().length < 2) return;
  stopping = new AbortController();
  const signal = stopping.signal;
  review.value = { running: true, done: 0, summary: null };
  try {
    const request = now.token ? { token: now.token, signal } : { body: { record: now.record }, signal };
    await stream(now.token
      ? "game/review" : "study/review", request, (event) => tree.peek()?.record === now.record && take(event));
    if (!signal.aborted && review.peek()) review.value = { .../** @type {any} */ (review.peek()), running: false };
  } catch (error) {
    review.value = null;
    tell(whyRefused(error), "warning");
  }
}

/** Stops listening; the server goes on and keeps what it finds. */
export function leaveReview() {
  stopping.abort();
  review.value = null;
}

/** @param {any} event */
function take(event) {
  const main = mainLine.peek();
  const nodes = /** @type {any} */ (tree.peek()).nodes;
  const now = /** @type {any} */ (review.peek());
  if (event.type === "curve") event.values.forEach((/** @type {any} */ value,
    /** @type {number} */ i) => main[i] !== undefined && (nodes[main[i]].value = value));
  if (event.type === "turn") {
    const node = nodes[main[event.ply + 1]];
    node.turn = event;
    node.value = event.player === 1 ? [event.win, event.points] : [1 - event.win, -event.points];
  }
  if (event.type === "turn" || event.type === "luck") review.value = { ...now, done: now.done + 1 };
  if (event.type === "done") review.value = { ...now, summary: event };
  refresh();
}

/** Judges a move in a position. @param {string} position @param {string} move */
export const judge = (position, move) => ask("study/judgement", { method: "POST", body: { position, move } });

/** What a move does, in a few words. @param {string} move */
export function moveName(move) {
  const placed = readPlaced(move);
  if (move.startsWith("+")) return t("study.advance");
  if (move.startsWith("=")) return t("study.deal");
  if (move === "s@-") return t("bar.remove");
  return capital(patchName(placed ? placed.code : move));
}

/** Why a move was worse, in the words of the edition. @param {any} turn */
export function reasonOf(turn) {
  if (!turn.reason) return t(turn.loss_what > 0
    ? "study.no_reason" : "study.no_reason_where", { move: moveName(turn.best) });
  return sayReason(turn.reason);
}

/** A reason in the words of the edition. @param {{key: string, figures: Record<string, any>}} reason */
export function sayReason({ key, figures: { patch, ...figures } }) {
  return t(`reason.${key}`, { ...figures, ...(patch ? { patch: patchName(patch) } : {}) });
}

/** A share as a figure of percent. @param {number} share */
export const percent = (share) => `${Math.round(100 * share)} %`;
