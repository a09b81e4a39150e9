// @ts-check
/** Who comes by a friend's link is asked for a name, once. */
import { html } from "./html.js";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.js";
import { playerName } from "./prefs.js";
import { view } from "./store.js";
import { send } from "./table.js";
import { t } from "./words.js";

export function GuestName() {
  const now = view.value;
  const seat = now.you.length === 1 ? now.seats[now.you[0] - 1] : null;
  const [done, setDone] = useState(false);
  const [name, setName] = useState("");
  if (done || !seat?.remote || seat.named || seat.name || playerName.value.trim() || now.result || now.imported)
    return null;
  /** @param {Event} event */
  const take = (event) => {
    event.preventDefault();
    setDone(true);
    const chosen = name.trim();
    if (!chosen) return;
    playerName.value = chosen;
    send("name", { name: chosen });
  };
  return html`
    <${Dialog} class="guest" title=${t("guest.title")} onClose=${() => setDone(true)}>
      <form onSubmit=${take}>
        <label class="field">
          <span>${t("guest.text")}</span>
          <input type="text" maxlength="24" autocomplete="nickname" autofocus value=${name}
            onInput=${(/** @type {any} */ e) => setName(e.target.value)} />
        </label>
        <button type="submit" class="sew wide-button">${t("guest.go")}</button>
      </form>
    </${Dialog}>`;
}
