// @ts-check
/** The coach: against the computer, asks before a move that costs more than the player wants to lose. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { ask } from "./api.js";
import { Dialog } from "./dialog.js";
import { coach } from "./prefs.js";
import { view } from "./store.js";
import { link } from "./table.js";
import { t } from "./words.js";

/** the win share that a move must lose before the coach speaks */
const LIMITS = { off: 1, small: 0.03, mistakes: 0.07, blunders: 0.15 };

/**
 * What the coach asks: the judgement of a move, and what becomes of the answer.
 * @type {import("@preact/signals").Signal<{turn: any, decide: (play: boolean) => void} | null>}
 */
export const doubt = signal(null);

/** Whether a move is to be played after all. @param {string} move @returns {Promise<boolean>} */
export async function approved(move) {
  const now = view.peek();
  if (coach.peek() === "off" || !now?.can.hint || now.shared) return true;
  let turn;
  try {
    const body = { version: now.version, move };
    turn = await ask("game/coach", { method: "POST", token: link.peek()?.token, body });
  } catch {
    // A coach that is away keeps nobody from playing.
    return true;
  }
  if (turn.loss < (LIMITS[/** @type {keyof typeof LIMITS} */ (coach.peek())] ?? 1)) return true;
  return new Promise((done) => {
    doubt.value = {
      turn,
      decide: (play) => {
        doubt.value = null;
        done(play);
      },
    };
  });
}

export function CoachDialog() {
  const [why, setWhy] = useState("");
  const now = doubt.value;
  if (!now) return null;
  /** @param {boolean} play */
  const decide = (play) => {
    setWhy("");
    now.decide(play);
  };
  const explain = async () => {
    const { reasonOf } = await import("./study/judged.js");
    setWhy(reasonOf(now.turn));
  };
  return html`<${Dialog} title=${t("coach.title")} onClose=${() => decide(false)} class="coach">
    <p>${t("coach.text", { percent: `${Math.round(100 * now.turn.loss)} %` })}</p>
    ${why ? html`<p class="reason" aria-live="polite">${why}</p>` : html`
      <button type="button" class="plain" onClick=${explain}>${t("coach.why")}</button>
    `}
    <div class="with-button">
      <button type="button" class="sew" onClick=${() => decide(false)}>${t("coach.back")}</button>
      <button type="button" class="soft" onClick=${() => decide(true)}>${t("coach.anyway")}</button>
    </div>
  </${Dialog}>`;
}
