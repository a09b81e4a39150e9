// @ts-check
/** The list of keys. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { Dialog } from "./dialog.js";
import { t } from "./words.js";

export const shortcutsOpen = signal(false);

/** Keys, some by a message, and the message that says what they do. @type {[string[], string][]} */
const KEYS = [
  [["1", "2", "3"], "keys.choose"],
  [["←", "↑", "→", "↓"], "keys.move"],
  [["R", "⇧R"], "keys.turn"],
  [["F"], "keys.flip"],
  [["↵"], "keys.sew"],
  [["Esc"], "keys.back"],
  [["A"], "keys.advance"],
  [["H"], "keys.hint"],
  [["U"], "keys.takeback"],
  [["L"], "again"],
  [["←", "→", "key.home", "key.end"], "keys.look"],
  [["key.space", "→"], "keys.watch"],
  [["?"], "keys.list"],
];

/** What stands on a key. @param {string} key */
const named = (key) => (key.startsWith("key.") ? t(key) : key);

export function Shortcuts() {
  if (!shortcutsOpen.value) return null;
  return html`
    <${Dialog} title=${t("keys.title")} onClose=${() => (shortcutsOpen.value = false)}>
      <dl class="shortcuts">
        ${KEYS.map(
          ([keys, says]) => html`
          <div key=${says}>
            <dt>${keys.map((key) => html`<kbd key=${key}>${named(key)}</kbd> `)}</dt>
            <dd>${t(says)}</dd>
          </div>
        `,
        )}
      </dl>
      <p class="small muted">${t("keys.quilt")}</p>
    </${Dialog}>`;
}
