// @ts-check
/** The study: a board with a tree of moves, a review with its curve, moments to find anew, and the engine. */
import { html } from "../html.js";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "../api.js";
import { Icon } from "../art.js";
import { Choices, Strip } from "../circle.js";
import { ActionBar, PlayerLine } from "../controls.js";
import { Carried } from "../drag.js";
import { WorkQuilt } from "../game.js";
import { onKeyDown } from "../keys.js";
import { lastChoice, seatOf } from "../prefs.js";
import { Preview } from "../preview.js";
import { selection } from "../selection.js";
import { edition, goTo, tell, view, wide } from "../store.js";
import { TimeBoard } from "../track.js";
import { t, whyRefused } from "../words.js";
import { leaveBoard, takeBoard } from "./board.js";
import { Curve } from "./curve.js";
import { draft, layInDraft, openDraft } from "./draft.js";
import { Engine } from "./engine.js";
import { leaveReview, review, startReview } from "./judged.js";
import { Marks } from "./marks.js";
import { answer, moment, Moments, closeMoment } from "./moments.js";
import { PositionText, Setup } from "./setup.js";
import { copyLink, saveTree, unpack } from "./share.js";
import { at, goToNode, hands, line, mainLine, openTree, path, playFrom } from "./tree.js";
import { putHandsAway, step, takeHands, tree } from "./tree.js";
import { isMarked, Moves, Summary, Verdict } from "./verdict.js";

/** "review", "moments", "engine" or "more" */
const tab = signal("review");

/** @param {{rest: string[]}} props what follows `study/` in the address */
export function StudyPage({ rest }) {
  const [kind = "", what = ""] = rest;
  useEffect(() => {
    addStyles();
    takeBoard("study", play);
    window.addEventListener("keydown", onStudyKey, true);
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onStudyKey, true);
      window.removeEventListener("keydown", onKeyDown);
      leaveReview();
      leaveBoard("study");
      tree.value = draft.value = moment.value = view.value = /** @type {any} */ (null);
      hands.value = false;
    };
  }, []);
  useEffect(() => {
    load(kind, what).catch((error) => {
      tell(whyRefused(error), "warning");
      goTo("");
    });
  }, [kind, what]);
  if (!tree.value || !view.value || edition.value?.id !== tree.value.edition) return html`<main class="waiting"
    aria-busy="true"><p>${t("waiting")}</p></main>`;
  return html`<${Table} />`;
}

/** @param {string} kind @param {string} what */
async function load(kind, what) {
  if (kind === "record" && tree.peek() && location.hash.endsWith(what)) return;
  leaveReview();
  moment.value = draft.value = null;
  hands.value = false;
  if (kind === "game") {
    const token = seatOf(what)?.token ?? what;
    const [record, state] = await Promise.all([ask("game/record", { token }), ask("game", { token })]);
    // A game that is still played is not studied.
    if (!state.result) return goTo(`game/${what}`);
    const told = await ask("study/tree", { method: "POST", body: { record } });
    await openTree(told, { record, token, door: what, you: state.you });
    tab.value = "review";
    return startReview();
  }
  const record = kind === "record" ? await unpack(what) : newBoard();
  await openTree(await ask("study/tree", { method: "POST", body: { record } }), { record });
  tab.value = tree.peek()?.nodes.length === 1 ? "engine" : "review";
  if (tree.peek()?.nodes.length === 1) await takeHands();
}

/** The record of a new game of the edition that was played last. */
function newBoard() {
  const deal = 1 + Math.floor(Math.random() * 999999);
  return `[Edition "${lastChoice.peek().edition}"]\n[Deal "${deal}"]\n\n*\n`;
}

/** A move goes to the set-up, to the moment that is asked, or to the tree. @param {string} move */
async function play(move) {
  if (draft.peek()) layInDraft(move);
  else if (moment.peek()) await answer(move);
  else await goToNode(await playFrom(at.peek(), [move]));
}

export function addStyles() {
  if (document.getElementById("study-styles")) return;
  const styles = document.createElement("link");
  Object.assign(styles, { id: "study-styles", rel: "stylesheet", href: "css/study.css" });
  document.head.append(styles);
}

function Table() {
  const now = /** @type {import("./tree.js").Tree} */ (tree.value);
  const working = hands.value || Boolean(draft.value);
  const near = view.value.turn ?? 1;
  const state = [
    wide.value ? "wide" : "narrow",
    working && "working",
    draft.value && "drafting",
    moment.value && "asking",
  ];
  return html`
    <main class=${`study ${state.filter(Boolean).join(" ")}`} data-node=${at.value} data-nodes=${now.nodes.length}>
      <header class="study-top">
        <button type="button" class="round"
          onClick=${() => (now.door ? goTo(`game/${now.door}`) : goTo(""))}
          aria-label=${t("close")}><${Icon} name="close" /></button>
        <h1>${t(draft.value ? "setup.title" : "study.title")}</h1>
        ${!draft.value && html`<button type="button" class=${`soft ${hands.value ? "on" : ""}`}
          aria-pressed=${hands.value}
          onClick=${() => (moment.value ? closeMoment() : hands.value ? putHandsAway() : takeHands())}>
          ${t("study.hands")}</button>`}
      </header>
      <section class="study-quilts" onPointerDown=${swipeBegins} onPointerUp=${swipeEnds}>
        ${[1, 2].map((player) => html`<div key=${player} class=${`study-side ${player === near ? "near" : "far"}`}>
          <${PlayerLine} player=${player} />
          <div class="quilt-place"><div
            class="quilt-fit study-quilt"><${WorkQuilt} player=${player} /><${MarksOf} player=${player} /></div></div>
        </div>`)}
      </section>
      <div class="study-track time-place"><${TimeBoard} round=${false} /></div>
      ${(working || wide.value) && html`<section class="study-hands">
        ${!draft.value && html`<div class="circle-row"><${Choices} /><${Strip} /></div>`}
        ${working && html`${!draft.value && html`<${Preview} />`}<${ActionBar} />`}
      </section>`}
      <aside class="study-panel">
        ${draft.value ? html`<div class="study-body" tabindex="0"><${Setup} /></div>` : html`<${Panel} />`}
      </aside>
      <${Carried} />
    </main>`;
}

