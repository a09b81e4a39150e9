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
/** "fast", "normal" or "off" */
export const animation = remembered("animation", "normal");
export const sound = remembered("sound", false);
export const playerName = remembered("name", "");
/** what was chosen last on the start page */
export const lastChoice = remembered("choice", { edition: "patchwork", opponent: "" });

/** @typedef {{token: string, title: string, edition: string, at: number, over: boolean, invite?: string}} KeptGame */
/** @type {import("@preact/signals").Signal<KeptGame[]>} */
export const games = remembered("games", /** @type {KeptGame[]} */ ([]));

const KEPT = 30;

/** @param {KeptGame} game */
export function keepGame(game) {
  const old = games.peek().find((g) => g.token === game.token);
  const others = games.peek().filter((g) => g.token !== game.token);
  games.value = [{ ...old, ...game }, ...others].slice(0, KEPT);
}

/** @param {string} token */
export function forgetGame(token) {
  games.value = games.peek().filter((g) => g.token !== token);
}

const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");

/** How long animations last, as a factor: 0 for none. */
export function pace() {
  if (animation.value === "off" || (reduced.matches && animation.value === "normal")) return 0;
  return animation.value === "fast" ? 0.5 : 1;
}
