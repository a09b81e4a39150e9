// @ts-check
/**
 * What the player is about to do, before it is sewn: nothing is sent from here but by `sew`.
 *
 * The server told which moves are legal; this file only picks among them.
 */
import { computed, signal } from "@preact/signals";
import { cellName, formOf, patchOf, readPlaced, writePlaced } from "./shapes.js";
import { edition, say, tell, view } from "./store.js";
import { capital, number, patchName, t } from "./words.js";

/**
 * @typedef {{kind: "advance"} | {kind: "take", code: string} | {kind: "remove"}
 *   | {kind: "lay", code: string, form: string, row: number, column: number}} Selection
 */

/** @type {import("@preact/signals").Signal<Selection | null>} */
export const selection = signal(null);
/** whether a sent move waits for its answer */
export const sewing = signal(false);

/** The moves that this viewer may make now, or null. */
export const options = computed(() => view.value?.options ?? null);

/**
 * A patch that is only tried on, with the places where it would fit; nothing on trial can be sewn.
 * @typedef {{code: string, player: number, fits: boolean, missing: number, take: boolean,
 *   places: Record<string, number[]>}} Trial
 * @type {import("@preact/signals").Signal<Trial | null>}
 */
export const trial = signal(null);

/** What may be done with a patch: its legal places by form. @param {string} code @returns {any} */
export function optionOf(code) {
  if (trial.value?.code === code) return trial.value;
  if (!options.value) return null;
  return code === "s" ? options.value.special : options.value.patches[code] ?? null;
}

/** Whether what is tried can still be looked at in a new position. @param {any} old @param {any} next */
export function staysOnTrial(old, next) {
  const tried = trial.peek();
  if (!tried || !old || next.result || !next.circle.includes(tried.code)) return false;
  const [before, after] = [old, next].map((state) => state.players[tried.player - 1].quilt.join());
  return before === after && !next.options;
}

/** @param {{code: string, form: string, row: number, column: number}} placed @param {"places" | "tile"} [list] */
export function isListed(placed, list = "places") {
  const e = edition.value;
  const cells = optionOf(placed.code)?.[list]?.[patchOf(/** @type {any} */ (e), placed.code).names[placed.form]];
  return Boolean(e && cells?.includes(placed.row * e.columns + placed.column));
}

/** Whether the selection is a legal move. */
export const ready = computed(() => {
  const chosen = selection.value;
  if (!chosen || !options.value || trial.value) return false;
  if (chosen.kind === "advance") return Boolean(options.value.advance);
  if (chosen.kind === "remove") return Boolean(options.value.special?.remove);
  if (chosen.kind === "take") return Boolean(optionOf(chosen.code)?.take);
  return isListed(chosen);
});

/** Whether the patch in hand fits where it is shown, on trial or not. */
export const fits = computed(() => {
  const chosen = selection.value;
  return chosen?.kind === "lay" && isListed(chosen);
});

/** What will happen if the selection is sewn. */
export const preview = computed(() => {
  const chosen = selection.value;
  if (!chosen || !options.value || trial.value) return null;
  if (chosen.kind === "advance") return options.value.advance?.preview ?? null;
  if (chosen.kind === "remove") return options.value.special?.remove ?? null;
  const option = optionOf(chosen.code);
  if (!option) return null;
  const winsTile = chosen.kind === "lay" && isListed(chosen, "tile");
  return (winsTile ? option.tile_preview : option.preview) ?? null;
});

/** The text of the selected move. @param {Selection} chosen */
export function moveText(chosen) {
  if (chosen.kind === "advance") return options.peek()?.advance?.move ?? "+";
  if (chosen.kind === "remove") return "s@-";
  return chosen.kind === "take" ? chosen.code : writePlaced(chosen);
}

/** The middle of the last place, where the next patch appears. */
let cursor = { row: 4, column: 4 };

/** @typedef {{row: number, column: number}} Spot */

/**
 * The legal place of a form that is nearest to a spot (the middle of the patch), or null.
 * @param {string} code @param {string} form @param {Spot} spot @param {number} [reach]
 * @returns {Spot | null}
 */
function nearest(code, form, spot, reach = Infinity) {
  const e = /** @type {any} */ (edition.peek());
  const { rows, columns } = patchOf(e, code).forms[form];
  let best = null;
  let least = reach;
  for (const index of optionOf(code)?.places?.[form] ?? []) {
    const row = Math.floor(index / e.columns);
    const column = index % e.columns;
    const distance = Math.hypot(row + (rows - 1) / 2 - spot.row, column + (columns - 1) / 2 - spot.column);
    if (distance < least) {
      least = distance;
      best = { row, column };
    }
  }
  return best;
}

/** Takes a patch (or the special patch, `s`) in hand. @param {string} code @param {boolean} [aloud] */
export function choose(code, aloud = true) {
  if (trial.peek()?.code !== code) trial.value = null;
  const option = optionOf(code);
  if (!option || option.missing > 0 || !(option.take || option.fits)) {
    if (options.peek()) tell(whyNot(code));
    return false;
  }
  if (option.take) {
    selection.value = { kind: "take", code };
    return true;
  }
  const old = selection.peek();
  if (old?.kind === "lay" && old.code === code) return true;
  for (const form of Object.keys(patchOf(/** @type {any} */ (edition.peek()), code).forms)) {
    const spot = nearest(code, form, cursor);
    if (spot) {
      selection.value = { kind: "lay", code, form, ...spot };
      if (aloud) sayPlace();
      return true;
    }
  }
  return false;
}

/** Why a patch cannot be taken now. @param {string} code @param {any} [option] */
export function whyNot(code, option = optionOf(code)) {
  if (!option) return t("why.not_a_choice");
  if (option.missing > 0) return t("why.missing", { count: option.missing });
  return t("why.no_room");
}

