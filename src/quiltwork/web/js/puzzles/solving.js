// @ts-check
/** The puzzle on the table: where it comes from, and what is said of answers. */
import { signal } from "@preact/signals";
import { ask } from "../api.js";
import { lastChoice, solved } from "../prefs.js";
import { cancel, choose, selection } from "../selection.js";
import { say, showEdition, view } from "../store.js";
import { tableView } from "../study/table.js";

/**
 * @typedef {{key: string, figures: Record<string, any>}} Reason
 * @typedef {{snapshot: any, nodes: any[], options: any}} Laid
 * @typedef {{id: string, kind: "choose" | "place" | "endgame" | "finish", rating: number, take: string | null,
 *   player: number, edition: string, edition_title: string, theme: string, table: Laid}} Puzzle
 * @typedef {{verdict: "solved" | "go-on" | "good" | "wrong" | "shown", reason: Reason | null, line: any[],
 *   impossible: boolean, tempting: {move: string, loss: number | null, reason: Reason | null} | null, table: Laid,
 *   progress: import("../prefs.js").Solved, gained: number, move: string}} Said
 */

/** @type {import("@preact/signals").Signal<Puzzle | null>} */
export const puzzle = signal(null);
/** what was said of the last answer @type {import("@preact/signals").Signal<Said | null>} */
export const said = signal(null);
/** whether an answer is being judged */
export const judging = signal(false);
/** the moves made so far, where several are needed */
export const made = signal(/** @type {string[]} */ ([]));
let shows = 0;

/** Whether nothing more is asked. @param {Said | null} now */
export const isOver = (now) => Boolean(now && !["go-on", "good"].includes(now.verdict));

/**
 * Brings a puzzle to the table and its address into sight.
 * @param {string} wanted an id, `daily`, or nothing for the next one
 */
export async function openPuzzle(wanted) {
  const edition = lastChoice.peek().edition;
  let found;
  try {
    found = await find(wanted, edition);
  } catch (error) {
    // An edition of one's own has none.
    if (/** @type {any} */ (error).code !== "no-puzzle" || edition === "patchwork") throw error;
    found = await find(wanted, "patchwork");
  }
  await showEdition(found.edition, found.theme);
  puzzle.value = found;
  begin();
}

/** @param {string} wanted @param {string} edition @returns {Promise<Puzzle>} */
function find(wanted, edition) {
  if (wanted === "daily") return ask(`puzzles/daily?edition=${encodeURIComponent(edition)}`);
  if (wanted) return ask(`puzzles/${encodeURIComponent(wanted)}`);
  const body = { edition, ...(solved.peek() ? { progress: solved.peek() } : {}) };
  return ask("puzzles/next", { method: "POST", body });
}

/** Asks the puzzle from its start. */
export function begin() {
  said.value = null;
  made.value = [];
  lay(/** @type {Puzzle} */ (puzzle.peek()).table);
}

/** Puts a table in sight. @param {Laid} table */
function lay(table) {
  const now = /** @type {Puzzle} */ (puzzle.peek());
  const last = table.nodes.at(-1);
  selection.value = null;
  view.value = tableView({
    ...now,
    game: "puzzle",
    version: (shows += 1),
    you: [now.player],
    names: [null, null],
    snapshot: last?.snapshot ?? table.snapshot,
    ring: table.snapshot.circle,
    options: table.options,
    moves: table.nodes.map((node) => node.step),
    ply: table.nodes.length,
    winner: last?.winner,
  });
  if (table.options) cancel();
  if (table.options && now.take) choose(now.take, false);
}

/** Gives a move as an answer, or another one to those made. @param {string} move */
export function answer(move) {
  return judge(puzzle.peek()?.kind === "finish" && move !== "impossible" ? [...made.peek(), move] : [move]);
}

/** Has an answer judged; no moves ask for the solution. @param {string[]} moves */
export async function judge(moves) {
  const now = /** @type {Puzzle} */ (puzzle.peek());
  if (judging.peek()) return;
  judging.value = true;
  try {
    const kept = solved.peek();
    const body = { moves, ...(kept ? { progress: kept } : {}) };
    const found = await ask(`puzzles/${now.id}/answer`, { method: "POST", body });
    if (puzzle.peek() !== now) return;
    const gained = kept && isOver(found) ? Math.round(found.progress.rating) - Math.round(kept.rating) : 0;
    if (isOver(found)) solved.value = found.progress;
    if (found.verdict === "go-on") made.value = moves;
    said.value = { ...found, gained, move: moves.at(-1) ?? "" };
    lay(found.table);
    say("");
  } finally {
    judging.value = false;
  }
}
