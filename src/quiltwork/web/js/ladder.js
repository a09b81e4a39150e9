// @ts-check
/** Up the ladder of opponents: who has won twice in a row is offered the next level. */
import { html } from "./html.js";
import { Face } from "./art.js";
import { lastChoice, wins } from "./prefs.js";
import { begin } from "./start.js";
import { about, view } from "./store.js";
import { t } from "./words.js";

const ENOUGH = 2;

/** The computer that you alone play against. @param {any} now @returns {string | null} */
function opponentOf(now) {
  return now.you.length === 1 ? (now.seats[2 - now.you[0]].opponent ?? null) : null;
}

/** Counts a finished game, once. @param {any} now */
export function noteResult(now) {
  const opponent = opponentOf(now);
  const { last, by } = wins.peek();
  if (!opponent || !now.result || last === now.game) return;
  const won = now.result.winner === now.you[0];
  wins.value = { last: now.game, by: { ...by, [opponent]: won ? (by[opponent] ?? 0) + 1 : 0 } };
}

/** The next level, after two games won in a row. */
export function NextLevel() {
  const now = view.value;
  const opponent = opponentOf(now);
  const offer = about.value.opponents;
  const at = offer.findIndex((/** @type {any} */ o) => o.id === opponent);
  const next = at >= 0 ? offer[at + 1] : null;
  if (!next || (wins.value.by[opponent ?? ""] ?? 0) < ENOUGH) return null;
  const seats = now.seats.map((/** @type {any} */ seat) => {
    if (seat.opponent) return { kind: "computer", opponent: next.id };
    return seat.name ? { kind: "human", name: seat.name } : { kind: "human" };
  });
  const climb = () => {
    lastChoice.value = { ...lastChoice.peek(), opponent: next.id };
    begin({ edition: now.edition, seats });
  };
  return html`
    <button type="button" class="sew" onClick=${climb}>
      <${Face} id=${next.id} size=${26} />${t("result.next_level", { name: next.name, level: next.level })}
    </button>
  `;
}
