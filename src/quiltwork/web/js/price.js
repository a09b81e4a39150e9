// @ts-check
/** What a patch costs and brings, to see and to hear. */
import { html } from "./html.js";
import { Currency, PieceIcon } from "./art.js";
import { patchOf } from "./shapes.js";
import { edition } from "./store.js";
import { capital, patchName, t } from "./words.js";

/**
 * The price tag of a patch, with its income where its buttons are too small to count.
 * @param {{code: string, lacking?: boolean, income?: boolean}} props
 */
export function Price({ code, lacking = false, income = false }) {
  const patch = patchOf(/** @type {any} */ (edition.value), code);
  return html`
    <span class="price" aria-hidden="true">
      <span class=${lacking ? "lacking" : ""}><${Currency} size=${17} />${patch.buttons}</span>
      <span><${PieceIcon} name="time" size=${17} />${patch.time}</span>
      ${income && patch.income > 0 && html`<span class="earns">+${patch.income}</span>`}
    </span>`;
}

/** A patch in words. @param {string} code */
export function spokenPrice(code) {
  const patch = patchOf(/** @type {any} */ (edition.value), code);
  return t("choice.label", {
    patch: capital(patchName(code)),
    cells: patch.forms[""].cells.length,
    cost: patch.buttons,
    time: patch.time,
    income: patch.income,
  });
}
