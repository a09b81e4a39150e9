// @ts-check
/** Puzzles: one position on the real table, an answer by the usual hands, and why it is right or not. */
import { html } from "../html.js";
import { useEffect } from "preact/hooks";
import { Icon } from "../art.js";
import { Choices, Strip } from "../circle.js";
import { ActionBar, PlayerLine } from "../controls.js";
import { Carried } from "../drag.js";
import { WorkQuilt } from "../game.js";
import { onKeyDown } from "../keys.js";
import { solved } from "../prefs.js";
import { Preview } from "../preview.js";
import { selection } from "../selection.js";
import { edition, goTo, tell, view, wide } from "../store.js";
import { leaveBoard, takeBoard } from "../study/board.js";
import { moveName, percent, sayReason } from "../study/judged.js";
import { addStyles } from "../study/page.js";
import { describeMove } from "../telling.js";
import { TimeBoard } from "../track.js";
import { number, patchName, signed, t, whyRefused } from "../words.js";
import { answer, begin, isOver, judge, judging, made, openPuzzle, puzzle, said } from "./solving.js";

/** @param {{wanted: string}} props an id, `daily`, or nothing for the next one */
export function PuzzlePage({ wanted }) {
  useEffect(() => {
    addStyles();
    takeBoard("puzzle", answer);
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
      leaveBoard("puzzle");
      puzzle.value = said.value = view.value = /** @type {any} */ (null);
    };
  }, []);
  useEffect(() => {
    if (wanted && puzzle.peek()?.id === wanted) return;
    openPuzzle(wanted).then(
      // The address of the puzzle itself: it outlives a reload, and can be sent to a friend.
      () => location.replace(`#/puzzles/${puzzle.peek()?.id}`),
      (error) => {
        tell(whyRefused(error), "warning");
        goTo("");
      },
    );
  }, [wanted]);
  const now = puzzle.value;
  if (!now || !view.value || edition.value?.id !== now.edition) return html`
    <main class="waiting" aria-busy="true"><p>${t("waiting")}</p></main>
  `;
  return html`<${Table} />`;
}

function Table() {
  const now = /** @type {import("./solving.js").Puzzle} */ (puzzle.value);
  const over = isOver(said.value);
  // On a phone both quilts and the time board are in sight until a patch is in hand.
  const laying = selection.value?.kind === "lay";
  const state = [wide.value ? "wide" : "narrow", !over && "asking", !over && laying && "working"].filter(Boolean);
  return html`
    <main class=${`study puzzle ${state.join(" ")}`} data-puzzle=${now.id} data-verdict=${said.value?.verdict ?? ""}>
      <header class="study-top">
        <button type="button" class="round" onClick=${() => goTo("")} aria-label=${t("close")}>
          <${Icon} name="close" />
        </button>
        <h1>${t("puzzle.title")}</h1>
        ${solved.value && html`<p class="puzzle-kept">${t("puzzle.kept", kept(solved.value))}</p>`}
      </header>
      <section class="study-quilts">
        ${[1, 2].map((player) => html`
          <div key=${player} class=${`study-side ${player === now.player ? "near" : "far"}`}>
            <${PlayerLine} player=${player} />
            <div class="quilt-place"><div class="quilt-fit study-quilt"><${WorkQuilt} player=${player} /></div></div>
          </div>
        `)}
      </section>
      <div class="study-track time-place"><${TimeBoard} round=${false} /></div>
      ${(!over || wide.value) && html`
        <section class="study-hands">
          <div class="circle-row"><${Choices} /><${Strip} /></div>
          ${!over && html`<${Preview} /><${ActionBar} />`}
        </section>
      `}
      <aside class="study-panel">
        <div class="study-body" tabindex="0">
          <p class="puzzle-question">
            <b>${t(`puzzle.ask.${now.kind}`, { patch: now.take ? patchName(now.take) : "" })}</b>${" "}
            <span class="muted">${t("puzzle.rated", { rating: now.rating })}</span>
          </p>
          <div class="puzzle-said" aria-live="polite"><${Feedback} /></div>
          <${Ways} over=${over} finish=${now.kind === "finish"} />
        </div>
      </aside>
      <${Carried} />
    </main>`;
}

/** @param {import("../prefs.js").Solved} progress */
const kept = ({ rating, streak }) => ({ rating: Math.round(rating), streak: number(streak) });

/** What is said of the answer, the solution, and what the tempting answer costs. */
function Feedback() {
  if (judging.value) return html`<p class="muted">${t("study.judging")}</p>`;
  const now = said.value;
  if (!now) return null;
  const { verdict, reason, tempting, line, impossible, gained } = now;
  const fell = tempting !== null && now.move === tempting.move;
  return html`
    ${verdict !== "shown" && html`
      <p class=${verdict === "wrong" ? "wrong" : "right"}>
        ${t(`puzzle.said.${verdict}`)}${gained ? ` ${t("puzzle.gained", { change: signed(gained) })}` : ""}
      </p>
    `}
    ${reason && !fell && html`<p class="reason">${sayReason(reason)}</p>`}
    ${tempting && html`
      <p class="reason">
        ${tempting.loss === null
          ? t("puzzle.loses", { move: moveName(tempting.move) })
          : t("puzzle.costs", { move: moveName(tempting.move), percent: percent(tempting.loss) })}
        ${tempting.reason ? ` ${sayReason(tempting.reason)}` : ""}
      </p>
    `}
    ${impossible && html`<p>${t("puzzle.impossible")}</p>`}
    ${line.length > 0 && html`
      <p>${t("puzzle.solution")}</p>
      <ol class="puzzle-line">${line.map((step, i) => html`<li key=${i}>${describeMove(view.value, step)}</li>`)}</ol>
    `}`;
}

/** What else can be done. @param {{over: boolean, finish: boolean}} props */
function Ways({ over, finish }) {
  const busy = judging.value;
  /** @param {Promise<unknown>} work */
  const tried = (work) => work.catch((error) => tell(whyRefused(error), "warning"));
  return html`
    <div class="moment-buttons">
      ${over
        ? html`
          <button type="button" class="sew" onClick=${() => goTo("puzzles")}>${t("puzzle.next")}</button>
          <button type="button" class="soft" onClick=${begin}>${t("puzzle.again")}</button>
        `
        : html`
          ${finish && html`
            <button type="button" class="soft" disabled=${busy} onClick=${() => tried(answer("impossible"))}>
              ${t("puzzle.cannot")}
            </button>
          `}
          ${made.value.length > 0 && html`
            <button type="button" class="soft" onClick=${begin}>${t("puzzle.again")}</button>
          `}
          <button type="button" class="soft" disabled=${busy} onClick=${() => tried(judge([]))}>
            ${t("puzzle.show")}
          </button>
        `}
      <button type="button" class="soft" onClick=${() => goTo("puzzles/daily")}>${t("puzzle.daily")}</button>
    </div>`;
}
