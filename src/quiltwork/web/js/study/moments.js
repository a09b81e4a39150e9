// @ts-check
/** Your three moments: the costliest decisions, each to be found anew and then explained. */
import { html } from "../html.js";
import { signal } from "@preact/signals";
import { cancel } from "../selection.js";
import { tell } from "../store.js";
import { t, whyRefused } from "../words.js";
import { judge, moveName, percent, reasonOf, review } from "./judged.js";
import { goToNode, hands, mainLine, nameIn, putHandsAway, takeHands, tree } from "./tree.js";

const COUNT = 3;
/** a move that loses less than this is as good as the best */
const GOOD_ENOUGH = 0.03;

/**
 * The moment in sight: `node` is the move as it was played.
 * @type {import("@preact/signals").Signal<{index: number, node: number, state: "asked" | "judging" | "found" |
   "shown" | "missed", loss: number, played: string} | null>}
 */
export const moment = signal(null);

/** The moves to find anew: the reader's own, or in a record everybody's. */
export function momentNodes() {
  const now = tree.value;
  if (!now || !review.value?.summary) return [];
  const you = now.you.length === 1 ? now.you : [1, 2];
  return mainLine.value
    .filter((n) => you.includes(now.nodes[n].turn?.player) && now.nodes[n].turn.loss >= GOOD_ENOUGH)
    .sort((a, b) => now.nodes[b].turn.loss - now.nodes[a].turn.loss)
    .slice(0, COUNT);
}

/** @param {number} index */
export async function openMoment(index) {
  const node = momentNodes()[index];
  if (node === undefined) return closeMoment();
  moment.value = { index, node, state: "asked", loss: 0, played: "" };
  hands.value = true;
  await goToNode(/** @type {any} */ (tree.peek()).nodes[node].parent);
  await takeHands();
}

export function closeMoment() {
  moment.value = null;
  putHandsAway();
}

/** Takes the reader's move as an answer. @param {string} move */
export async function answer(move) {
  const now = moment.peek();
  const nodes = /** @type {any} */ (tree.peek()).nodes;
  if (!now) return;
  const { turn, parent } = nodes[now.node];
  moment.value = { ...now, state: "judging", played: move };
  try {
    const loss = move === turn.best ? 0 : move === turn.move
      ? turn.loss : (await judge(nodes[parent].snapshot.position, move)).loss;
    moment.value = { ...now, state: loss < GOOD_ENOUGH ? "found" : "missed", loss, played: move };
    cancel();
  } catch (error) {
    moment.value = { ...now, state: "asked" };
    tell(whyRefused(error), "warning");
  }
}

export function Moments() {
  const now = tree.value;
  const found = momentNodes();
  const open = moment.value;
  if (!now || !review.value) return null;
  if (!review.value.summary) return html`<p class="muted">${t("study.moments_wait")}</p>`;
  if (!found.length) return html`<p>${t("study.moments_none")}</p>`;
  if (!open)
    return html`
      <p>${t("study.moments_lead")}</p>
      <div class="moment-list">${found.map((n, i) => html`<button type="button" class="soft" key=${n}
        onClick=${() => openMoment(i)}>
        ${t("study.moment", { n: mainLine.value.indexOf(n), name: nameIn(now, now.nodes[n].turn.player) })} <b
          class=${`mark ${now.nodes[n].turn.label}`}>−${percent(now.nodes[n].turn.loss)}</b></button>`)}</div>`;
  const turn = now.nodes[open.node].turn;
  const done = open.state === "found" || open.state === "shown";
  return html`
    <div class="moment" aria-live="polite">
      <p><b>${t("study.moment_of", { n: open.index + 1, count: found.length })}
        </b> ${!done
        && t("study.find", { name: nameIn(now, turn.player), played: moveName(turn.move),
        percent: percent(turn.loss) })}</p>
      ${open.state === "judging" && html`<p class="muted">${t("study.judging")}</p>`}
      ${open.state === "missed" && html`<p
        class="wrong">${t("study.missed", { move: moveName(open.played), percent: percent(open.loss) })}</p>`}
      ${open.state === "found" && html`<p
        class="right">
        ${t(open.played === turn.best ? "study.found" : "study.found_other", { move: moveName(open.played) })}</p>`}
      ${done && html`<p>${t("study.best_was", { move: moveName(turn.best) })} ${reasonOf(turn)}</p>`}
      <div class="moment-buttons">
        ${!done && html`<button type="button" class="soft"
          onClick=${() => (moment.value = { ...open, state: "shown" })}>${t("study.reveal")}</button>`}
        ${open.index + 1 < found.length && html`<button type="button" class=${done ? "sew" : "soft"}
          onClick=${() => openMoment(open.index + 1)}>${t("study.next_moment")}</button>`}
        <button type="button" class="soft" onClick=${closeMoment}>${t("review.close")}</button>
      </div>
    </div>`;
}
