// @ts-check
/** The page of a game: the table with everything on it. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon, PieceIcon, Token } from "./art.js";
import { Choices, Strip } from "./circle.js";
import { ActionBar, nearSquare, PlayerLine } from "./controls.js";
import { Ahead, Counting, countingOpen } from "./counting.js";
import { CoachDialog } from "./coach.js";
import { Carried, grab, inAir, overBoard, workBoard } from "./drag.js";
import { noteFocus, watchFocus } from "./focus.js";
import { GuestName } from "./guest.js";
import { onKeyDown } from "./keys.js";
import { canShowAgain, showAgain } from "./again.js";
import { fresh, isOver, staged, staying } from "./scene.js";
import { Invitation, Menu, MoveList, RequestBanner } from "./menu.js";
import { nearPlayer } from "./near.js";
import { Preview } from "./preview.js";
import { Quilt } from "./quilt.js";
import { Shortcuts } from "./shortcuts.js";
import { fits, isListed, options, selection, tapCell, trial, turn } from "./selection.js";
import { openReview, ReviewBar, reviewed, stepTo } from "./review.js";
import { ResultPanel } from "./result.js";
import { Ring } from "./ring.js";
import { edition, goTo, upright, view, wide } from "./store.js";
import { join, leave, link } from "./table.js";
import { TimeBoard } from "./track.js";
import { describePlayers, latestMoves, nameOf } from "./telling.js";
import { isWatching, WatchBar } from "./watching.js";
import { wheelTurn } from "./wheel.js";
import { t, tOr } from "./words.js";

export const menuOpen = signal(false);
export const listOpen = signal(false);
const peek = signal(false);

/** @param {{token: string, replay?: boolean}} props whether a finished game is shown from its start */
export function GamePage({ token, replay = false }) {
  useEffect(() => {
    join(token);
    peek.value = false;
    return () => {
      menuOpen.value = listOpen.value = countingOpen.value = false;
      leave(token);
    };
  }, [token]);
  const finished = replay && Boolean(view.value?.result);
  const replayed = useRef("");
  useEffect(() => {
    // Once: the last step has the result in sight again, and so has the table when the replay is closed.
    if (!finished || replayed.current === token) return;
    replayed.current = token;
    openReview().then(() => stepTo(0));
  }, [finished]);
  const status = link.value?.status.value;
  const why = link.value?.why;
  if (status === "refused") return html`
    <main class="lost">
      <h1>${tOr(`lost.${why}.title`, t("lost.title"))}</h1>
      <p>${tOr(`lost.${why}.text`, t("lost.text"))}</p>
      <button type="button" class="sew" onClick=${() => goTo("")}>${t("lost.home")}</button>
    </main>
  `;
  if (!view.value || !edition.value || edition.value.id !== view.value.edition) return html`
    <main class="waiting" aria-busy="true"><p>${t("waiting")}</p></main>
  `;
  return html`<${Table} />`;
}

export function Table() {
  const now = view.value;
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  useEffect(watchFocus, []);
  const near = nearPlayer();
  const far = 3 - near;
  const kinds = [wide.value ? "wide" : "narrow", isOver(now) && "over", reviewed.value && "looking-back"];
  return html`
    <main class=${["table", ...kinds].filter(Boolean).join(" ")}
      data-moves=${now.moves.length} data-version=${now.version} onFocusIn=${noteFocus}>
      <h1 class="unseen">${describePlayers(now)}</h1>
      ${wide.value ? html`<${WideTable} near=${near} far=${far} />` : html`<${NarrowTable} near=${near} far=${far} />`}
      <${Carried} />
      ${menuOpen.value && html`<${Menu} onClose=${() => (menuOpen.value = false)} />`}
      ${countingOpen.value && html`<${Counting} />`}
      <${CoachDialog} />
      <${RequestBanner} />
      <${Invitation} />
      <${GuestName} />
      <${Shortcuts} />
    </main>`;
}

/** @param {{near: number, far: number}} props */
function NarrowTable({ near, far }) {
  const now = view.value;
  const over = isOver(now) && !reviewed.value;
  const shown = staged.value?.looking ? staged.value.player : reviewed.value ? 0 : staying.value;
  const showFar = !over && (peek.value || shown === far);
  return html`
    <div class="top-line">
      <button type="button" class="round" onClick=${() => (menuOpen.value = true)} aria-label=${t("menu.open")}>
        <${Icon} name="menu" />
      </button>
      ${over
        ? html`<${EndNames} players=${[near, far]} />`
        : html`<${PlayerLine} player=${far} onClick=${() => (peek.value = !peek.value)} pressed=${showFar} />`}
    </div>
    <div class="time-place"><${TimeBoard} round=${upright.value} /></div>
    <div class="quilt-place"><div class="quilt-fit">
      <${WorkQuilt} player=${near} covered=${showFar} />
      ${showFar && html`
        <div class="peeked">
          <${WorkQuilt} player=${far} />
          <b class="whose"><${Token} player=${far} size=${18} />${nameOf(now, far)}</b>
          <button type="button" class="round close-peek" onClick=${() => (peek.value = false)} aria-label=${t("close")}>
            <${Icon} name="close" />
          </button>
        </div>
      `}
    </div></div>
    ${!showFar && html`<div class="far-place"><div class="quilt-fit"><${WorkQuilt} player=${far} /></div></div>`}
    <${PlayerLine} player=${near} />
    ${foot(html`<div class="circle-row"><${Choices} /><${Strip} /></div>`)}`;
}

