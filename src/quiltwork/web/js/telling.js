// @ts-check
/** Sentences about moves, turns and results. */
import { notation } from "./prefs.js";
import { readPlaced } from "./shapes.js";
import { capital, number, patchName, signed, t } from "./words.js";

/** @param {any} view @param {number} player */
export function nameOf(view, player) {
  const seat = view.seats[player - 1];
  if (view.you.length === 1 && view.you[0] === player) return t("you");
  return seat.name ?? t("new.player", { n: player });
}

/** @param {any} view @param {number} player */
const isYou = (view, player) => view.you.length === 1 && view.you[0] === player;

/** The key for you or for somebody else. @param {any} view @param {number} player @param {string} key */
export const person = (view, player, key) => (isYou(view, player) ? `${key}.you` : `${key}.other`);

/** Who plays against whom. @param {any} view @returns {string} */
export function describePlayers(view) {
  const you = view.you.length === 1 ? view.you[0] : 0;
  if (you) return t("game.heading.you", { name: nameOf(view, 3 - you) });
  return t("game.heading", { one: nameOf(view, 1), two: nameOf(view, 2) });
}

/** Who moves, and why. @param {any} view @returns {string} */
export function describeTurn(view) {
  if (view.result) return describeResult(view);
  const player = view.turn;
  const name = nameOf(view, player);
  const other = nameOf(view, 3 - player);
  const count = view.why === "behind" ? view.players[player - 1].ahead.other : view.pending;
  return t(person(view, player, `turn.${view.why}`), { name, other, count });
}

/** @param {any} view @returns {string} */
export function describeResult(view) {
  const { winner, by, scores } = view.result;
  const name = nameOf(view, winner);
  const loser = nameOf(view, 3 - winner);
  const points = { a: number(scores[winner - 1]), b: number(scores[2 - winner]), name, loser };
  if (by === "score") return t(person(view, winner, scores[0] === scores[1] ? "won.tie" : "won.score"), points);
  return t(person(view, winner, `won.${by}`), points);
}

/** What a made move was, with what it brought. @param {any} view @param {any} made @returns {string} */
export function describeMove(view, made) {
  const name = made.player ? nameOf(view, made.player) : "";
  const parts = [];
  if (made.move.startsWith("=")) return t("did.deal");
  const placed = readPlaced(made.move);
  if (made.move.startsWith("+"))
    parts.push(t(person(view, made.player, "did.advance"), { name, n: made.to - made.from }));
  else if (made.move === "s@-") parts.push(t(person(view, made.player, "did.remove"), { name }));
  else if (placed?.code === "s")
    parts.push(t(person(view, made.player, "did.special"), { name }));
  else if (placed)
    parts.push(t(person(view, made.player, "did.patch"), { name, patch: patchName(placed.code) }));
  else parts.push(t(person(view, made.player, "did.take"), { name, patch: patchName(made.move) }));
  if (notation.value) parts.push(`[${made.move}]`);
  if (made.income) parts.push(t("did.income", { count: made.income }));
  if (made.specials) parts.push(t("did.specials", { count: made.specials }));
  if (made.tile) parts.push(t("did.tile"));
  return parts.join(" ");
}

/** The moves of whoever moved last, up to now. @param {any} view @returns {any[]} */
export function latestMoves(view) {
  const made = view.moves.slice(0, view.ply ?? view.moves.length);
  const last = made.findLast((/** @type {any} */ m) => m.player)?.player;
  const before = made.findLastIndex((/** @type {any} */ m) => m.player && m.player !== last);
  return made.slice(before + 1);
}

/** The short sentences of a preview. @param {any} view @param {any} preview */
export function describePreview(view, preview) {
  const mover = view.turn;
  const parts = [];
  if (preview.income) parts.push({ key: "income", text: t("preview.income", { count: preview.income }) });
  if (preview.specials) parts.push({ key: "special", text: t("preview.special", { count: preview.specials }) });
  if (preview.tile) parts.push({ key: "tile", text: t("preview.tile", { points: preview.tile }) });
  if (preview.reserve) parts.push({ key: "reserve", text: t("preview.reserve") });
  if (preview.ends) parts.push({ key: "next", text: t("preview.ends") });
  else if (preview.next) {
    const name = nameOf(view, preview.next);
    const other = nameOf(view, 3 - mover);
    const again = preview.next === mover;
    const key = again ? `preview.again.${preview.next_why}` : "preview.next";
    parts.push({
      key: "next",
      text: t(again ? person(view, mover, key) : person(view, preview.next, key), { name, other }),
    });
  }
  return parts.map(({ key: part, text }) => ({ key: part, text: capital(text) }));
}

/** Who may choose after a move. @param {any} view @param {any} preview @returns {string} */
export const describeChoices = (view, { next }) =>
  t(person(view, next, "preview.choices"), { name: nameOf(view, next) });

/** What the engine would do, and why. @param {{what: any, why: any[], sure: any[]}} hint @returns {string} */
export function describeHint({ what, why, sure }) {
  const said = (/** @type {any} */ part) => t(`hint.${part.key}`, inWords(part.figures));
  return t("hint.sentence", {
    what: said(what),
    why: joined(why.map(said)),
    sure: sure.map((part) => capital(said(part))).join(". "),
  });
}

/**
 * Reasons in a row; the subject of two is said once: "it earns 3 buttons and covers 5 spaces".
 * @param {string[]} reasons
 */
function joined(reasons) {
  return reasons.reduce((text, reason, i) => {
    const subject = reason.slice(0, reason.indexOf(" ") + 1);
    return reasons[i - 1].startsWith(subject)
      ? text + t("hint.and") + reason.slice(subject.length)
      : text + t("hint.also") + reason;
  });
}

/** The figures of a part of a hint, with patches by name. @param {Record<string, any>} figures */
function inWords({ patch, move, ...figures }) {
  const placed = move && readPlaced(move);
  const named = placed
    ? patchName(placed.code)
    : move?.startsWith("+")
      ? t("hint.to_advance")
      : move === "s@-"
        ? t("hint.to_remove")
        : patchName(move ?? "");
  return { ...figures, ...(patch ? { patch: patchName(patch) } : {}), move: named };
}

/** A clock's time. @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left >= 86400) return t("clock.days", { count: Math.floor(left / 86400) });
  if (left >= 3600) return t("clock.hours", { count: Math.floor(left / 3600) });
  const whole = left < 10 ? left.toFixed(1) : String(Math.floor(left));
  const minutes = Math.floor(left / 60);
  return left < 10 ? `0:0${whole}` : `${minutes}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
}

export { signed };