export function chooseAdvance() {
  if (!options.peek()?.advance) return;
  trial.value = null;
  selection.value = { kind: "advance" };
}

export function chooseRemove() {
  if (!options.peek()?.special?.remove) return;
  selection.value = { kind: "remove" };
}

/** Puts everything back; a special patch stays in hand, as it must be placed. */
export function cancel() {
  selection.value = trial.value = null;
  const now = options.peek();
  if (now?.special) choose("s", false);
  else if (view.peek()?.phase === "lay") choose(view.peek().held ?? "", false);
}

/** Turns the patch in hand about its middle. @param {"rotate" | "back" | "flip"} how */
export function turn(how) {
  const old = selection.peek();
  if (old?.kind !== "lay" || old.code === "s") return;
  const e = /** @type {any} */ (edition.peek());
  const before = formOf(e, old);
  const form = before[how];
  const after = patchOf(e, old.code).forms[form];
  const spot = {
    row: old.row + (before.rows - 1) / 2,
    column: old.column + (before.columns - 1) / 2,
  };
  const snapped = nearest(old.code, form, spot, 1.3);
  const row = clamp(Math.round(spot.row - (after.rows - 1) / 2), 0, e.rows - after.rows);
  const column = clamp(Math.round(spot.column - (after.columns - 1) / 2), 0, e.columns - after.columns);
  selection.value = { ...old, form, ...(snapped ?? { row, column }) };
  sayPlace();
}

/** Moves the patch in hand by whole cells. @param {number} down @param {number} right */
export function nudge(down, right) {
  const old = selection.peek();
  if (old?.kind !== "lay") return;
  moveTo({ row: old.row + down, column: old.column + right });
  sayPlace();
}

/** Moves the patch in hand to a place, legal or not. @param {Spot} spot */
export function moveTo(spot) {
  const old = selection.peek();
  if (old?.kind !== "lay") return;
  const e = /** @type {any} */ (edition.peek());
  const { rows, columns } = formOf(e, old);
  const row = clamp(spot.row, 0, e.rows - rows);
  const column = clamp(spot.column, 0, e.columns - columns);
  if (row !== old.row || column !== old.column) selection.value = { ...old, row, column };
  cursor = { row: row + (rows - 1) / 2, column: column + (columns - 1) / 2 };
}

/** Moves the patch in hand so that it covers a cell, legally if it can. @param {number} row @param {number} column */
export function tapCell(row, column) {
  const old = selection.peek();
  if (old?.kind !== "lay") return;
  const e = /** @type {any} */ (edition.peek());
  const form = formOf(e, old);
  const covering = (optionOf(old.code)?.places?.[form.name] ?? [])
    .map((/** @type {number} */ index) => ({ row: Math.floor(index / e.columns), column: index % e.columns }))
    .filter((/** @type {Spot} */ at) => form.cells.some(([r, c]) => at.row + r === row && at.column + c === column));
  const middle = { row: row - (form.rows - 1) / 2, column: column - (form.columns - 1) / 2 };
  covering.sort((/** @type {Spot} */ a, /** @type {Spot} */ b) => gap(a, middle) - gap(b, middle));
  moveTo(covering[0] ?? { row: Math.round(middle.row), column: Math.round(middle.column) });
  sayPlace();
}

/**
 * Where a dragged patch lies: the nearest legal place within reach of the finger, or the cell under it.
 * @param {Spot} spot the top left corner of the patch, in cells, not rounded
 */
export function dragTo(spot) {
  const old = selection.peek();
  if (old?.kind !== "lay") return;
  const e = /** @type {any} */ (edition.peek());
  const { rows, columns } = formOf(e, old);
  const middle = { row: spot.row + (rows - 1) / 2, column: spot.column + (columns - 1) / 2 };
  moveTo(
    nearest(old.code, formOf(e, old).name, middle, 0.9) ?? {
      row: Math.round(spot.row),
      column: Math.round(spot.column),
    },
  );
}

/** Reads a move in notation into the selection; returns what is wrong with it, or null. @param {string} text */
export function typeMove(text) {
  const wanted = text.trim().toLowerCase();
  trial.value = null;
  if (/^\+\d*$/.test(wanted)) {
    if (!options.peek()?.advance) return t("why.no_advance");
    chooseAdvance();
    return null;
  }
  if (wanted === "s@-") {
    chooseRemove();
    return selection.peek()?.kind === "remove" ? null : t("why.no_removal");
  }
  const e = /** @type {any} */ (edition.peek());
  const placed = readPlaced(wanted);
  const code = placed?.code ?? wanted;
  if (!patchOf(e, code)) return t("why.not_notation", { text });
  if (!optionOf(code)) return t("why.not_a_choice");
  if (!choose(code)) return whyNot(code);
  if (!placed || selection.peek()?.kind !== "lay") return null;
  const form = patchOf(e, code).names[placed.form];
  selection.value = { kind: "lay", code, form, row: 0, column: 0 };
  moveTo(placed);
  return ready.peek() ? null : t("why.no_place", { cell: cellName(placed.row, placed.column) });
}

function sayPlace() {
  const now = selection.peek();
  if (now?.kind !== "lay") return;
  const place = cellName(now.row, now.column);
  say(t(fits.peek() ? "say.fits" : "say.does_not_fit", { patch: capital(patchName(now.code)), place }));
}

/** @param {Spot} a @param {Spot} b */
const gap = (a, b) => Math.hypot(a.row - b.row, a.column - b.column);

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** What a change of the score looks like. @param {number} before @param {number} after */
export const change = (before, after) => `${number(before)} → ${number(after)}`;
