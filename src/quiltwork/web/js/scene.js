// @ts-check
/**
 * The scene of a move: the patch leaves the circle, travels, turns and is sewn on; the token walks; income flies.
 *
 * It is made of what the server told about the move. The new state is shown when the patch lies on the quilt; what
 * comes after that only holds back figures of it until they are earned.
 */
import { signal } from "@preact/signals";
import { drawn, flyPatch, flyPieces, isHurried, middleOf, parade, rest, unhurried, wait } from "./motion.js";
import { animation, pace } from "./prefs.js";
import { cellsOnScreen } from "./quilt.js";
import { formOf, patchOf, readPlaced } from "./shapes.js";
import { play } from "./sounds.js";
import { edition, wide } from "./store.js";

/**
 * What a scene holds back: where a token still is, what a player still has; and whose quilt is in sight for it.
 * @typedef {{player: number, space?: number, buttons?: number, looking?: boolean, made?: any}} Staged
 */
/** @type {import("@preact/signals").Signal<Staged | null>} */
export const staged = signal(null);
/** whose quilt stays in sight until the next scene, which is the same player's */
export const staying = signal(0);
/** the placements laid by the last moves, as `player:text` @type {import("@preact/signals").Signal<Set<string>>} */
export const fresh = signal(new Set());
/** the game whose end was just seen, so that its points are counted up */
export const ended = signal("");

/** Who made moves; 0 if nobody did. @param {any[]} moves @returns {number} */
export const moverOf = (moves) => moves.find((m) => m.player)?.player ?? 0;

const STEP = 190;
/** A walk takes at most so long, however far. */
const WALK = 2200;
/** So long the other's quilt stays in sight where nothing moves. */
const GLANCE = 1500;

/**
 * Plays the scene of moves that one state brought.
 * @param {any} before @param {any} after @param {any[]} moves @param {() => void} show brings the new state into sight
 * @param {{next: () => number, whole?: boolean}} how who moves in the scene that waits for the end of this one, if any
 *   does; and whether the way of a patch is shown even if the viewer laid it
 */
export async function playScene(before, after, moves, show, { next, whole = false }) {
  const inSight = staying.peek();
  staying.value = 0;
  // Nobody's clock runs out over a scene.
  unhurried(after.clock?.kind === "live" ? 0.35 : 1);
  const made = moves.find((m) => m.player);
  const mine = !whole && made && after.you.includes(made.player);
  if (!made || moves.filter((m) => m.player).length > 1 || document.hidden || (animation.peek() === "off" && !whole)) {
    settle(moves);
    show();
    if (moves.length) play(after.result ? "end" : "lay");
    finish(after, moves);
    return;
  }
  try {
    const home = before.players[made.player - 1];
    const walks = made.to !== made.from;
    /** @type {Staged} */
    const start = {
      player: made.player,
      space: walks ? made.from : undefined,
      buttons: undefined,
      looking: false,
      made: mine ? undefined : made,
    };
    const told = { ...start, buttons: home.buttons };
    if (!mine) {
      staged.value = { ...told, looking: needsLooking(made, inSight) };
      await rest(350);
      await travel(made);
      // What was seen before and is shown again without movement is seen as it was, and then as it is.
      if (whole && pace() === 0) await wait(GLANCE / 2);
    }
    const shelf = document.querySelector(".tile-here");
    const tile = shelf && middleOf(shelf);
    settle(moves);
    show();
    const earned = made.income + (made.move.startsWith("+") ? made.to - made.from : 0);
    const now = {
      ...told,
      looking: staged.peek()?.looking,
      buttons: earned ? after.players[made.player - 1].buttons - earned : undefined,
    };
    staged.value = now;
    await drawn();
    if (readPlaced(made.move)) {
      play("lay");
      await rest(mine ? 200 : 650);
    }
    if (walks) await walk(now, made, before);
    if (made.tile) await winTile(made.player, tile);
    if (pace() === 0 && now.looking) await wait(GLANCE);
    else if (!mine) await rest(now.looking ? 900 : 400);
  } finally {
    if (staged.peek()?.looking && next() === made.player) staying.value = made.player;
    staged.value = null;
    finish(after, moves);
  }
}

/** @param {any[]} moves */
function settle(moves) {
  fresh.value = new Set(moves.map((m) => `${m.player}:${m.move}`));
}

/** @param {any} after @param {any[]} moves */
function finish(after, moves) {
  if (after.result && moves.length && !isHurried()) play("end");
}

/**
 * Whether a quilt must be brought into sight for a move: it is drawn nowhere large enough.
 * @param {any} made @param {number} inSight whose quilt the scene before has left in sight
 */
function needsLooking(made, inSight) {
  if (wide.peek() || (!readPlaced(made.move) && !made.income)) return false;
  if (inSight === made.player) return true;
  const quilt = quiltOf(made.player);
  return !quilt || quilt.getBoundingClientRect().width < 120;
}

/** A player's quilt, where it is in sight. @param {number} player */
const quiltOf = (player) =>
  [...document.querySelectorAll(`.quilt[data-player="${player}"]`)].find((e) => e.checkVisibility());

/** @param {number} player */
const counterOf = (player) => document.querySelector(`.player-line[data-player="${player}"] .buttons`);

