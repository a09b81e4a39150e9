// @ts-check
/** A tutorial at one's own pace: it is a real game against the weakest opponent, with a voice beside it. */
import { html } from "./html.js";
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "./api.js";
import { GamePage } from "./game.js";
import { selection } from "./selection.js";
import { about, goTo, tell, view } from "./store.js";
import { playerName } from "./prefs.js";
import { t, whyRefused } from "./words.js";

const STEPS = 8;
const DEAL = 12;
/** The steps that tell of the time board, which the voice must not hide. */
const ABOUT_TIME = [5, 7];

const token = signal("");
const step = signal(1);

export function TutorialPage() {
  useEffect(() => {
    step.value = 1;
    const opponent = about.peek().opponents[0].id;
    const me = { kind: "human", ...(playerName.peek() ? { name: playerName.peek() } : {}) };
    ask("games", { method: "POST", body: { edition: "patchwork", deal: DEAL, seats: [me, { kind: "computer", opponent }] } }).then(
      (made) => (token.value = made.token),
      (error) => {
        tell(whyRefused(error), "warning");
        goTo("");
      },
    );
    return () => {
      token.value = "";
    };
  }, []);
  useEffect(() => effect(follow), []);
  if (!token.value) return null;
  return html`<${GamePage} token=${token.value} /><${Voice} />`;
}

/** Moves on by itself when the player did what the step asks. */
function follow() {
  const chosen = selection.value;
  const moves = view.value?.moves?.filter((/** @type {any} */ m) => m.player === view.value.you[0]).length ?? 0;
  if (step.peek() === 1 && chosen?.kind === "lay") step.value = 2;
  if (step.peek() < 5 && moves > 0) step.value = 5;
}

function Voice() {
  const now = step.value;
  if (!view.value || now > STEPS) return null;
  const last = now === STEPS;
  return html`
    <aside class=${`voice ${ABOUT_TIME.includes(now) ? "low" : ""}`} aria-label=${t("learn.title")}>
      <p aria-live="polite"><small>${t("learn.step", { n: now, of: STEPS })}</small>${t(`learn.${now}`)}</p>
      <div>
        <button type="button" class="plain" onClick=${() => goTo(`game/${token.value}`)}>${t("learn.skip")}</button>
        ${now > 1 && html`<button type="button" class="soft" onClick=${() => (step.value = now - 1)}>${t("learn.back")}</button>`}
        <button type="button" class="sew" onClick=${() => (last ? goTo(`game/${token.value}`) : (step.value = now + 1))}>${t(last ? "learn.finish" : "learn.next")}</button>
      </div>
    </aside>`;
}
