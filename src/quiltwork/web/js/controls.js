// @ts-check
/** The controls of a game: player lines, the preview, and the bar under the thumb. */
import { html } from "./html.js";
import { useEffect, useState } from "preact/hooks";
import { Currency, Face, Icon, PieceIcon, Token } from "./art.js";
import { PatchPicture } from "./patch.js";
import { cancel, change, chooseAdvance, chooseRemove, moveText, options, preview, ready, selection, sewing, turn } from "./selection.js";
import { edition, view, wide } from "./store.js";
import { askHint, hint, hinting, link, send, sew } from "./table.js";
import { clockText, describeHint, describeMove, describePreview, describeTurn, latestMoves, nameOf } from "./telling.js";
import { noun, number, signed, t } from "./words.js";

/** One player's name, buttons, income, score and clock. @param {{player: number, onClick?: () => void, pressed?: boolean, children?: unknown}} props */
export function PlayerLine({ player, onClick, pressed, children }) {
  const now = view.value;
  const state = now.players[player - 1];
  const seat = now.seats[player - 1];
  const toMove = now.turn === player && !now.result;
  const tag = onClick ? "button" : "div";
  const about = t("line.label", {
    name: nameOf(now, player),
    buttons: state.buttons,
    income: state.income,
    points: state.score.total,
    empty: state.empty,
  });
  return html`
    <div class=${`player-line player-${player} ${toMove ? "to-move" : ""}`} data-player=${player}>
      <${tag} type=${onClick ? "button" : undefined} class="who" onClick=${onClick} aria-pressed=${onClick ? pressed : undefined}>
        <span class="unseen">${about}${onClick ? ` ${t("line.show_quilt")}` : ""}</span>
        <span class="face-and-token" aria-hidden="true">
          <${Face} id=${seat.opponent} player=${player} size=${34} />
          ${seat.opponent && html`<span class="mini-token"><${Token} player=${player} size=${18} /></span>`}
        </span>
        <span class="name" aria-hidden="true">${nameOf(now, player)}${seat.kind === "human" && !seat.online && !now.you.includes(player) ? html`<span class="away" title=${t("line.away")}> ⋯</span>` : ""}</span>
        <span class="figures" aria-hidden="true">
          <span class="buttons" title=${noun("button", 2)}><${Currency} size=${19} /><b>${state.buttons}</b></span>
          <span class="income" title=${noun("income", 1)}>${signed(state.income) === "0" ? "+0" : signed(state.income)}</span>
          <span class="score" title=${t("line.score")}>${number(state.score.total)} <small>${noun("point", state.score.total)}</small></span>
          ${now.tile === player && html`<span class="tile-mark" title=${noun("special_tile", 1)}><${PieceIcon} name="tile" size=${20} /></span>`}
        </span>
        <${Clock} player=${player} />
      </${tag}>
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
  return html`<span class=${`clock ${running ? "running" : ""} ${left < 20 && clock.kind === "live" ? "short" : ""}`} role="timer" aria-label=${t("clock.label")}>${clockText(left)}</span>`;
}

/** Whose turn it is and why, or everything that the selected move will do. */
export function Preview() {
  const now = view.value;
  const will = preview.value;
  const chosen = selection.value;
  if (link.value?.status.value === "away") return html`<div class="preview away" role="status">${t("link.away")}</div>`;
  if (!will || !chosen || now.result) {
    const made = now.you.includes(now.turn) || now.you.length === 0 ? latestMoves(now).filter((m) => m.player) : [];
    return html`<div class="preview calm">${made.length > 0 && !(now.you.length === 1 && made[0].player === now.turn) && html`<span class="made">${made.map((m) => describeMove(now, m)).join(" ")}</span>`}<span class="turn-text">${now.thinking ? html`<${Thinking} key=${now.version} name=${nameOf(now, now.turn)} />` : describeTurn(now)}</span></div>`;
  }
  const state = now.players[now.turn - 1];
  if (!ready.value) return html`<div class="preview blocked"><span class="turn-text">${t("preview.blocked")}</span></div>`;
  return html`
    <div class="preview will" data-buttons=${will.buttons} data-space=${will.space} data-score=${will.score} data-next=${will.next ?? ""}>
      <span class="chip" title=${noun("button", 2)}><${Currency} size=${16} />${change(state.buttons, will.buttons)}</span>
      ${will.space !== state.space && html`<span class="chip" title=${noun("space", 1)}><${Token} player=${now.turn} size=${16} />${change(state.space, will.space)}</span>`}
      <span class="chip" title=${t("line.score")}>${change(state.score.total, will.score)} <small>${noun("point", will.score)}</small></span>
      ${describePreview(now, will).map((part) => html`<span class=${`chip said ${part.key}`} key=${part.key}>${part.text}</span>`)}
      ${will.choices.length > 0 &&
      html`<span class="chip then" title=${t("preview.choices", { name: nameOf(now, will.next) })}>
        <span class="unseen">${t("preview.choices", { name: nameOf(now, will.next) })} ${will.choices.map((/** @type {any} */ c) => c.code).join(", ")}</span>
        ${will.choices.map((/** @type {any} */ c) => html`<span key=${c.code} class=${c.legal ? "" : "dim"}><${PatchPicture} code=${c.code} cell=${8} fit=${26} /></span>`)}
      </span>`}
      ${wide.value && hint.value && html`<span class="chip said hint">${describeHint(hint.value)}</span>`}
    </div>`;
}

const LONG = 6000;

/** That the computer thinks, and why it may take long. @param {{name: string}} props */
function Thinking({ name }) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  return t(long ? "turn.thinking_long" : "turn.thinking", { name });
}

/** Advance, rotate, flip, Sew. */
export function ActionBar() {
  const now = view.value;
  const mine = options.value;
  const chosen = selection.value;
  const laying = chosen?.kind === "lay" && chosen.code !== "s";
  const advance = mine?.advance;
  const label = chosen?.kind === "advance" ? t("bar.go") : chosen?.kind === "take" ? t("bar.take") : chosen?.kind === "remove" ? t("bar.remove") : t("bar.sew");
  return html`
    <div class="action-bar" role="toolbar" aria-label=${t("bar.label")}>
      ${mine?.special
        ? mine.special.remove && html`<button type="button" class=${`soft ${chosen?.kind === "remove" ? "chosen" : ""}`} onClick=${chooseRemove}>${t("bar.remove")}</button>`
        : html`<button type="button" class=${`soft advance ${chosen?.kind === "advance" ? "chosen" : ""}`} disabled=${!advance}
            aria-pressed=${chosen?.kind === "advance"} aria-keyshortcuts="A" onClick=${() => (chosen?.kind === "advance" ? cancel() : chooseAdvance())}>
            <${Icon} name="advance" /><span>${t("bar.advance")}</span>${advance && html`<b>+${advance.spaces}</b>`}
          </button>`}
      <button type="button" class="round" disabled=${!laying} onClick=${() => turn("rotate")} aria-label=${t("bar.rotate")} title=${`${t("bar.rotate")} (R)`} aria-keyshortcuts="R"><${Icon} name="rotate" /></button>
      <button type="button" class="round" disabled=${!laying} onClick=${() => turn("flip")} aria-label=${t("bar.flip")} title=${`${t("bar.flip")} (F)`} aria-keyshortcuts="F"><${Icon} name="flip" /></button>
      ${now.can.takeback && html`<button type="button" class="round" onClick=${() => send("takeback")} aria-label=${t("bar.takeback")} title=${`${t("bar.takeback")} (U)`} aria-keyshortcuts="U"><${Icon} name="undo" /></button>`}
      ${now.can.hint && html`<button type="button" class=${`round ${hinting.value ? "busy" : ""}`} disabled=${!mine || hinting.value} onClick=${askHint} aria-label=${t("bar.hint")} title=${`${t("bar.hint")} (H)`} aria-keyshortcuts="H"><${Icon} name="hint" /></button>`}
      <button type="button" class="sew" disabled=${!ready.value || sewing.value} onClick=${sew} aria-keyshortcuts="Enter">
        <${Icon} name="needle" />${label}
      </button>
      <span class="unseen" data-move=${chosen ? moveText(chosen) : ""}></span>
    </div>`;
}

/** The square nearest to the special tile, where it is close. @param {number} player */
export function nearSquare(player) {
  const near = view.value?.players[player - 1]?.square;
  const size = edition.value?.tile?.square;
  return near && size && view.value.tile === null && view.value.phase !== "over" ? { row: near[0], column: near[1], size } : null;
}
