// @ts-check
/** The page of a game: the table with everything on it. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./art.js";
import { Choices, Ring, Strip } from "./circle.js";
import { ActionBar, nearSquare, PlayerLine, Preview } from "./controls.js";
import { carried, Carried, grab, workBoard } from "./drag.js";
import { onKeyDown } from "./keys.js";
import { fresh } from "./motion.js";
import { Invitation, Menu, MoveList, RequestBanner } from "./menu.js";
import { Quilt } from "./quilt.js";
import { isListed, options, ready, selection, tapCell, turn } from "./selection.js";
import { ReviewBar, reviewed } from "./review.js";
import { ResultPanel } from "./result.js";
import { edition, goTo, view, wide } from "./store.js";
import { join, leave, link } from "./table.js";
import { TimeBoard } from "./track.js";
import { latestMoves, nameOf } from "./telling.js";
import { t } from "./words.js";

export const menuOpen = signal(false);
export const listOpen = signal(false);
const peek = signal(false);

/** @param {{token: string}} props */
export function GamePage({ token }) {
  useEffect(() => {
    join(token);
    peek.value = false;
    window.addEventListener("keydown", onKeyDown);
    return () => {
      window.removeEventListener("keydown", onKeyDown);
      menuOpen.value = listOpen.value = false;
      leave(token);
    };
  }, [token]);
  const status = link.value?.status.value;
  if (status === "refused") return html`<main class="lost"><h1>${t("lost.title")}</h1><p>${t("lost.text")}</p><button type="button" class="sew" onClick=${() => goTo("")}>${t("lost.home")}</button></main>`;
  if (!view.value || !edition.value || edition.value.id !== view.value.edition) return html`<main class="waiting" aria-busy="true"><p>${t("waiting")}</p></main>`;
  return html`<${Table} />`;
}

/** The player whose quilt is near: yours, or on a shared device the one who moves. */
function nearPlayer() {
  const now = view.value;
  if (now.you.length === 1) return now.you[0];
  if (now.you.length === 2 && !wide.value) return now.turn ?? 1;
  return 1;
}

export function Table() {
  const now = view.value;
  const near = nearPlayer();
  const far = 3 - near;
  return html`
    <main class=${`table ${wide.value ? "wide" : "narrow"} ${now.result ? "over" : ""}`} data-moves=${now.moves.length} data-version=${now.version}>
      <h1 class="unseen">${t("game.heading", { one: nameOf(now, 1), two: nameOf(now, 2) })}</h1>
      ${wide.value ? html`<${WideTable} near=${near} far=${far} />` : html`<${NarrowTable} near=${near} far=${far} />`}
      <${Carried} />
      ${menuOpen.value && html`<${Menu} onClose=${() => (menuOpen.value = false)} />`}
      <${RequestBanner} />
      <${Invitation} />
    </main>`;
}

/** @param {{near: number, far: number}} props */
function NarrowTable({ near, far }) {
  const showFar = peek.value;
  return html`
    <div class="top-line">
      <button type="button" class="round" onClick=${() => (menuOpen.value = true)} aria-label=${t("menu.open")}><${Icon} name="menu" /></button>
      <${PlayerLine} player=${far} onClick=${() => (peek.value = !peek.value)} pressed=${showFar} />
    </div>
    <${TimeBoard} round=${false} />
    <div class="quilt-place">
      <${WorkQuilt} player=${near} hidden=${showFar} />
      ${showFar && html`<div class="peeked"><${WorkQuilt} player=${far} /><button type="button" class="round close-peek" onClick=${() => (peek.value = false)} aria-label=${t("close")}><${Icon} name="close" /></button></div>`}
    </div>
    <${PlayerLine} player=${near} />
    ${foot()}`;
}

function foot() {
  const now = view.value;
  if (reviewed.value) return html`<${ReviewBar} />`;
  if (now.result) return html`<${ResultPanel} />`;
  return html`
    <${Preview} />
    <div class="circle-row"><${Choices} size=${78} /><${Strip} size=${52} /></div>
    <${ActionBar} />`;
}

