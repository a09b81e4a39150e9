// @ts-check
/** The controls of a game: player lines, and the bar under the thumb. */
import { html } from "./html.js";
import { useEffect, useState } from "preact/hooks";
import { Currency, Face, Icon, PieceIcon, Token } from "./art.js";
import { countingOpen } from "./counting.js";
import {
  cancel,
  chooseAdvance,
  chooseRemove,
  moveText,
  options,
  ready,
  selection,
  sewing,
  turn,
} from "./selection.js";
import { staged } from "./scene.js";
import { edition, view } from "./store.js";
import { askHint, hinting, send, tapSew } from "./table.js";
import { clockText, nameOf } from "./telling.js";
import { noun, signed, t } from "./words.js";

/**
 * One player's name, buttons, income, empty spaces and clock; a tap tells what will be counted.
 * @param {{player: number, onClick?: () => void, pressed?: boolean, children?: unknown}} props
 */
export function PlayerLine({ player, onClick = () => (countingOpen.value = true), pressed, children }) {
  const now = view.value;
  const state = now.players[player - 1];
  const shown = staged.value?.player === player ? staged.value.buttons : undefined;
  const seat = now.seats[player - 1];
  const toMove = now.turn === player && !now.result;
  const about = t("line.label", {
    name: nameOf(now, player),
    buttons: state.buttons,
    income: state.income,
    empty: state.empty,
  });
  const away = seat.kind === "human" && !seat.online && !now.you.includes(player);
  return html`
    <div class=${`player-line player-${player} ${toMove ? "to-move" : ""}`} data-player=${player}>
      <button type="button" class="who" onClick=${onClick} aria-pressed=${pressed}>
        <span class="unseen">${about} ${pressed === undefined ? t("line.count") : t("line.show_quilt")}</span>
        <span class="face-and-token" aria-hidden="true">
          <${Face} id=${seat.opponent} player=${player} size=${34} />
          ${seat.opponent && html`<span class="mini-token"><${Token} player=${player} size=${18} /></span>`}
        </span>
        <span class="about">
          <span class="name" aria-hidden="true">
            ${nameOf(now, player)}${away ? html`<span class="away" title=${t("line.away")}>\u00a0⋯</span>` : ""}
          </span>
          ${now.tile === player && html`
            <span class="tile-mark" aria-hidden="true" title=${noun("special_tile", 1)}>
              <${PieceIcon} name="tile" size=${20} />
            </span>
          `}
          <span class="figures" aria-hidden="true">
            <span class="buttons" title=${noun("button", 2)}>
              <${Currency} size=${19} /><b>${shown ?? state.buttons}</b>
            </span>
            <span class="income" title=${noun("income", 1)}>
              ${signed(state.income) === "0" ? "+0" : signed(state.income)}
            </span>
            <span class="score" data-score=${state.score.total} title=${t("line.empty")}>
              <${Icon} name="cell" size=${16} />${state.empty}
            </span>
          </span>
          <${Clock} player=${player} />
        </span>
      </button>
      ${children}
    </div>`;
}

/** A running clock. @param {{player: number}} props */
function Clock({ player }) {
  const clock = view.value.clock;
  const [, tick] = useState(0);
  const running = clock?.running === player;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((n) => n + 1), 200);
    return () => clearInterval(timer);
  }, [running]);
  if (!clock) return null;
  const passed = running ? (Date.now() - view.value.received) / 1000 : 0;
  const left = clock.remaining[player - 1] - passed;
  return html`
    <span class=${`clock ${running ? "running" : ""} ${left < 20 && clock.kind === "live" ? "short" : ""}`} role="timer"
      aria-label=${t("clock.label")}>
      ${clockText(left)}
    </span>
  `;
}

/** A longer label has smaller letters where there is little room. */
const LONG = 8;

/** Advance, rotate, flip, Sew. */
export function ActionBar() {
  const now = view.value;
  const mine = options.value;
  const chosen = selection.value;
  const laying = chosen?.kind === "lay" && chosen.code !== "s";
  const advance = mine?.advance;
  const label =
    chosen?.kind === "advance"
      ? t("bar.go")
      : chosen?.kind === "take"
        ? t("bar.take")
        : chosen?.kind === "remove"
          ? t("bar.remove")
          : t("bar.sew");
  return html`
    <div class="action-bar" role="toolbar" aria-label=${t("bar.label")}>
      ${mine?.special
        ? mine.special.remove && html`
          <button type="button" class=${`soft ${chosen?.kind === "remove" ? "chosen" : ""}`} onClick=${chooseRemove}>
            ${t("bar.remove")}
          </button>
        `
        : html`<button type="button" class=${`soft advance ${chosen?.kind === "advance" ? "chosen" : ""}`}
          disabled=${!advance}
            aria-label=${[t("bar.advance"), advance && `${advance.spaces} ${noun("space", advance.spaces)}`]
              .filter(Boolean).join(": ")}
            aria-pressed=${chosen?.kind === "advance"} aria-keyshortcuts="A"
            onClick=${() => (chosen?.kind === "advance" ? cancel() : chooseAdvance())}>
            <${Icon} name="advance" /><span>${t("bar.advance")}</span>${advance && html`<b>+${advance.spaces}</b>`}
          </button>`}
      <button type="button" class="round" disabled=${!laying} onClick=${() => turn("rotate")}
        aria-label=${t("bar.rotate")} title=${`${t("bar.rotate")} (R)`} aria-keyshortcuts="R">
        <${Icon} name="rotate" />
      </button>
      <button type="button" class="round" disabled=${!laying} onClick=${() => turn("flip")} aria-label=${t("bar.flip")}
        title=${`${t("bar.flip")} (F)`} aria-keyshortcuts="F">
        <${Icon} name="flip" />
      </button>
      ${now.can.takeback && html`
        <button type="button" class="round" onClick=${() => send("takeback")} aria-label=${t("bar.takeback")}
          title=${`${t("bar.takeback")} (U)`} aria-keyshortcuts="U">
          <${Icon} name="undo" />
        </button>
      `}
      ${now.can.hint && html`
        <button type="button" class=${`round ${hinting.value ? "busy" : ""}`} disabled=${!mine || hinting.value}
          onClick=${askHint} aria-label=${t("bar.hint")} title=${`${t("bar.hint")} (H)`} aria-keyshortcuts="H">
          <${Icon} name="hint" />
        </button>
      `}
      <button type="button" class=${label.length > LONG ? "sew long" : "sew"}
        disabled=${!ready.value || sewing.value} onClick=${tapSew} aria-keyshortcuts="Enter">
        <${Icon} name="needle" />${label}
      </button>
      <span class="unseen" data-move=${chosen ? moveText(chosen) : ""}></span>
    </div>`;
}

/** The square nearest to the special tile, where it is close. @param {number} player */
export function nearSquare(player) {
  const near = view.value?.players[player - 1]?.square;
  const size = edition.value?.tile?.square;
  return near && size && view.value.tile === null && view.value.phase !== "over"
    ? { row: near[0], column: near[1], size }
    : null;
}
