// @ts-check
/** The line under the quilt: whose turn it is, what a move will do before it is made, what a hint says. */
import { html } from "./html.js";
import { useEffect, useState } from "preact/hooks";
import { canShowAgain, showAgain } from "./again.js";
import { Currency, Icon, PieceIcon, Token } from "./art.js";
import { PatchPicture } from "./patch.js";
import { Price } from "./price.js";
import { remark, Remark } from "./remarks.js";
import { staged } from "./scene.js";
import { change, fits, moveText, options, preview, ready, selection, trial, whyNot } from "./selection.js";
import { view, wide } from "./store.js";
import { hint, link } from "./table.js";
import {
  describeChoices,
  describeHint,
  describeMove,
  describePreview,
  describeTurn,
  latestMoves,
  nameOf,
} from "./telling.js";
import { capital, noun, patchName, signed, t } from "./words.js";

/** Whose turn it is and why, or everything that the selected move will do. */
export function Preview() {
  const now = view.value;
  const chosen = selection.value;
  if (link.value?.status.value === "away") return html`<div class="preview away" role="status">${t("link.away")}</div>`;
  if (staged.value?.made) return html`
    <div class="preview calm"><span class="turn-text">${describeMove(now, staged.value.made)}</span></div>
  `;
  if (trial.value && !now.result) return html`<${Trial} />`;
  if (!preview.value || !chosen || now.result) return html`<${Calm} />`;
  if (!ready.value) return html`
    <div class="preview blocked"><span class="turn-text">${t("preview.blocked")}</span></div>
  `;
  const hinted = hint.value && hint.value.move === moveText(chosen);
  return html`<${Will} hinted=${hinted} />`;
}

/** So many of the last moves are told at once. */
const TOLD = 2;

/** Nothing is in hand: what was done, whose turn it is, and what lies ahead. */
function Calm() {
  const now = view.value;
  const seen = now.you.includes(now.turn ?? 0) || now.you.length === 0 ? latestMoves(now).filter((m) => m.player) : [];
  const made = seen.slice(-TOLD);
  const told = made.length > 0 && !(now.you.length === 1 && made[0].player === now.turn);
  const ahead = options.value?.advance;
  // What the chips tell need not be said twice.
  const turn = ahead && now.why === "behind" && now.you.length === 1 ? t("turn.yours") : describeTurn(now);
  return html`
    <div class="preview calm">
      <${Remark} />
      ${told && !remark.value && html`
        <button type="button" class="made" disabled=${!canShowAgain()} onClick=${showAgain} aria-keyshortcuts="L"
          title=${`${t("again")} (L)`}>
          <${Icon} name="again" size=${18} /><span>${made.map((m) => describeMove(now, m)).join(" ")}</span>
        </button>
      `}
      <span class="turn-text">
        ${now.thinking ? html`<${Thinking} key=${now.version} name=${nameOf(now, now.turn ?? 1)} />` : turn}
      </span>
      ${ahead && html`<${Ahead} player=${now.turn} />`}
    </div>
  `;
}

/** How far it is to what lies ahead on the time board. @param {{player: number}} props */
function Ahead({ player }) {
  const { income, special, other } = view.value.players[player - 1].ahead;
  const name = nameOf(view.value, 3 - player);
  const said = [
    { piece: `token-${3 - player}`, count: view.value.why === "behind" ? other : null, text: "ahead.other" },
    { piece: "button", count: income, text: "ahead.income" },
    { piece: "special-patch", count: special, text: "ahead.special" },
  ];
  return said.map(({ piece, count, text }) => count !== null && html`
    <span class="chip ahead" key=${piece} title=${t(text, { count, name })}>
      <${PieceIcon} name=${piece} size=${15} /><span aria-hidden="true">${t("ahead.short", { count })}</span>
      <span class="unseen">${t(text, { count, name })}</span>
    </span>
  `);
}

/** What the selected move will do. @param {{hinted: boolean}} props */
function Will({ hinted }) {
  const now = view.value;
  const will = preview.value;
  const state = now.players[(now.turn ?? 1) - 1];
  const patches = will.choices.map((/** @type {any} */ c) => patchName(c.code));
  const gained = will.score - state.score.total;
  return html`
    <div class=${`preview will ${hinted ? "hinted" : ""}`} data-buttons=${will.buttons} data-space=${will.space}
      data-score=${will.score} data-next=${will.next ?? ""}>
      ${hinted && html`<p class="chip said hint">${describeHint(hint.value)}</p>`}
      ${(!hinted || wide.value) && html`
        ${will.buttons !== state.buttons && html`
          <span class="chip" title=${noun("button", 2)}>
            <${Currency} size=${16} />
            ${change(state.buttons, will.buttons)}
          </span>
        `}
        ${will.space !== state.space && html`
          <span class="chip" title=${noun("space", 1)}>
            <${Token} player=${now.turn} size=${16} />
            ${change(state.space, will.space)}
          </span>
        `}
        <span class="chip" title=${t("line.score")}>
          ${signed(gained)} ${noun("point", gained)}
        </span>
        ${describePreview(now, will).map((part) => html`
          <span class=${`chip said ${part.key}`} key=${part.key}>${part.text}</span>
        `)}
        ${will.choices.length > 0 &&
        html`<span class="chip then" title=${describeChoices(now, will)}>
          <span class="unseen">${describeChoices(now, will)} ${patches.join(", ")}</span>
          ${will.choices.map((/** @type {any} */ c) => html`
            <span key=${c.code} class=${c.legal ? "" : "dim"}>
              <${PatchPicture} code=${c.code} cell=${8} fit=${26} />
            </span>
          `)}
        </span>`}
      `}
    </div>`;
}

/** A patch that is only tried on: whether it fits, and why it cannot be taken now. */
function Trial() {
  const tried = /** @type {import("./selection.js").Trial} */ (trial.value);
  const says = !tried.fits ? t("why.no_room") : t(fits.value ? "trial.fits" : "preview.blocked");
  return html`
    <div class="preview trial">
      <span class="turn-text">${capital(patchName(tried.code))}: ${says}</span>
      <span class="chip"><${Price} code=${tried.code} income=${true} /></span>
      <span class="chip said">${why(tried.code)}</span>
    </div>
  `;
}

/** Why a patch cannot be taken now. @param {string} code */
function why(code) {
  const now = view.value;
  if (!options.value) return t("trial.not_your_turn");
  const choice = now.choices.find((/** @type {any} */ c) => c.code === code);
  return choice ? whyNot(code, choice) : t("why.not_a_choice");
}

const LONG = 6000;

/** That the computer thinks, and why it may take long. @param {{name: string}} props */
function Thinking({ name }) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  const wait = view.value?.wait;
  if (wait) return t("turn.waiting", { name, seconds: Math.ceil(wait) });
  return t(long ? "turn.thinking_long" : "turn.thinking", { name });
}