function Panel() {
  const tabs = /** @type {[string, string][]} */ ([["review", t("study.tab_review")], ["moments",
    t("study.tab_moments")], ["engine", t("study.engine")], ["more", t("study.tab_more")]]);
  return html`
    <${Curve} />
    <div class="study-body" tabindex="0">
      ${moment.value ? html`<${Moments} />` : html`
        ${tab.value === "review" && html`<${Verdict} /><${Summary} /><${StartReview} /><${Moves} />`}
        ${tab.value === "moments" && html`<${Moments} /><${StartReview} />`}
        ${tab.value === "engine" && html`<${Engine} /><${Moves} />`}
        ${tab.value === "more" && html`<${More} />`}`}
    </div>
    <${Steps} />
    <div class="study-tabs" role="group" aria-label=${t("study.title")}>
      ${tabs.map(([id, text]) => html`<button type="button" key=${id} class=${id === tab.value ? "on" : ""}
        aria-pressed=${id === tab.value} onClick=${() => (tab.value = id)}>${text}</button>`)}
    </div>`;
}

function StartReview() {
  if (review.value || mainLine.value.length < 2) return null;
  return html`<button type="button" class="sew" onClick=${startReview}>${t("study.start_review")}</button>`;
}

function More() {
  return html`
    <div class="menu-items">
      <button type="button" onClick=${copyLink}>${t("study.copy_link")}</button>
      <button type="button" onClick=${saveTree}>${t("study.save")}</button>
      <button type="button" onClick=${openDraft}>${t("setup.title")}</button>
    </div>
    <${PositionText} />`;
}

/** First, to the marked move before, back, on, to the marked move after, last. */
function Steps() {
  const here = path.value.length - 1;
  const last = line.value.length - 1;
  const buttons = /** @type {[any, string, () => void][]} */ ([
    ["first", t("review.first"), () => goToNode(line.peek()[0])],
    ["back", t("review.back"), () => step(-1)],
    ["next", t("review.next"), () => step(1)],
    ["last", t("review.last"), () => goToNode(line.peek()[last])],
  ]);
  return html`
    <div class="study-steps" role="toolbar" aria-label=${t("review.title")}>
      ${buttons.slice(0, 2).map(button)}
      <button type="button" class="soft" disabled=${!markedAfter()}
        onClick=${nextMarked}>${t("study.next_marked")}</button>
      <span class="muted">${here}/${last}</span>
      ${buttons.slice(2).map(button)}
    </div>`;

  /** @param {[any, string, () => void]} one */
  function button([icon, label, act]) {
    return html`<button type="button" class="round" key=${icon}
      onClick=${act} aria-label=${label}><${Icon} name=${icon} /></button>`;
  }
}

/** The next marked move, or from behind the last one the first. */
function markedAfter() {
  const marked = line.value.filter((n) => isMarked(tree.value?.nodes[n].turn));
  return marked.find((n) => line.value.indexOf(n) >= path.value.length) ?? marked.find((n) => n !== at.value);
}

function nextMarked() {
  const to = markedAfter();
  if (to !== undefined) goToNode(to);
}

/**
 * The better place and the spaces that a reason speaks of; in a moment only when it is answered.
 * @param {{player: number}} props
 */
function MarksOf({ player }) {
  const nodes = tree.value?.nodes;
  const asked = moment.value;
  const turn = nodes?.[asked ? asked.node : at.value].turn;
  if (!turn || turn.player !== player || draft.value) return null;
  if (asked ? !["found", "shown"].includes(asked.state) || at.value !== nodes?.[asked.node].parent : !isMarked(turn))
    return null;
  return html`<${Marks} ghost=${turn.best} cells=${asked ? [] : turn.reason?.cells ?? []} />`;
}

/** Keys of the study: arrows step, unless a patch is in hand. @param {KeyboardEvent} event */
function onStudyKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea")
    || document.querySelector("dialog[open]")) return;
  if (selection.peek() && !["Home", "End"].includes(event.key)) return;
  if (target.closest('[role="grid"]') && event.key.startsWith("Arrow")) return;
  const acts = /** @type {Record<string, () => void>} */ ({
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => goToNode(line.peek()[0]),
      End: () => goToNode(/** @type {number} */ (line.peek().at(-1))),
    ArrowDown: nextMarked, m: nextMarked, e: () => (tab.value = "engine"),
  });
  const act = acts[event.key];
  if (!act || draft.peek()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  act();
}

const SWIPE = 50;
let from = { x: 0, y: 0 };

/** @param {PointerEvent} event */
function swipeBegins(event) {
  from = { x: event.clientX, y: event.clientY };
}

/** A swipe across the quilts steps, while nothing is in hand. @param {PointerEvent} event */
function swipeEnds(event) {
  const across = event.clientX - from.x;
  if (selection.peek() || draft.peek() || Math.abs(across) < SWIPE
    || Math.abs(event.clientY - from.y) > Math.abs(across)) return;
  step(across < 0 ? 1 : -1);
}
