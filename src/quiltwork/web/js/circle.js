// @ts-check
/** The circle of patches: the choices as large cards, and the rest of it in its order as a strip. */
import { computed } from "@preact/signals";
import { html } from "./html.js";
import { PatchPicture } from "./patch.js";
import { Price, spokenPrice } from "./price.js";
import { cancel, choose, optionOf, options, selection } from "./selection.js";
import { grab } from "./drag.js";
import { view } from "./store.js";
import { take } from "./trial.js";
import { Pile } from "./waiting.js";
import { t } from "./words.js";

/** What is in hand and how it is turned, wherever it is shown: the circle is not drawn anew with every movement. */
const inHand = computed(() => {
  const chosen = selection.value;
  return chosen?.kind === "lay" || chosen?.kind === "take" ? chosen.code : null;
});
const turned = computed(() => (selection.value?.kind === "lay" ? selection.value.form : ""));

/** @param {string} code */
export const isChosen = (code) => inHand.value === code;

/** One of the choices, large. @param {{code: string, index: number}} props */
export function Choice({ code, index }) {
  const now = view.value;
  const state = now.choices.find((/** @type {any} */ c) => c.code === code) ?? { legal: false, missing: 0, fits: true };
  const chosen = isChosen(code);
  const why =
    !state.legal &&
    (state.missing > 0 ? t("choice.missing", { count: state.missing }) : state.fits ? "" : t("choice.no_room"));
  const form = chosen ? turned.value : "";
  return html`
    <button type="button" class=${`choice ${state.legal ? "" : "dim"} ${chosen ? "chosen" : ""}`} data-code=${code}
      aria-pressed=${chosen} aria-disabled=${!(options.value && state.legal)}
      aria-keyshortcuts=${index < 9 ? String(index + 1) : undefined}
      onClick=${() => (chosen ? cancel() : take(code))}
      onPointerDown=${(/** @type {PointerEvent} */ event) => options.value && state.legal && grab(event, code)}>
      <span class="unseen">${spokenPrice(code)}${why ? ` ${why}` : ""}</span>
      <span class="choice-patch"><${PatchPicture} code=${code} form=${form} /></span>
      <${Price} code=${code} lacking=${state.missing > 0} />
      ${why && html`<span class="why" aria-hidden="true">${why}</span>`}
    </button>`;
}

/** The choices; styles say how large they are drawn. */
export function Choices() {
  const now = view.value;
  if (now.phase === "special" || now.phase === "lay") return html`<${InHand} />`;
  return html`<div class="choices" role="group" aria-label=${t("circle.choices")}>
    ${now.choices.map((/** @type {any} */ c, /** @type {number} */ i) => html`
      <${Choice} key=${c.code} code=${c.code} index=${i} />
    `)}
  </div>`;
}

/** The patch that must be placed now: a special patch, or one taken before the reserve came. */
function InHand() {
  const now = view.value;
  const code = now.phase === "special" ? "s" : (now.held ?? "");
  const chosen = isChosen(code);
  const text = now.phase === "special" ? t("in_hand.special", { count: now.pending }) : t("in_hand.lay");
  return html`<div class="choices in-hand" role="group" aria-label=${t("in_hand.label")}>
    <button type="button" class=${`choice ${chosen ? "chosen" : ""}`} data-code=${code} aria-pressed=${chosen}
      aria-label=${text}
      aria-disabled=${!options.value} onClick=${() => choose(code)}
      onPointerDown=${(/** @type {PointerEvent} */ event) => optionOf(code) && grab(event, code)}>
      <span class="choice-patch">
        <${PatchPicture} code=${code} />
      </span>
    </button>
    <p class="in-hand-text">${text}</p>
  </div>`;
}

/** The rest of the circle after the choices, in order. */
export function Strip() {
  const now = view.value;
  const rest = now.circle.slice(now.phase === "special" || now.phase === "lay" ? 0 : now.choices.length);
  return html`<ol class="strip" aria-label=${t("circle.rest")}>
    ${rest.map((/** @type {string} */ code) => html`
      <li key=${code} data-code=${code}>
        <button type="button" class=${`in-strip ${isChosen(code) ? "chosen" : ""}`} aria-pressed=${isChosen(code)}
          title=${t("trial.ask")} onClick=${() => (isChosen(code) ? cancel() : take(code))}>
          <span class="strip-patch"><${PatchPicture} code=${code} /></span>
          <${Price} code=${code} income=${true} />
          <span class="unseen">${spokenPrice(code)}</span>
        </button>
      </li>`)}
    ${now.reserve.length > 0 && html`<li class="strip-pile"><${Pile} /></li>`}
  </ol>`;
}