/** Leads a patch from where it lay to where it goes. @param {any} made */
async function travel(made) {
  const e = /** @type {any} */ (edition.peek());
  const placed = readPlaced(made.move);
  const code = placed?.code ?? made.move;
  if (!patchOf(e, code)) return;
  await drawn();
  const sources = [...document.querySelectorAll(`[data-code="${code}"]`)].filter((x) => x.checkVisibility());
  const source = sources.find((x) => x.closest(".ring")) ?? sources[0];
  const shape = source?.querySelector(".patch");
  const quilt = quiltOf(made.player);
  const line = document.querySelector(`.player-line[data-player="${made.player}"]`);
  const start = shape ?? line;
  if (!start || !line || (placed && !quilt)) return;
  const first = formOf(e, { code, form: "", row: 0, column: 0 });
  const from = middleOf(start);
  const fromSize = shape ? shape.getBoundingClientRect().width / first.columns : 12;
  let to = middleOf(line);
  let size = 14;
  if (placed) {
    const cells = cellsOnScreen(/** @type {SVGElement} */ (quilt), e);
    const form = formOf(e, placed);
    size = cells.size;
    to = {
      x: cells.left + (placed.column + form.columns / 2) * size,
      y: cells.top + (placed.row + form.rows / 2) * size,
    };
  }
  play("lift");
  for (const each of sources) /** @type {HTMLElement} */ (each).style.opacity = "0.15";
  const land = await flyPatch(e, placed ?? { code, form: "", row: 0, column: 0 }, { from, fromSize, to, size });
  // It lies on the quilt before the flying one goes.
  requestAnimationFrame(() => requestAnimationFrame(land));
  for (const each of sources) /** @type {HTMLElement} */ (each).style.opacity = "";
}

/** The token walks space by space; what it passes pays. @param {Staged} now @param {any} made @param {any} before */
async function walk(now, made, before) {
  const e = /** @type {any} */ (edition.peek());
  const passed = e.income_spaces.filter((/** @type {number} */ at) => at > made.from && at <= made.to);
  const specials = before.special_patch_spaces.filter((/** @type {number} */ at) => at > made.from && at <= made.to);
  const step = Math.min(STEP, WALK / (made.to - made.from));
  const advanced = made.move.startsWith("+");
  let { buttons } = now;
  let left = made.income;
  for (let space = made.from + 1; space <= made.to; space += 1) {
    if (isHurried()) return;
    staged.value = now = { ...now, space };
    play("step");
    await rest(step);
    if (passed.includes(space)) {
      const share = passed.at(-1) === space ? left : Math.floor(made.income / passed.length);
      left -= share;
      buttons = await pay(made.player, buttons, share, earners(made.player));
      staged.value = now = { ...now, buttons };
    }
    if (specials.includes(space)) await giveSpecial(made.player, space);
  }
  if (advanced) {
    const token =
      document.querySelector(`.time-token[data-player="${made.player}"]`) ?? document.querySelector(".track");
    if (token) await pay(made.player, buttons, made.to - made.from, [middleOf(token)]);
  }
}

/**
 * Buttons fly to a player's counter, which counts them.
 * @param {number} player
 * @param {number | undefined} had
 * @param {number} count
 * @param {import("./motion.js").Point[]} places
 */
async function pay(player, had, count, places) {
  const counter = counterOf(player)?.querySelector("svg");
  let buttons = had ?? 0;
  if (!counter || !count || !places.length) return had === undefined ? had : had + count;
  const from = Array.from({ length: count }, (_unused, i) => places[i % places.length]);
  play("income");
  await flyPieces("button", from, middleOf(counter), {
    landed: () => {
      buttons += 1;
      if (staged.peek() && had !== undefined) staged.value = { .../** @type {Staged} */ (staged.peek()), buttons };
    },
  });
  return had === undefined ? had : had + count;
}

/**
 * Where the buttons are that earn a player's income.
 * @param {number} player
 * @returns {import("./motion.js").Point[]}
 */
function earners(player) {
  const e = edition.peek();
  const quilt = quiltOf(player);
  const fallback = document.querySelector(`.player-line[data-player="${player}"] .income`);
  if (!e || !quilt) return fallback ? [middleOf(fallback)] : [];
  const { left, top, size } = cellsOnScreen(/** @type {SVGElement} */ (quilt), e);
  const found = [...quilt.querySelectorAll("[data-laid]")].flatMap((laid) => {
    const placed = readPlaced(laid.getAttribute("data-laid") ?? "");
    if (!placed || placed.code === "s") return [];
    return formOf(e, placed).buttons.flatMap(([row, column, count]) =>
      Array.from({ length: count }, () => ({
        x: left + (placed.column + column + 0.5) * size,
        y: top + (placed.row + row + 0.5) * size,
      })),
    );
  });
  return found.length || !fallback ? found : [middleOf(fallback)];
}

/** @param {number} player @param {number} space */
async function giveSpecial(player, space) {
  const mark =
    document.querySelector(`.special-mark[data-space="${space}"]`) ??
    document.querySelector(`.time-token[data-player="${player}"]`);
  const line = document.querySelector(`.player-line[data-player="${player}"] .who`);
  if (!mark || !line) return;
  play("special");
  await parade("special-patch", middleOf(mark), middleOf(line), Math.min(110, innerWidth / 5));
}

/** @param {number} player @param {import("./motion.js").Point | null} from where it lay */
async function winTile(player, from) {
  const goal = document.querySelector(`.player-line[data-player="${player}"] .tile-mark`) ?? counterOf(player);
  if (!goal) return;
  play("tile");
  await parade("tile", from ?? middleOf(goal), middleOf(goal), Math.min(190, innerWidth / 3));
}

/** Whether the game is over and its last move has been seen. @param {any} now */
export const isOver = (now) => Boolean(now.result) && !staged.value;