/** @param {{near: number, far: number}} props */
function WideTable({ near, far }) {
  const now = view.value;
  const left = now.you.length === 1 ? near : 1;
  const right = 3 - left;
  return html`
    <section class="side left"><${PlayerLine} player=${left} /><${WorkQuilt} player=${left} /></section>
    <section class="middle">
      <div class="middle-top">
        <button type="button" class="round" onClick=${() => (menuOpen.value = true)} aria-label=${t("menu.open")}><${Icon} name="menu" /></button>
        <button type="button" class="round" onClick=${() => (listOpen.value = !listOpen.value)} aria-pressed=${listOpen.value} aria-label=${t("list.open")}><${Icon} name="list" /></button>
      </div>
      <${Ring}><${TimeBoard} round=${true} /></${Ring}>
    </section>
    <section class="side right"><${PlayerLine} player=${right} /><${WorkQuilt} player=${right} /></section>
    <section class="under">
      ${reviewed.value ? html`<${ReviewBar} />` : now.result ? html`<${ResultPanel} />` : html`<${Preview} /><${Choices} size=${84} /><${ActionBar} />`}
    </section>
    ${listOpen.value && html`<${Drawer} />`}`;
}

/** The moves at the far right, over the quilt there; the last one is in sight. */
function Drawer() {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [view.value.moves.length]);
  return html`
    <aside class="drawer" ref=${box} tabindex="0" aria-label=${t("list.open")}>
      <button type="button" class="round" onClick=${() => (listOpen.value = false)} aria-label=${t("close")}><${Icon} name="close" /></button>
      <${MoveList} />
    </aside>`;
}

/** A player's quilt, with the patch in hand where it is that player's turn here. @param {{player: number, hidden?: boolean}} props */
function WorkQuilt({ player, hidden = false }) {
  const now = view.value;
  const e = /** @type {import("./shapes.js").Edition} */ (edition.value);
  const mine = Boolean(options.value) && now.turn === player;
  const chosen = selection.value;
  const laying = mine && chosen?.kind === "lay" ? chosen : null;
  const inAir = Boolean(carried.value);
  const shown = laying && (!inAir || carried.value?.over) ? laying : null;
  const freshHere = new Set([...fresh.value].filter((f) => f.startsWith(`${player}:`)).map((f) => f.slice(2)));
  const latestHere = new Set(latestMoves(now).filter((m) => m.player === player).map((m) => m.move));
  return html`
    <div class=${`quilt-frame ${mine ? "mine" : ""}`} hidden=${hidden} onContextMenu=${turnHere} onWheel=${turnHere}>
      <${Quilt} edition=${e} player=${player} placements=${now.players[player - 1].quilt} label=${t("quilt.label", { name: nameOf(now, player) })}
        laying=${shown} legal=${ready.value} lifted=${inAir} winsTile=${Boolean(shown && isListed(shown, "tile"))} fresh=${freshHere} latest=${latestHere} square=${nearSquare(player)}
        boardRef=${mine ? workBoard : undefined} onTap=${mine ? tapCell : undefined}
        onGrab=${(/** @type {PointerEvent} */ event) => laying && grab(event, laying.code, true)} onKey=${mine ? onCellKey : undefined} />
    </div>`;
}

/** @param {KeyboardEvent} event @param {number} row @param {number} column */
function onCellKey(event, row, column) {
  if (selection.peek()?.kind !== "lay") return false;
  if (event.key === " ") {
    tapCell(row, column);
    event.preventDefault();
    return true;
  }
  // The page's own keys move the patch in hand.
  return event.key.startsWith("Arrow") || event.key === "Enter";
}

/** @param {Event} event */
function turnHere(event) {
  if (selection.peek()?.kind !== "lay" || carried.peek()) return;
  event.preventDefault();
  if (event.type === "wheel" && /** @type {WheelEvent} */ (event).deltaY < 0) turn("back");
  else turn("rotate");
}
