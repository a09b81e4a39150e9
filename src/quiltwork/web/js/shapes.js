// @ts-check
/** Reading the server's shapes: patches, their turned forms, and cells. No rules. */

/**
 * @typedef {{
 *   name: string, cells: [number, number][], rows: number, columns: number, path: string, seam: string,
 *   buttons: [number, number, number][], rotate: string, back: string, flip: string,
 * }} Form
 * @typedef {{
 *   code: string, buttons: number, time: number, income: number, fabric: string, reserve: boolean,
 *   forms: Record<string, Form>, names: Record<string, string>,
 * }} Patch
 * @typedef {{
 *   id: string, title: string, theme: string, rows: number, columns: number, board: string[], last_space: number,
 *   income_spaces: number[], special_patch_spaces: number[], may_be_removed: boolean,
 *   tile: {square: number, points: number} | null, choices: number, reserve_enters_when_left: number | null,
 *   start_buttons: number, points_per_empty_space: number, special: Patch, patches: Record<string, Patch>,
 * }} Edition
 * @typedef {{code: string, form: string, row: number, column: number}} Placed
 */

/** @param {number} row @param {number} column */
export const cellName = (row, column) => String.fromCharCode(97 + column) + (row + 1);

const PLACED = /^([0-9a-z]*?[a-z])@([a-z])(\d+)(f?(?:r[123])?)$/;

/** Reads `5c@d4r1` or `s@e5`. @param {string} text @returns {Placed | null} */
export function readPlaced(text) {
  const found = PLACED.exec(text.trim().toLowerCase());
  if (!found) return null;
  return { code: found[1], column: found[2].charCodeAt(0) - 97, row: Number(found[3]) - 1, form: found[4] };
}

/** @param {Placed} placed */
export const writePlaced = ({ code, form, row, column }) => `${code}@${cellName(row, column)}${form}`;

/** @param {Edition} edition @param {string} code @returns {Patch} */
export const patchOf = (edition, code) => (code === "s" ? edition.special : edition.patches[code]);

/** @param {Edition} edition @param {Placed} placed @returns {Form} */
export function formOf(edition, placed) {
  const patch = patchOf(edition, placed.code);
  return patch.forms[patch.names[placed.form]];
}

/** The cells that a placed patch covers. @param {Edition} edition @param {Placed} placed */
export function cellsOf(edition, placed) {
  return formOf(edition, placed).cells.map(
    ([r, c]) => /** @type {[number, number]} */ ([r + placed.row, c + placed.column]),
  );
}
