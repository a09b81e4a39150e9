// @ts-check
/** What the page knows: where it is, the server's offer, and the game on the table. */
import { computed, effect, signal } from "@preact/signals";
import { ask, askOnce } from "./api.js";
import { dress, language, scheme } from "./prefs.js";
import { catalogOf, loadWords, manner, nouns, patchNames } from "./words.js";

/** @typedef {import("./shapes.js").Edition} Edition */

/** @type {import("@preact/signals").Signal<any>} */
export const about = signal(null);
/** the edition in sight @type {import("@preact/signals").Signal<Edition | null>} */
export const edition = signal(null);
/** the theme in sight @type {import("@preact/signals").Signal<any>} */
export const theme = signal(null);
/** @typedef {import("../types/messages").View} View */
/**
 * the state of the game, as the server last told it; null where no table is
 * @type {import("@preact/signals").Signal<View>}
 */
export const view = signal(/** @type {any} */ (null));
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

/** Whether a media query holds, as a signal. @param {string} query */
function media(query) {
  const found = window.matchMedia(query);
  const holds = signal(found.matches);
  found.addEventListener("change", () => (holds.value = found.matches));
  return holds;
}

/** room for both quilts with the circle as a ring between them; css/game.css has the same query */
export const wide = media("(min-width: 1180px) and (min-height: 600px) and (min-aspect-ratio: 5/4)");
/** upright, with room for a second quilt beside mine */
export const upright = media("(min-width: 700px) and (max-aspect-ratio: 1/1)");

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
  const look = await askOnce(`themes/${encodeURIComponent(dressed)}?edition=${encodeURIComponent(id)}`);
  nouns.value = look.words;
  patchNames.value = look.patch_names;
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
