// @ts-check
/** A dialog: the browser's own, with a heading and a button to close it. */
import { html } from "./html.js";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./art.js";
import { t } from "./words.js";

/** what had focus before the first of the dialogs opened @type {HTMLElement | null} */
let opener = null;

/** Gives focus back to what had it, once the last dialog is gone. */
function giveBack() {
  if (document.activeElement === document.body && !document.querySelector("dialog[open]")) opener?.focus();
}

/** @param {{title: string, onClose: () => void, children?: unknown, class?: string}} props */
export function Dialog({ title, onClose, children, class: name = "" }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = box.current;
    const now = /** @type {HTMLElement} */ (document.activeElement);
    if (now !== document.body && !now.closest("dialog")) opener = now;
    dialog?.showModal();
    return () => {
      dialog?.close();
      requestAnimationFrame(giveBack);
    };
  }, []);
  useEffect(() => {
    // What was pressed to come to this page of the dialog may be gone: focus must not fall out of it.
    if (box.current && !box.current.contains(document.activeElement))
      /** @type {HTMLElement | null} */ (box.current.querySelector("button"))?.focus();
  }, [title]);
  return html`
    <dialog ref=${box} class=${name} aria-label=${title}
      onCancel=${(/** @type {Event} */ event) => { event.preventDefault(); onClose(); }}
      onClick=${(/** @type {MouseEvent} */ event) => event.target === box.current && onClose()}>
      <div class="dialog-body">
        <header>
          <h2>${title}</h2>
          <button type="button" class="round" onClick=${onClose} aria-label=${t("close")}>
            <${Icon} name="close" />
          </button>
        </header>
        ${children}
      </div>
    </dialog>`;
}

/**
 * A choice of one among few.
 * @param {{label: string, value: string, choices: [string, string][], onChange: (value: string) => void}} props
 */
export function Choose({ label, value, choices, onChange }) {
  return html`
    <fieldset class="choose"><legend>${label}</legend>
      <div class="segments" role="group">
        ${choices.map(([id, text]) => html`
          <button type="button" key=${id} class=${id === value ? "on" : ""} aria-pressed=${id === value}
            onClick=${() => onChange(id)}>
            ${text}
          </button>
        `)}
      </div>
    </fieldset>`;
}

/** Asks the browser to save a text or a blob. @param {string} name @param {Blob} blob */
export function saveFile(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
