// @ts-check
/** What is said about the move in sight, and the list of all moves with their marks. */
import { html } from "../html.js";
import { useEffect, useRef } from "preact/hooks";
import { notation } from "../prefs.js";
import { view } from "../store.js";
import { describeMove, describeResult } from "../telling.js";
import { t } from "../words.js";
import { judge, moveName, percent, reasonOf, review } from "./judged.js";
import { at, goToNode, line, mainLine, markOf, nameIn, playFrom, refresh, tree } from "./tree.js";

/** Whether a label is one to look at. @param {any} turn */
export const isMarked = (turn) => ["inaccuracy", "mistake", "blunder"].includes(turn?.label);

/** The move in sight, what it cost and why. */
export function Verdict() {
  const now = tree.value;
  if (!now || !view.value) return null;
  const node = now.nodes[at.value];
  const turn = node.turn;
  if (!node.step) return html`<div class="verdict"><p>${node.comment || t("review.start")}</p></div>`;
  return html`
    <div class="verdict" aria-live="polite">
      <p><b>${describeMove(view.value, node.step)}
        </b> ${node.suffix || markOf(turn)} ${view.value.result ? describeResult(view.value) : ""}</p>
      ${turn && html`<${Cost} turn=${turn} />`}
      ${isMarked(turn) && html`<p class="reason">${reasonOf(turn)}</p>
        <button type="button" class="soft"
          onClick=${() => showBetter(turn)}>${t("study.show_better", { move: moveName(turn.best) })}</button>`}
      ${!turn && node.step.player > 0 && !review.value?.running && html`<button type="button" class="soft"
        onClick=${judgeHere}>${t("study.judge")}</button>`}
      ${node.comment && html`<p class="comment">${node.comment.replace(/\[%\w+[^\]]*\]/g, "").trim()}</p>`}
    </div>`;
}

/** @param {{turn: any}} props */
function Cost({ turn }) {
  if (turn.forced) return html`<p class="muted">${t("study.forced")}</p>`;
  if (!isMarked(turn)) return html`<p>${t(`study.label.${turn.label}`)}</p>`;
  const parts = turn.loss_what > 0 && turn.loss_where > 0
    ? t("study.split", { what: percent(turn.loss_what), where: percent(turn.loss_where) }) : turn.loss_where > 0
    ? t("study.where") : t("study.what");
  return html`<p><b
    class=${`label ${turn.label}`}>
    ${t(`study.label.${turn.label}`)}
    </b> ${t("study.lost", { percent: percent(turn.loss), points: turn.points_lost.toFixed(1) })} ${parts}</p>`;
}

/** Plays the better line as a variation and goes to its first move. @param {any} turn */
export async function showBetter(turn) {
  const node = /** @type {any} */ (tree.peek()).nodes[at.peek()];
  const last = await playFrom(node.parent, turn.better.length ? turn.better : [turn.best]);
  const nodes = /** @type {any} */ (tree.peek()).nodes;
  // The first move of the variation; what follows is a step away.
  let first = last;
  while (nodes[first].parent !== node.parent) first = nodes[first].parent;
  goToNode(first);
}

/** Has the move in sight judged on its own. */
async function judgeHere() {
  const nodes = /** @type {any} */ (tree.peek()).nodes;
  const node = nodes[at.peek()];
  const turn = await judge(nodes[node.parent].snapshot.position, node.move);
  node.turn = turn;
  node.value = turn.player === 1 ? [turn.win, turn.points] : [1 - turn.win, -turn.points];
  refresh();
}

/** The moves of the line in sight, with marks; variations stand behind the move that they replace. */
export function Moves() {
  const now = tree.value;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const here = /** @type {HTMLElement | null} */ (box.current?.querySelector(".here"));
    if (here && box.current) box.current.scrollTop = here.offsetTop - box.current.clientHeight / 2;
  }, [at.value]);
  if (!now || !view.value) return null;
  const steps = line.value.slice(1);
  return html`
    <ol class="study-moves" ref=${box} tabindex="0" aria-label=${t("list.open")}>
      ${steps.map((number) => {
        const node = now.nodes[number];
        const others = now.nodes[/** @type {number} */ (node.parent)].children.filter((n) => n !== number);
        return html`<li key=${number}>
          ${button(number)}
          ${others.length > 0 && html`<span class="others">${others.map((n) => button(n))}</span>`}
        </li>`;
      })}
    </ol>`;

  /** @param {number} number */
  function button(number) {
    const node = /** @type {any} */ (now).nodes[number];
    const mark = node.suffix || markOf(node.turn);
    return html`<button type="button" key=${number}
      class=${`study-move player-${node.step.player} ${number === at.value ? "here" : ""}`}
      aria-current=${number === at.value ? "step" : undefined} onClick=${() => goToNode(number)}>
      <span>${notation.value ? node.move : moveName(node.move)}</span>${mark && html`<b
        class=${`mark ${node.turn?.label ?? ""}`}>${mark}</b>`}
      ${isMarked(node.turn) && html`<small>−${percent(node.turn.loss)}</small>`}</button>`;
  }
}

/** Both players' accuracy and losses. */
export function Summary() {
  const now = tree.value;
  const found = review.value;
  if (!now || !found) return null;
  const total = mainLine.value.length - 1;
  if (!found.summary) return html`<p class="review-progress"><progress max=${total}
    value=${found.done}></progress> ${t("study.reviewing", { done: found.done, total })}</p>`;
  return html`
    <table class="study-summary">
      <thead><tr><th scope="col"><span
        class="unseen">${t("setup.turn")}</span></th><th scope="col">${t("study.accuracy")}</th>
        <th scope="col">${t("study.mean_loss")}</th>
        <th scope="col">${t("study.mean_what")}</th><th scope="col">${t("study.mean_where")}</th></tr></thead>
      <tbody>${found.summary.players.map((/** @type {any} */ p, /** @type {number} */ i) => html`<tr
        key=${i}><th scope="row">${nameIn(now, i + 1)}</th>
        <td>${p.accuracy === null ? "–" : Math.round(p.accuracy)}</td>
        <td>${tenths(p.loss)}</td><td>${tenths(p.loss_what)}</td><td>${tenths(p.loss_where)}</td></tr>`)}</tbody>
    </table>
    <${Course} found=${found.summary} />`;
}

/** Where the game was lost, or that it never was to be won; and the luck of the deal. @param {{found: any}} props */
function Course({ found: { turning_point: point, chance, luck } }) {
  const now = /** @type {import("./tree.js").Tree} */ (tree.value);
  const figures = chance && { n: chance.ply + 1, name: nameIn(now, chance.player), percent: percent(chance.win) };
  return html`
    ${chance && html`<p class="muted">${t(point === null ? "study.never_ahead" : "study.could_win", figures)}</p>`}
    ${luck !== null && html`<p class="muted">
      ${t("study.luck", { name: nameIn(now, luck < 0 ? 2 : 1), percent: percent(Math.abs(luck)) })}</p>`}
    ${point !== null && html`<button type="button" class="soft"
      onClick=${() => goToNode(mainLine.peek()[point + 1])}>
      ${t("study.turning_point", { n: point + 1 })}</button>`}`;
}

/** A share, or nothing of a player who had no choice. @param {number | null} share */
const tenths = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);
