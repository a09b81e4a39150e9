// @ts-check
/** Looking back: steps through a game, and goes on from any point against the computer. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { ask } from "./api.js";
import { Icon } from "./art.js";
import { about, goTo, tell, view } from "./store.js";
import { lastChoice } from "./prefs.js";
import { link } from "./table.js";
import { describeMove } from "./telling.js";
import { t, whyRefused } from "./words.js";

/**
 * The step in sight: the number of moves made. While it is set, the table shows that moment.
 * @type {import("@preact/signals").Signal<{ply: number, live: any, history: any} | null>}
 */
export const reviewed = signal(null);

/** @param {any} [history] a history that was read from a record */
export async function openReview(history) {
  try {
    const found = history?.snapshots ? history : await ask("game/history", { token: link.peek()?.token });
    reviewed.value = { ply: found.snapshots.length - 1, live: view.peek(), history: found };
    stepTo(found.snapshots.length - 1);
  } catch (error) {
    tell(whyRefused(error), "warning");
  }
}

/** @param {number} ply */
export async function stepTo(ply) {
  if (!reviewed.peek()) await openReview();
  const now = reviewed.peek();
  if (!now) return;
  const last = now.history.snapshots.length - 1;
  const at = Math.max(0, Math.min(last, ply));
  reviewed.value = { ...now, ply: at };
  view.value = {
    ...now.live,
    ...now.history.snapshots[at],
    ply: at,
    options: null,
    result: at === last ? now.live.result : null,
    thinking: false,
    can: { ...now.live.can, takeback: false, hint: false },
  };
}

export function closeReview() {
  const now = reviewed.peek();
  reviewed.value = null;
  if (now) view.value = now.live;
}

async function continueHere() {
  const now = reviewed.peek();
  if (!now) return;
  const opponents = about.peek().opponents;
  const seat = now.live.you[0] ?? view.peek().turn ?? 1;
  const other = now.live.seats[2 - seat].opponent;
  const opponent = other || lastChoice.peek().opponent || about.peek().default_opponent || opponents[0].id;
  const seats = [{ kind: "human" }, { kind: "human" }];
  seats[2 - seat] = /** @type {any} */ ({ kind: "computer", opponent });
  try {
    const made = await ask("games", {
      method: "POST",
      body: { edition: view.peek().edition, theme: view.peek().theme, seats, record: now.history.record, ply: now.ply },
    });
    reviewed.value = null;
    goTo(`game/${made.token}`);
  } catch (error) {
    tell(whyRefused(error), "warning");
  }
}

/** First, back, next, last, and on from here. */
export function ReviewBar() {
  const now = reviewed.value;
  if (!now) return null;
  const last = now.history.snapshots.length - 1;
  const made = now.history.moves[now.ply - 1];
  return html`
    <div class="review">
      <p class="review-text" aria-live="polite">
        <b>${now.ply} / ${last}</b> ${made ? describeMove(view.value, made) : t("review.start")}
      </p>
      <input type="range" min="0" max=${last} value=${now.ply} aria-label=${t("review.step")}
        onInput=${(/** @type {any} */ e) => stepTo(Number(e.target.value))} />
      <div class="action-bar" role="toolbar" aria-label=${t("review.title")}>
        <button type="button" class="round" onClick=${() => stepTo(0)} aria-label=${t("review.first")}>
          <${Icon} name="first" />
        </button>
        <button type="button" class="round" onClick=${() => stepTo(now.ply - 1)} aria-label=${t("review.back")}>
          <${Icon} name="back" />
        </button>
        <button type="button" class="round" onClick=${() => stepTo(now.ply + 1)} aria-label=${t("review.next")}>
          <${Icon} name="next" />
        </button>
        <button type="button" class="round" onClick=${() => stepTo(last)} aria-label=${t("review.last")}>
          <${Icon} name="last" />
        </button>
        <button type="button" class="soft" disabled=${now.history.snapshots[now.ply].phase === "over"}
          onClick=${continueHere}>
          ${t("review.continue")}
        </button>
        <button type="button" class="sew" onClick=${() => (now.live.imported ? goTo("") : closeReview())}>
          ${t("review.close")}
        </button>
      </div>
    </div>`;
}
