// @ts-check
/** Dragging a patch with mouse or finger: lifted above the finger, snapping to legal places. */
import { computed, signal } from "@preact/signals";
import { html } from "./html.js";
import { U } from "./art.js";
import { PatchShape } from "./patch.js";
import { cellsOnScreen } from "./quilt.js";
import { formOf } from "./shapes.js";
import { cancel, choose, dragTo, selection, turn } from "./selection.js";
import { edition } from "./store.js";
import { wheelTurn } from "./wheel.js";

const THRESHOLD = 7;
const LIFT = 34;

/**
 * @typedef {{x: number, y: number, size: number, over: boolean}} Carried the middle of the carried patch
 */
/** @type {import("@preact/signals").Signal<Carried | null>} */
export const carried = signal(null);
/** Whether a patch is in the air: over the board, or beside it. These change seldom, `carried` with every movement. */
export const inAir = computed(() => carried.value !== null);
export const overBoard = computed(() => Boolean(carried.value?.over));

/** The board that patches are laid on now. @type {{current: SVGElement | null}} */
export const workBoard = { current: null };

/**
 * Begins to watch a pointer that went down on a patch; it becomes a drag when it moves.
 * @param {PointerEvent} event
 * @param {string} code
 * @param {boolean} [onBoard] whether the patch lies on the board already
 */
export function grab(event, code, onBoard = false) {
  if (event.button !== 0 || !event.isPrimary) return;
  const start = { x: event.clientX, y: event.clientY };
  const finger = event.pointerType !== "mouse";
  const scrolls = finger && /** @type {Element} */ (event.target).closest(".circle-row") !== null;
  let dragging = false;
  let last = start;

  /** The offset from the pointer to the patch's middle. */
  const offset = { x: 0, y: 0 };

  /** @param {PointerEvent} e */
  const move = (e) => {
    if (e.pointerId !== event.pointerId) return;
    last = { x: e.clientX, y: e.clientY };
    if (!dragging) {
      const dx = Math.abs(last.x - start.x);
      const dy = Math.abs(last.y - start.y);
      if (Math.hypot(dx, dy) < THRESHOLD) return;
      // A finger that moves across scrolls the circle.
      if (scrolls && dx > dy) return stop();
      if (!choose(code, false)) return stop();
      dragging = true;
      if (onBoard) keepOffset();
      document.body.classList.add("dragging");
    }
    e.preventDefault();
    follow();
  };

  const keepOffset = () => {
    const now = selection.peek();
    const board = workBoard.current;
    const e = edition.peek();
    if (now?.kind !== "lay" || !board || !e) return;
    const { left, top, size } = cellsOnScreen(board, e);
    const form = formOf(e, now);
    offset.x = left + (now.column + form.columns / 2) * size - start.x;
    offset.y = top + (now.row + form.rows / 2) * size - start.y;
  };

  const follow = () => {
    const now = selection.peek();
    const board = workBoard.current;
    const e = edition.peek();
    if (now?.kind !== "lay" || !board || !e) return;
    const { left, top, size, box } = cellsOnScreen(board, e);
    const form = formOf(e, now);
    const lift = finger ? (form.rows / 2) * size + LIFT : 0;
    const x = last.x + (finger && !onBoard ? 0 : offset.x);
    const y = last.y + (onBoard ? offset.y - (finger ? LIFT : 0) : -lift);
    const inside =
      x > box.left - size / 2 && x < box.right + size / 2 && y > box.top - size / 2 && y < box.bottom + size / 2;
    carried.value = { x, y, size, over: inside };
    if (inside) dragTo({ row: (y - top) / size - form.rows / 2, column: (x - left) / size - form.columns / 2 });
  };

  /** @param {PointerEvent} e */
  const up = (e) => {
    if (e.pointerId !== event.pointerId) return;
    const dropped = dragging && carried.peek();
    stop();
    if (dropped) {
      // The click that follows a drag is no tap.
      window.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 60);
      if (!dropped.over) cancel();
    }
  };

  /** @param {PointerEvent} e */
  const lost = (e) => {
    if (e.pointerId !== event.pointerId) return;
    if (dragging) cancel();
    stop();
  };

  /** A second finger turns the patch. @param {PointerEvent} e */
  const second = (e) => {
    if (dragging && e.pointerId !== event.pointerId) {
      turn("rotate");
      follow();
    }
  };

  /** @param {Event} e */
  const turned = (e) => {
    if (!dragging) return;
    e.preventDefault();
    const how = e.type === "wheel" ? wheelTurn(/** @type {WheelEvent} */ (e)) : "rotate";
    if (how) turn(how);
    follow();
  };

  /** @param {TouchEvent} e */
  const still = (e) => {
    if (dragging) e.preventDefault();
  };

  const stop = () => {
    dragging = false;
    carried.value = null;
    document.body.classList.remove("dragging");
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", lost);
    window.removeEventListener("pointerdown", second);
    window.removeEventListener("contextmenu", turned);
    window.removeEventListener("wheel", turned);
    window.removeEventListener("touchmove", still);
  };

  window.addEventListener("pointermove", move, { passive: false });
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", lost);
  window.addEventListener("pointerdown", second);
  window.addEventListener("contextmenu", turned);
  window.addEventListener("wheel", turned, { passive: false });
  window.addEventListener("touchmove", still, { passive: false });
}

/** @param {Event} event */
function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

/** The patch in the air. */
export function Carried() {
  const now = carried.value;
  const chosen = selection.value;
  const e = edition.value;
  if (!now || chosen?.kind !== "lay" || !e) return null;
  const form = formOf(e, chosen);
  const [width, height] = [form.columns * now.size, form.rows * now.size];
  return html`
    <svg class=${`carried ${now.over ? "over" : ""}`} width=${width} height=${height}
      viewBox=${`0 0 ${form.columns * U} ${form.rows * U}`} aria-hidden="true"
      style=${{ transform: `translate(${now.x - width / 2}px, ${now.y - height / 2}px)` }}>
      <${PatchShape} code=${chosen.code} form=${chosen.form} />
    </svg>`;
}
