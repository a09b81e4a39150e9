// @ts-check
/** What the page knows: where it is, the server's offer, and the game on the table. */
import { computed, effect, signal } from "@preact/signals";
import { ask, askOnce } from "./api.js";
import { dress, keepGame, language, scheme } from "./prefs.js";
import { nameOf } from "./telling.js";
import { catalogOf, loadWords, manner, nouns } from "./words.js";

/** @typedef {import("./shapes.js").Edition} Edition */

/** @type {import("@preact/signals").Signal<any>} */
export const about = signal(null);
/** the edition in sight @type {import("@preact/signals").Signal<Edition | null>} */
export const edition = signal(null);
/** the theme in sight @type {import("@preact/signals").Signal<any>} */
export const theme = signal(null);
/** the state of the game, as the server last told it @type {import("@preact/signals").Signal<any>} */
export const view = signal(null);
/** a sentence shown for a moment @type {import("@preact/signals").Signal<{text: string, kind: string} | null>} */
export const notice = signal(null);
/** a sentence spoken to screen readers */
export const spoken = signal("");

export const route = signal(readRoute());
window.addEventListener("hashchange", () => (route.value = readRoute()));

function readRoute() {
  const [page = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  return { page, rest: rest.map(decodeURIComponent) };
}

/** @param {string} path */
export function goTo(path) {
  location.hash = `#/${path}`;
}

const wideMedia = window.matchMedia("(min-width: 1000px) and (min-aspect-ratio: 5/4)");
export const wide = signal(wideMedia.matches);
wideMedia.addEventListener("change", () => (wide.value = wideMedia.matches));

const darkMedia = window.matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(darkMedia.matches);
darkMedia.addEventListener("change", () => (systemDark.value = darkMedia.matches));
export const dark = computed(() => (scheme.value === "auto" ? systemDark.value : scheme.value === "dark"));

let noticeTimer = 0;

/** @param {string} text @param {string} [kind] */
export function tell(text, kind = "info") {
  notice.value = { text, kind };
  say(text);
  clearTimeout(noticeTimer);
  noticeTimer = window.setTimeout(() => (notice.value = null), 6000);
}

/** @param {string} text */
export function say(text) {
  // A live region speaks only what changed.
  spoken.value = spoken.peek() === text ? `${text} ` : text;
}

export async function start() {
  // The page's head has asked for these already, and none waits for another.
  [about.value] = await Promise.all([ask("about"), catalogOf("en"), showEdition("patchwork")]);
  await loadWords(about.value.languages);
  let first = true;
  effect(() => {
    language.value;
    if (!first) loadWords(about.peek().languages);
    first = false;
  });
}

/** Brings an edition and its theme into sight. @param {string} id @param {string} [wantedTheme] */
export async function showEdition(id, wantedTheme) {
  const found = await askOnce(`editions/${encodeURIComponent(id)}`);
  const dressed = dress.peek() === "edition" ? wantedTheme ?? found.theme : dress.peek();
  const look = await askOnce(`themes/${encodeURIComponent(dressed)}`);
  nouns.value = look.words;
  manner.value = look.id;
  theme.value = look;
  edition.value = found;
}

effect(() => {
  const root = document.documentElement;
  root.dataset.theme = theme.value?.id ?? "patchwork";
  root.dataset.scheme = dark.value ? "dark" : "light";
});

effect(() => {
  dress.value;
  const current = edition.peek();
  if (current) showEdition(current.id, view.peek()?.theme);
});

/** Remembers a game on this device. @param {string} token @param {any} state */
export function remember(token, state) {
  const title = [1, 2].map((player) => nameOf(state, player)).join(" – ");
  keepGame({ token, title, edition: state.edition, at: Date.now(), over: Boolean(state.result) });
}