/** Whose quilts lie side by side at the end. @param {{players: number[]}} props */
const EndNames = ({ players }) => html`
  <div class="end-names">
    ${players.map((p) => html`
      <span key=${p} class=${view.value.result?.winner === p ? "winner" : ""}>
        <${Token} player=${p} size=${20} /> ${nameOf(view.value, p)}
        ${view.value.tile === p && html`<${PieceIcon} name="tile" size=${22} />`}
      </span>
    `)}
  </div>
`;

/** What can be done now, or what came of it. @param {unknown} circle the patches to choose among */
function foot(circle) {
  const now = view.value;
  // On a phone the bar of the review takes the circle's place.
  if (reviewed.value) return html`${wide.value ? null : circle}<${ReviewBar} />`;
  if (isOver(now)) return html`<${ResultPanel} />`;
  return html`
    <${Preview} />
    ${circle}
    ${isWatching(now) ? html`<${WatchBar} />` : html`<${ActionBar} />`}`;
}

/** @param {{near: number, far: number}} props */
function WideTable({ near, far }) {
  const now = view.value;
  const left = now.you.length === 1 ? near : 1;
  const right = 3 - left;
  // At the end the result stands between the quilts, where the time board was.
  const over = isOver(now) && !reviewed.value;
  return html`
    <section class="side left">
      <div class="side-top">
        <button type="button" class="round" onClick=${() => (menuOpen.value = true)} aria-label=${t("menu.open")}>
          <${Icon} name="menu" />
        </button>
        <${PlayerLine} player=${left} />
      </div>
      <div class="quilt-place"><div class="quilt-fit"><${WorkQuilt} player=${left} /></div></div>
    </section>
    <section class="middle">
      ${over ? foot(null) : html`<${Ring}><${TimeBoard} round=${true} /></${Ring}>`}
    </section>
    <section class="side right">
      <div class="side-top">
        <${PlayerLine} player=${right} />
        <button type="button" class="round" disabled=${!canShowAgain()} onClick=${showAgain} aria-label=${t("again")}
          title=${`${t("again")} (L)`} aria-keyshortcuts="L">
          <${Icon} name="again" />
        </button>
        <button type="button" class="round open-list" onClick=${() => (listOpen.value = !listOpen.value)}
          aria-pressed=${listOpen.value} aria-label=${t("list.open")}>
          <${Icon} name="list" />
        </button>
      </div>
      <div class="quilt-place"><div class="quilt-fit"><${WorkQuilt} player=${right} /></div></div>
    </section>
    ${!over && html`
      <section class="under">${foot(html`<${Choices} />`)}</section>
      <div class="telling">
        <${Story} name="story" />
        <div class="lies-ahead">${[left, right].map((p) => html`<${Ahead} key=${p} player=${p} brief=${true} />`)}</div>
      </div>
      ${listOpen.value && html`<${Story} name="drawer" />`}
    `}`;
}

/**
 * The moves so far, the last one in sight: under the other's quilt where there is room, or folded out over it.
 * @param {{name: "story" | "drawer"}} props
 */
function Story({ name }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [view.value.moves.length]);
  return html`
    <aside class=${name} ref=${box} tabindex="0" aria-label=${t("list.open")}>
      ${name === "drawer" && html`
        <button type="button" class="round" onClick=${() => (listOpen.value = false)} aria-label=${t("close")}>
          <${Icon} name="close" />
        </button>
      `}
      <${MoveList} />
    </aside>`;
}

/**
 * A player's quilt, with the patch in hand where it is that player's turn here.
 * @param {{player: number, covered?: boolean}} props whether the other's quilt lies over it
 */
export function WorkQuilt({ player, covered = false }) {
  const now = view.value;
  const e = /** @type {import("./shapes.js").Edition} */ (edition.value);
  const trying = trial.value;
  const mine = trying ? trying.player === player : Boolean(options.value) && now.turn === player;
  // The other quilt is not drawn anew with every movement.
  const chosen = mine ? selection.value : null;
  const laying = chosen?.kind === "lay" ? chosen : null;
  const lifted = mine && inAir.value;
  const shown = laying && (!lifted || overBoard.value) ? laying : null;
  const freshHere = new Set([...fresh.value].filter((f) => f.startsWith(`${player}:`)).map((f) => f.slice(2)));
  const latestHere = new Set(latestMoves(now).filter((m) => m.player === player).map((m) => m.move));
  return html`
    <div class=${`quilt-frame ${mine ? "mine" : ""}`} inert=${covered} onContextMenu=${turnHere} onWheel=${turnHere}>
      <${Quilt} edition=${e} player=${player} placements=${now.players[player - 1].quilt}
        label=${t("quilt.label", { name: nameOf(now, player) })}
        laying=${shown} legal=${mine && fits.value} trying=${Boolean(trying)} lifted=${lifted}
        winsTile=${Boolean(shown && isListed(shown, "tile"))}
        fresh=${freshHere} latest=${latestHere} square=${nearSquare(player)}
        boardRef=${mine ? workBoard : undefined} onTap=${mine ? tapCell : undefined}
        onGrab=${(/** @type {PointerEvent} */ event) => laying && grab(event, laying.code, true)}
        onKey=${mine ? onCellKey : undefined} />
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
  if (selection.peek()?.kind !== "lay" || inAir.peek()) return;
  event.preventDefault();
  const how = event.type === "wheel" ? wheelTurn(/** @type {WheelEvent} */ (event)) : "rotate";
  if (how) turn(how);
}
