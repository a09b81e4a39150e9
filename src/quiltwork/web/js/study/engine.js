// @ts-check
/** The engine beside the board: on or off, with its lines for the position in sight. */
import { html } from "../html.js";
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { notation } from "../prefs.js";
import { tell } from "../store.js";
import { t, whyRefused } from "../words.js";
import { moveName, percent } from "./judged.js";
import { at, goToNode, playFrom, refresh, tree } from "./tree.js";
import { stream } from "./stream.js";

const LINES = 3;
const SECONDS = 30;

export const thinking = signal(false);
/** @type {import("@preact/signals").Signal<{node: number, told: any} | null>} */
export const told = signal(null);

/** Thinks about the position in sight while this is on the page. */
function follow() {
  let stopping = new AbortController();
  const stop = effect(() => {
    const number = at.value;
    const on = thinking.value;
    stopping.abort();
    if (!on) return;
    stopping = new AbortController();
    const node = tree.peek()?.nodes[number];
    if (!node || ["over", "deal"].includes(node.snapshot.phase)) {
      told.value = null;
      return;
    }
    const signal = stopping.signal;
    stream("study/analysis", { body: { position: node.snapshot.position, lines: LINES, seconds: SECONDS }, signal },
      (event) => {
      if (signal.aborted) return;
      told.value = { node: number, told: event };
      const sign = event.turn === 1;
      node.value = [sign ? event.win : 1 - event.win, sign ? event.points : -event.points];
    })
      .then(() => !signal.aborted && refresh())
      .catch((error) => {
        thinking.value = false;
        tell(whyRefused(error), "warning");
      });
  });
  return () => {
    stop();
    stopping.abort();
    thinking.value = false;
    told.value = null;
  };
}

export function Engine() {
  useEffect(follow, []);
  const found = told.value?.node === at.value ? told.value.told : null;
  return html`
    <section class="engine" aria-label=${t("study.engine")}>
      <button type="button" class=${`soft ${thinking.value ? "on" : ""}`} aria-pressed=${thinking.value}
        onClick=${() => (thinking.value = !thinking.value)}>
        ${t(thinking.value ? "study.engine_stop" : "study.engine_start")}</button>
      ${thinking.value && !found && html`<p class="muted">${t("study.judging")}</p>`}
      ${found && html`
        <p class="muted">
          ${found.exact ? t("study.exact") : t("study.simulations", { count: found.simulations.toLocaleString() })}</p>
        <ol class="lines">${found.moves.map((/** @type {any} */ move) => html`<li key=${move.move}>
          <button type="button" class="soft"
            onClick=${async () => goToNode(await playFrom(at.peek(), [move.move]))}>
            <b>${percent(move.win)}</b> <span>
            ${move.points > 0 ? "+" : ""}${move.points.toFixed(1).replace("-", "−")}</span> <span>
            ${named(move.move)}</span></button>
          <button type="button" class="plain"
            onClick=${() => playFrom(at.peek(), move.line)} title=${t("study.keep_line")}>
            ${move.line.slice(1, 6).map(named).join(" · ") || t("study.keep_line")}</button></li>`)}</ol>`}
    </section>`;
}

/** @param {string} move */
const named = (move) => (notation.value ? move : moveName(move));
