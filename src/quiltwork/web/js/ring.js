// @ts-check
/**
 * The circle as it lies on the table: a frame of patches around the time board, each with its price, clockwise
 * from the top left corner. Patches keep their places; the neutral token walks from gap to gap.
 */
import { html } from "./html.js";
import { PieceIcon } from "./art.js";
import { useBox } from "./box.js";
import { isChosen } from "./circle.js";
import { grab } from "./drag.js";
import { PatchPicture } from "./patch.js";
import { Price, spokenPrice } from "./price.js";
import { cancel, options, whyNot } from "./selection.js";
import { view } from "./store.js";
import { take } from "./trial.js";
import { Pile } from "./waiting.js";
import { noun, t } from "./words.js";

const LARGEST = 104;
const SMALLEST = 40;
/** How much narrower than thick a place of the frame may be. */
const SQUEEZE = 0.94;

/**
 * How thick the frame is, and how many places its sides have between the corners.
 * @param {number} width
 * @param {number} height
 * @param {number} places
 */
function frame(width, height, places) {
  for (let side = LARGEST; side > SMALLEST; side -= 2) {
    let across = Math.floor((width - 2 * side) / (side * SQUEEZE));
    let down = Math.floor((height - 2 * side) / (side * SQUEEZE));
    if (across < 1 || down < 1 || 2 * (across + down) + 4 < places) continue;
    // No more places than are needed: the longer side gives them up.
    while (2 * (across + down - 1) + 4 >= places && Math.max(across, down) > 1) {
      if (down / height > across / width) down -= 1;
      else across -= 1;
    }
    return { side, across, down };
  }
  const each = Math.ceil((places - 4) / 4);
  return { side: SMALLEST, across: each, down: each };
}

/**
 * The row and column of a place, counted clockwise from the top left corner.
 * @param {number} place
 * @param {number} columns
 * @param {number} rows
 */
function spotOf(place, columns, rows) {
  const sides = [columns - 1, rows - 1, columns - 1, rows - 1];
  let at = place;
  let side = 0;
  while (at >= sides[side]) at -= sides[side++];
  return [
    { row: 1, column: 1 + at },
    { row: 1 + at, column: columns },
    { row: rows, column: columns - at },
    { row: rows - at, column: 1 },
  ][side];
}

/** @param {{children?: unknown}} props the time board, in the middle */
export function Ring({ children }) {
  const { ref, size } = useBox({ width: 390, height: 700 });
  const now = view.value;
  // The neutral token begins in a place of its own.
  const { side, across, down } = frame(size.width, size.height, now.ring.length + 1);
  const at = (/** @type {number} */ place) => {
    const { row, column } = spotOf(place, across + 2, down + 2);
    return { gridArea: `${row} / ${column}` };
  };
  const tracks = (/** @type {number} */ count) => `${side}px repeat(${count}, minmax(0, 1fr)) ${side}px`;
  const first = now.circle.length ? now.ring.indexOf(now.circle[0]) : 0;
  const choices = now.choices.map((/** @type {any} */ c) => c.code);
  return html`
    <div class="ring" ref=${ref}
      style=${{ gridTemplate: `${tracks(down)} / ${tracks(across)}`, "--side": `${side}px` }}>
      <ol class="ring-patches" aria-label=${t("circle.label", { count: now.circle.length })}>
        ${now.ring.map((/** @type {string} */ code, /** @type {number} */ i) => now.circle.includes(code) && html`
          <${RingPatch} key=${code} code=${code} number=${choices.indexOf(code) + 1} spot=${at(i + 1)} side=${side} />
        `)}
      </ol>
      <div class="spool" style=${at(first)} title=${noun("neutral_token", 1)}>
        <${PieceIcon} name="neutral-token" size=${Math.round(side * 0.52)} />
      </div>
      <div class="ring-inside">${children}<${Pile} /></div>
    </div>`;
}

/**
 * A patch in its place; `number` is which of the choices it is, or 0.
 * @param {{code: string, number: number, spot: Record<string, string>, side: number}} props
 */
function RingPatch({ code, number, spot, side }) {
  const state = number > 0 ? view.value.choices[number - 1] : null;
  const chosen = isChosen(code);
  const over = Boolean(view.value.result);
  const tag = over ? "span" : "button";
  const legal = options.value && state?.legal;
  const kinds = [number && "choice-on-ring", state && !state.legal && "dim", chosen && "chosen"];
  const title = legal ? undefined : number && options.value ? whyNot(code) : t("trial.ask");
  return html`
    <li style=${spot} class=${["ring-patch", ...kinds].filter(Boolean).join(" ")} data-code=${code}>
      <${tag} type=${over ? undefined : "button"} aria-pressed=${over ? undefined : chosen} title=${title}
        onClick=${() => !over && (chosen ? cancel() : take(code))}
        onPointerDown=${(/** @type {PointerEvent} */ event) => legal && grab(event, code)}>
        <span class="unseen">${spokenPrice(code)}</span>
        ${number > 0 && html`<b class="order" aria-hidden="true">${number}</b>`}
        <${PatchPicture} code=${code} cell=${side / 4.4} fit=${side - 22} />
        <${Price} code=${code} income=${true} lacking=${Boolean(state?.missing)} />
      </${tag}>
    </li>`;
}
