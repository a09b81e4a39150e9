// @ts-check
/** The tree of an analysis: moves and variations, and the place in it that is in sight. */
import { computed, signal } from "@preact/signals";
import { ask } from "../api.js";
import { edition, showEdition, view } from "../store.js";
import { cancel, selection } from "../selection.js";
import { t } from "../words.js";
import { tableView } from "./table.js";

/**
 * @typedef {{
 *   parent: number | null, move: string | null, step: any, snapshot: any, comment: string, suffix: string,
 *   eval: [number, number] | null, winner: number | null, children: number[], options?: any, turn?: any,
 *   value?: [number, number],
 * }} Node `value` is player 1's win share and lead; `turn` what the review found
 * @typedef {{edition: string, edition_title: string, theme: string, tags: Record<string, string>, nodes: Node[],
   token?: string, door?: string, you: number[], record: string}} Tree
 */

/** @type {import("@preact/signals").Signal<Tree | null>} */
export const tree = signal(null);
/** the number of the node in sight */
export const at = signal(0);
/** whether moves are made on the board */
export const hands = signal(false);

/** The nodes from the start to the one in sight. */
export const path = computed(() => pathTo(at.value));
/** The path and what follows on its first moves. */
export const line = computed(() => {
  const now = tree.value;
  if (!now) return [];
  const found = [...path.value];
  for (let next = now.nodes[found[found.length - 1]].children[0]; next !== undefined;
    next = now.nodes[next].children[0]) found.push(next);
  return found;
});
/** The moves of the game itself. */
export const mainLine = computed(() => {
  const found = [0];
  const nodes = tree.value?.nodes ?? [];
  for (let next = nodes[0]?.children[0]; next !== undefined; next = nodes[next].children[0]) found.push(next);
  return found;
});

/** @param {number} number */
export function pathTo(number) {
  const nodes = tree.value?.nodes ?? [];
  const found = [];
  for (let at = /** @type {number | null} */ (nodes[number]
    ? number : null); at !== null; at = nodes[at].parent) found.unshift(at);
  return found;
}

/**
 * Brings a tree from the server into sight.
 * @param {any} read
 * @param {{token?: string, door?: string, you?: number[], record: string}} more
 */
export async function openTree(read, { token, door, you = [], record }) {
  const nodes = read.nodes.map((/** @type {any} */ node) => ({ ...node, children: [] }));
  nodes.forEach((/** @type {Node} */ node, /** @type {number} */ i) => node.parent !== null
    && nodes[node.parent].children.push(i));
  await showEdition(read.edition, read.theme);
  tree.value = { ...read, nodes, token, door, you, record };
  goToNode(0);
}

/** Takes a change of the nodes into sight. */
export function refresh() {
  const now = tree.peek();
  if (now) tree.value = { ...now };
}

/** @param {number} number */
export async function goToNode(number) {
  const now = tree.peek();
  if (!now?.nodes[number]) return;
  at.value = number;
  selection.value = null;
  show();
  if (hands.peek()) await takeHands();
}

/** Back or on along the line in sight. @param {number} by */
export function step(by) {
  const here = path.peek().length - 1;
  const to = line.peek()[Math.max(0, Math.min(line.peek().length - 1, here + by))];
  if (to !== at.peek()) goToNode(to);
}

/** Puts the node in sight on the table. */
export function show() {
  const now = tree.peek();
  if (!now || edition.peek()?.id !== now.edition) return;
  const node = now.nodes[at.peek()];
  const steps = line.peek().slice(1).map((n) => now.nodes[n].step);
  view.value = tableView({
    ...now, game: "study", version: at.peek(), names: [nameIn(now, 1), nameIn(now, 2)], you: [1, 2],
    snapshot: node.snapshot, ring: ringOf(now), options: hands.peek() ? node.options ?? null : null, moves: steps,
    ply: path.peek().length - 1, winner: node.winner,
  });
  if (node.options && hands.peek()) cancel();
}

/** @param {Tree} now @param {number} player */
export const nameIn = (now, player) => now.tags[`Player${player}`] || t("new.player", { n: player });

/** The circle as it was laid out last. @param {Tree} now */
function ringOf(now) {
  const dealt = path.peek().findLast((n) => n === 0 || now.nodes[n].move?.startsWith("=")) ?? 0;
  return now.nodes[dealt].snapshot.circle;
}

/** Asks what may be done in the position in sight, and lets it be done. */
export async function takeHands() {
  hands.value = true;
  const number = at.peek();
  const node = /** @type {Tree} */ (tree.peek()).nodes[number];
  if (node.options === undefined) {
    const told = await ask("study/play", { method: "POST", body: { position: node.snapshot.position } });
    node.options = told.options;
  }
  if (at.peek() === number) show();
}

export function putHandsAway() {
  hands.value = false;
  selection.value = null;
  show();
}

/**
 * Plays moves after a node, as a variation where they are new; returns the last node.
 * @param {number} from
 * @param {string[]} moves
 */
export async function playFrom(from, moves) {
  const now = /** @type {Tree} */ (tree.peek());
  let here = from;
  let known = 0;
  for (; known < moves.length; known += 1) {
    const next = now.nodes[here].children.find((n) => now.nodes[n].move === moves[known]);
    if (next === undefined) break;
    here = next;
  }
  if (known < moves.length) {
    const told = await ask("study/play", { method: "POST", body: { position: now.nodes[here].snapshot.position,
      moves: moves.slice(known) } });
    for (const node of told.nodes) {
      now.nodes.push({ ...node, parent: here, children: [] });
      now.nodes[here].children.push(now.nodes.length - 1);
      here = now.nodes.length - 1;
    }
    now.nodes[here].options = told.options;
    refresh();
  }
  return here;
}

/** The tree as the server writes it. */
export function toWrite() {
  const now = /** @type {Tree} */ (tree.peek());
  return {
    start: now.nodes[0].snapshot.position,
    tags: now.tags,
    nodes: now.nodes.slice(1).map((node) => ({
      parent: node.parent,
      move: node.move,
      suffix: node.suffix || markOf(node.turn),
      comment: node.comment.replace(/\[%eval[^\]]*\]/g, "").trim(),
      eval: evalOf(node),
    })),
  };
}

/** For the player who just moved. @param {Node} node */
function evalOf(node) {
  if (!node.value || !node.step?.player) return node.eval ?? null;
  const [win, points] = node.value;
  return node.step.player === 1 ? [win, points] : [1 - win, -points];
}

/** The mark of notation for a judged move. @param {any} turn */
export const markOf = (turn) => ({ inaccuracy: "?!", mistake: "?",
  blunder: "??" })[/** @type {string} */ (turn?.label)] ?? "";
