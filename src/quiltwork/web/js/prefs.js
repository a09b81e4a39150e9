// @ts-check
/** What this device remembers: preferences, the player's name, and the games it holds tokens of. */
import { effect, signal } from "@preact/signals";

const PREFIX = "quiltwork.";

/** @template T @param {string} name @param {T} fallback @returns {T} */
function read(name, fallback) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** @template T @param {string} name @param {T} fallback */
function remembered(name, fallback) {
  const value = signal(read(name, fallback));
  effect(() => {
    const text = JSON.stringify(value.value);
    try {
      localStorage.setItem(PREFIX + name, text);
    } catch {
      // A browser that keeps nothing still plays.
    }
  });
  return value;
}

export const language = remembered("language", (navigator.language || "en").toLowerCase().split("-")[0]);
/** "auto", "light" or "dark" */
export const scheme = remembered("scheme", "auto");
/** "edition", or the id of a theme that dresses every edition */
export const dress = remembered("dress", "edition");
/** "slow", "normal", "fast" or "off" */
export const animation = remembered("animation", "normal");
/** whether codes, cells and moves in notation are shown */
export const notation = remembered("notation", false);
/** what the coach speaks up about: "off", "small", "mistakes" or "blunders" */
export const coach = remembered("coach", "off");
export const sound = remembered("sound", false);
/**
 * the lesson that was left: which, at which step, on which table, and whether the step is tried again
 * @type {import("@preact/signals").Signal<{id: string, at: number, token: string, again?: boolean} | null>}
 */
export const lesson = remembered("lesson", /** @type {any} */ (null));
/** whether a lesson was finished, or politely declined */
export const learned = remembered("learned", false);
/** games won in a row, by opponent, and the last one that was counted */
export const wins = remembered("wins", {
  last: "",
  by: /** @type {Record<string, number>} */ ({}),
});
/** whether the weakest opponent's games come with remarks */
export const remarks = remembered("remarks", false);
/**
 * how puzzles went, as the server counts it; null before the first
 * @typedef {{
 *   rating: number, tried: number, solved: number, streak: number, best_streak: number, seen: string[],
 * }} Solved
 */
export const solved = remembered("puzzles", /** @type {Solved | null} */ (null));
export const playerName = remembered("name", "");
/** what was chosen last on the start page */
export const lastChoice = remembered("choice", { edition: "patchwork", opponent: "" });

/**
 * @typedef {{token: string, title: string, edition: string, at: number, over: boolean, edition_title?: string,
 *   face?: string | null, friend?: boolean, turn?: string, result?: string, score?: number[] | null,
 *   picture?: {rows: string[], colours: string[]}}} KeptGame
 */
/** @type {import("@preact/signals").Signal<KeptGame[]>} */
export const games = remembered("games", /** @type {KeptGame[]} */ ([]));

const KEPT = 30;

/** Keeps what is known of a game, the newest first. @param {KeptGame} game @param {boolean} [newest] */
export function keepGame(game, newest = true) {
  const old = games.peek();
  const at = old.findIndex((g) => g.token === game.token);
  const kept = { ...old[at], ...game };
  games.value = at >= 0 && !newest ? old.with(at, kept) : [kept, ...old.filter((_g, i) => i !== at)].slice(0, KEPT);
}

/** @param {string} token */
export function forgetGame(token) {
  games.value = games.peek().filter((g) => g.token !== token);
}

/** @typedef {{invitation: string, key: string, token?: string}} TakenSeat */
/** the seats that invitations led to, and the keys with which they were taken */
const seats = remembered("seats", /** @type {TakenSeat[]} */ ([]));

/** The seat of an invitation, as far as this device has it. @param {string} invitation */
export const seatOf = (invitation) => seats.peek().find((s) => s.invitation === invitation);

/** @param {TakenSeat} seat */
export function keepSeat(seat) {
  seats.value = [seat, ...seats.peek().filter((s) => s.invitation !== seat.invitation)].slice(0, KEPT);
  return seat;
}

const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");

const PACES = { slow: 1.7, normal: 1, fast: 0.45, off: 0 };

/** Whether the device asks for stillness: then what would move is shown as it ends. */
export const still = () => reduced.matches;

/** How long movements last, as a factor: 0 for none. */
export function pace() {
  const factor = PACES[/** @type {keyof typeof PACES} */ (animation.value)] ?? 1;
  return still() ? 0 : factor;
}
