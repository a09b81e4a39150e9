// @ts-check
/** Looking back: steps through a game, and goes on from any point against the computer. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { ask } from "./api.js";
import { Icon } from "./art.js";
import { about, goTo, tell, view } from "./store.js";
import { lastChoice, playerName } from "./prefs.js";
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

/** Who plays on from here: the same two people at this device, or you against the same opponent. @param {any} live */
function seatsFrom(live) {
  const person = (/** @type {string | undefined} */ name) => ({ kind: "human", ...(name ? { name } : {}) });
  if (live.shared) return { shared: true, seats: live.seats.map((/** @type {any} */ seat) => person(seat.name)) };
  const opponents = about.peek().opponents;
  // A record knows its computers by their names alone.
  const computers = live.seats.map(
    (/** @type {any} */ seat) => seat.opponent ?? opponents.find((/** @type {any} */ o) => o.name === seat.name)?.id,
  );
  const unlike = computers[0] && !computers[1] ? 2 : computers[1] && !computers[0] ? 1 : 0;
  const me = live.you[0] || unlike || view.peek().turn || 1;
  const opponent = computers[2 - me] || lastChoice.peek().opponent || about.peek().default_opponent;
  const computer = { kind: "computer", opponent };
  const human = person(playerName.peek().trim());
  return { seats: me === 1 ? [human, computer] : [computer, human] };
}

async function continueHere() {
  const now = reviewed.peek();
  if (!now) return;
  const { edition, theme } = view.peek();
  const { record } = now.history;
  try {
    const body = { edition, theme, record, ply: now.ply, ...seatsFrom(now.live) };
    const made = await ask("games", { method: "POST", body });
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
