// @ts-check
/** Watching two computers: at one's own pace, with a pause, move by move. */
import { signal } from "@preact/signals";
import { html } from "./html.js";
import { Icon } from "./art.js";
import { hurry } from "./motion.js";
import { animation } from "./prefs.js";
import { PACES } from "./settings.js";
import { t } from "./words.js";

/** whether the next move waits until it is wanted */
export const paused = signal(false);
/** @type {(() => void) | null} */
let letThrough = null;

/** Waits, while paused, until the next move is wanted. */
export function passage() {
  if (!paused.peek()) return Promise.resolve();
  return new Promise((done) => {
    letThrough = () => {
      letThrough = null;
      done(undefined);
    };
  });
}

/** @param {boolean} value */
export function pause(value) {
  paused.value = value;
  if (!value) letThrough?.();
}

/** Shows one move more. */
export function step() {
  if (!paused.peek()) pause(true);
  hurry();
  letThrough?.();
}

/** Whether nobody but computers plays. @param {any} view */
export const isWatching = (view) =>
  view.you.length === 0 && view.seats.every((/** @type {any} */ seat) => seat.kind === "computer");

export function WatchBar() {
  return html`
    <div class="action-bar watch-bar" role="toolbar" aria-label=${t("watch.label")}>
      <select aria-label=${t("settings.animation")} value=${animation.value}
        onChange=${(/** @type {any} */ e) => (animation.value = e.target.value)}>
        ${PACES().map(([id, text]) => html`<option key=${id} value=${id}>${text}</option>`)}
      </select>
      <button type="button" class="soft" onClick=${step} aria-keyshortcuts="ArrowRight">
        <${Icon} name="last" />${t("watch.step")}
      </button>
      <button type="button" class="sew" onClick=${() => pause(!paused.value)} aria-keyshortcuts="Space">
        <${Icon} name=${paused.value ? "next" : "pause"} />${t(paused.value ? "watch.go_on" : "watch.pause")}
      </button>
    </div>`;
}
