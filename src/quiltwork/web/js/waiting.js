// @ts-check
/** The patches that wait to come into the circle: a pile on the table, and what is in it. */
import { html } from "./html.js";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.js";
import { PatchPicture } from "./patch.js";
import { Price, spokenPrice } from "./price.js";
import { edition, view } from "./store.js";
import { capital, noun, t } from "./words.js";

/** How many of the pile are drawn. */
const SHOWN = 3;

export function Pile() {
  const [open, setOpen] = useState(false);
  const waiting = view.value.reserve;
  if (!waiting.length) return null;
  const label = t("waiting.label", { count: waiting.length });
  const left = edition.value?.reserve_enters_when_left ?? 0;
  return html`
    <button type="button" class="pile" onClick=${() => setOpen(true)} aria-label=${label} title=${label}>
      <span class="pile-tiles" aria-hidden="true">
        ${waiting.slice(0, SHOWN).map((/** @type {string} */ code) => html`
          <${PatchPicture} key=${code} code=${code} cell=${10} fit=${34} />
        `)}
      </span>
      <b aria-hidden="true">+${waiting.length}</b>
    </button>
    ${open &&
    html`<${Dialog} title=${capital(noun("reserve", 2))} onClose=${() => setOpen(false)}>
      <p>${t("waiting.text", { left })}</p>
      <ul class="waiting-tiles">
        ${waiting.map((/** @type {string} */ code) => html`
          <li key=${code}>
            <${PatchPicture} code=${code} cell=${17} fit=${70} />
            <${Price} code=${code} income=${true} />
            <span class="unseen">${spokenPrice(code)}</span>
          </li>
        `)}
      </ul>
    </${Dialog}>`}`;
}
