// @ts-check
/** A position set up by hand: what lies where, sent to the server, which says what is wrong with it. */
import { signal } from "@preact/signals";
import { ask } from "../api.js";
import { choose, selection } from "../selection.js";
import { patchOf, readPlaced } from "../shapes.js";
import { edition, tell, view } from "../store.js";
import { whyRefused } from "../words.js";
import { at, openTree, tree } from "./tree.js";

/**
 * @typedef {{key: string, figures: Record<string, string | number>}} Problem
 * @typedef {{space: number, buttons: number, first: boolean, quilt: string[]}} Side
 * @typedef {{edition: string, turn: number, shown: number, pending: number, tile: number | null, players: [Side,
   Side], circle: string[], reserve: string[], problems: Problem[], position: string | null}} Draft
 * `shown` is the player whose quilt is being laid.
 */

/** @type {import("@preact/signals").Signal<Draft | null>} */
export const draft = signal(null);

/** Begins with the position in sight. */
export function openDraft() {
  const node = tree.peek()?.nodes[at.peek()];
  if (!node) return;
  const { snapshot } = node;
  const side = (/** @type {any} */ p) => ({ space: p.space, buttons: p.buttons, first: false, quilt: [...p.quilt] });
  const turn = snapshot.turn ?? 1;
  draft.value = {
    edition: /** @type {any} */ (tree.peek()).edition, turn, shown: turn, pending: snapshot.pending,
      tile: snapshot.tile,
    players: [side(snapshot.players[0]), side(snapshot.players[1])],
    circle: [...snapshot.circle, ...(snapshot.held
      ? [snapshot.held] : [])], reserve: [...snapshot.reserve], problems: [], position: snapshot.position,
  };
  showDraft();
}

/** An empty table: the whole circle, nothing laid. */
export function clearDraft() {
  const e = /** @type {any} */ (edition.peek());
  const side = () => ({ space: 0, buttons: e.start_buttons, first: false, quilt: [] });
  const patches = Object.values(e.patches);
  const codes = (/** @type {boolean} */ reserve) =>
    patches.filter((p) => Boolean(p.reserve) === reserve).map((p) => p.code);
  change({ turn: 1, shown: 1, pending: 0, tile: null, players: [side(), side()], circle: codes(false),
    reserve: codes(true) });
}

let asked = 0;

/** @param {Partial<Draft>} parts */
export async function change(parts) {
  const next = /** @type {Draft} */ ({ .../** @type {Draft} */ (draft.peek()), ...parts });
  draft.value = next;
  showDraft();
  const mine = ++asked;
  const { shown, problems, position, ...body } = next;
  try {
    const told = await ask("study/setup", { method: "POST", body });
    if (mine === asked && draft.peek()) draft.value = { .../** @type {Draft} */ (draft.peek()), ...told };
  } catch (error) {
    tell(whyRefused(error), "warning");
  }
}

/** @param {number} player @param {Partial<Side>} parts */
export function changeSide(player, parts) {
  const players = /** @type {[Side, Side]} */ (/** @type {Draft} */ (draft.peek()).players.map((side,
    i) => (i === player - 1 ? { ...side, ...parts } : side)));
  return change({ players });
}

/** Lays what is in hand on the quilt in sight. @param {string} move */
export function layInDraft(move) {
  const now = /** @type {Draft} */ (draft.peek());
  const placed = readPlaced(move);
  if (!placed) return;
  const players = /** @type {[Side, Side]} */ (now.players.map((side, i) => (i === now.shown - 1
    ? { ...side, quilt: [...side.quilt, move] } : side)));
  selection.value = null;
  change({ players, circle: now.circle.filter((code) => code !== placed.code),
    reserve: now.reserve.filter((code) => code !== placed.code) });
}

/** Takes a laid patch back to the circle. @param {number} player @param {string} move */
export function takeUp(player, move) {
  const now = /** @type {Draft} */ (draft.peek());
  const code = readPlaced(move)?.code ?? "";
  const players = /** @type {[Side, Side]} */ (now.players.map((side, i) => (i === player - 1
    ? { ...side, quilt: side.quilt.filter((m) => m !== move) } : side)));
  const reserve = /** @type {any} */ (edition.peek()).patches[code]?.reserve;
  change({ players, ...(code === "s" ? {} : reserve
    ? { reserve: [...now.reserve, code] } : { circle: [code, ...now.circle] }) });
}

/** Puts the set-up on the table: every patch may be laid anywhere on the board. */
function showDraft() {
  const now = draft.peek();
  const e = edition.peek();
  if (!now || !e) return;
  const old = view.peek();
  view.value = {
    ...old, version: -1, turn: now.shown, phase: "turn", why: "behind", pending: 0, held: null, tile: now.tile,
      result: null, moves: [], ply: 0,
    players: now.players.map((side, i) => ({ ...old.players[i], space: Math.min(side.space, e.last_space),
      buttons: side.buttons,
      quilt: side.quilt, square: null })),
    circle: now.circle, choices: [], ring: now.circle, reserve: now.reserve,
    options: { advance: null, special: null, patches: Object.fromEntries([...now.circle,
      ...now.reserve].map((code) => [code, anywhere(e, code)])) },
  };
}

/** Takes a special patch in hand. */
export function takeSpecial() {
  const e = /** @type {import("../shapes.js").Edition} */ (edition.peek());
  const options = /** @type {import("../../types/messages").Options} */ (view.peek().options);
  view.value = { ...view.peek(), options: { ...options, special: { ...anywhere(e, "s"), remove: null } } };
  choose("s", false);
}

/** @param {import("../shapes.js").Edition} e @param {string} code */
function anywhere(e, code) {
  const forms = Object.entries(patchOf(e, code).forms);
  const places = forms.map(([name, form]) => {
    const spots = [];
    for (let row = 0; row + form.rows <= e.rows; row += 1) for (let column = 0; column + form.columns <= e.columns;
      column += 1) spots.push(row * e.columns + column);
    return [name, spots];
  });
  return { code, missing: 0, fits: true, legal: true, take: false, places: Object.fromEntries(places), tile: {},
    preview: null, tile_preview: null };
}

/** Leaves the set-up; with a right position a new analysis begins there. @param {boolean} use */
export async function closeDraft(use) {
  const now = draft.peek();
  draft.value = null;
  selection.value = null;
  if (use && now?.position) {
    const record = `[Position "${now.position}"]\n\n*\n`;
    await openTree(await ask("study/tree", { method: "POST", body: { record } }), { record });
  }
}
