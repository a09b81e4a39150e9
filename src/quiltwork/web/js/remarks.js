// @ts-check
/** Gentle remarks in games against the weakest opponent: what could have been done, once it is done. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ask } from "./api.js";
import { Icon } from "./art.js";
import { Dialog } from "./dialog.js";
import { lesson, remarks } from "./prefs.js";
import { readPlaced } from "./shapes.js";
import { about, say, view } from "./store.js";
import { patchName, t } from "./words.js";

/** a win share that is worth a word to a beginner */
const WORTH = 0.08;

/** one question at a time: a slow judge is not hurried */
let asking = false;

/** what could have been done @type {import("@preact/signals").Signal<{game: string, turn: any} | null>} */
export const remark = signal(null);

/**
 * Has the move that was just made judged, where remarks are wanted.
 * @param {any} old
 * @param {any} next
 * @param {any} made
 */
export async function consider(old, next, made) {
  const you = next.you.length === 1 ? next.you[0] : 0;
  if (made?.player !== you || old?.turn !== you) return;
  remark.value = null;
  const weakest = about.peek().opponents[0].id;
  if (asking || !remarks.peek() || lesson.peek() || next.seats[2 - you].opponent !== weakest || next.result) return;
  asking = true;
  try {
    const turn = await ask("study/judgement", { method: "POST", body: { position: old.position, move: made.move } });
    const latest = view.peek()?.moves.findLast((/** @type {any} */ m) => m.player === you);
    if (turn.loss < WORTH || view.peek()?.game !== next.game || latest?.move !== made.move) return;
    remark.value = { game: next.game, turn };
    say(textOf(turn));
  } catch {
    // Nothing to say is no harm.
  } finally {
    asking = false;
  }
}

/** What could have been done. @param {any} turn */
function textOf({ move, best }) {
  const [played, better] = [move, best].map((text) => readPlaced(text)?.code ?? text);
  if (better.startsWith("+")) return t("remark.advance");
  if (best === "s@-") return t("remark.remove");
  return played === better ? t("remark.elsewhere") : t("remark.take", { patch: patchName(better) });
}

/** The remark on the last move; a tap tells why. */
export function Remark() {
  const [why, setWhy] = useState("");
  const now = remark.value;
  if (!now || now.game !== view.value.game) return null;
  const explain = async () => setWhy((await import("./study/judged.js")).reasonOf(now.turn));
  const close = () => {
    setWhy("");
    remark.value = null;
  };
  const off = () => {
    remarks.value = false;
    close();
  };
  return html`
    <button type="button" class="made remark" onClick=${explain} title=${t("remark.why")}>
      <${Icon} name="hint" size=${18} /><span>${textOf(now.turn)}</span>
    </button>
    ${why && html`<${Dialog} title=${textOf(now.turn)} onClose=${close}>
      <p>${why}</p>
      <div class="menu-items">
        <button type="button" onClick=${close}>${t("remark.thanks")}</button>
        <button type="button" onClick=${off}>${t("remark.off")}</button>
      </div>
    </${Dialog}>`}
  `;
}
