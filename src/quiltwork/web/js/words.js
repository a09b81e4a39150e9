// @ts-check
/** Words: message catalogs, plural forms, and the nouns of the theme in play. */
import { signal } from "@preact/signals";
import { language } from "./prefs.js";

/** @type {import("@preact/signals").Signal<Record<string, string | Record<string, string>>>} */
const catalog = signal({});
/** English, for what a catalog lacks @type {Record<string, string | Record<string, string>>} */
let english = {};
/**
 * the theme's nouns by language: singular, plural and gender
 * @type {import("@preact/signals").Signal<Record<string, Record<string, [string, string, string]>>>}
 */
export const nouns = signal({});

let rules = new Intl.PluralRules("en");

/** Loads the catalog of the chosen language over English. @param {string[]} known */
export async function loadWords(known) {
  const wanted = known.includes(language.peek()) ? language.peek() : "en";
  const files = wanted === "en" ? ["en"] : ["en", wanted];
  const parts = await Promise.all(files.map(catalogOf));
  rules = new Intl.PluralRules(wanted);
  document.documentElement.lang = wanted;
  english = parts[0];
  catalog.value = parts.at(-1);
}

/** @type {Map<string, Promise<any>>} */
const fetched = new Map();

/** The messages of a language. @param {string} name */
export function catalogOf(name) {
  const found = fetched.get(name) ?? fetch(`messages/${name}.json`).then((answer) => answer.json());
  fetched.set(name, found);
  return found;
}

/** the theme in play, for messages that it says in its own way */
export const manner = signal("");
/**
 * what the theme calls the patches, by language and code
 * @type {import("@preact/signals").Signal<Record<string, Record<string, string>>>}
 */
export const patchNames = signal({});

/** What a patch is called: "the long blue cross". @param {string} code */
export function patchName(code) {
  if (code === "s") return noun("special_patch", 1);
  const names = patchNames.value[document.documentElement.lang] ?? patchNames.value.en;
  return names?.[code] ?? code;
}

/** A text with a capital first letter. @param {string} text */
export const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/**
 * The entry of a key: the theme's own in this language, the plain one, then English in the same order.
 * @param {string} key
 */
function entryOf(key) {
  const own = `${key}@${manner.value}`;
  return catalog.value[own] ?? catalog.value[key] ?? english[own] ?? english[key];
}

/** @param {string} noun @returns {[string, string, string]} */
const wordOf = (noun) =>
  (nouns.value[document.documentElement.lang] ?? nouns.value.en ?? {})[noun] ?? [noun, noun, ""];

/** The theme's noun in the form for a number. @param {string} noun @param {number} count */
export const noun = (noun, count) => wordOf(noun)[count === 1 || count === -1 ? 0 : 1];

/** A text with a capital where it was asked for with one. @param {string} asked @param {string} text */
const asAsked = (asked, text) => (asked.charAt(0) === asked.charAt(0).toLowerCase() ? text : capital(text));

/** An article as a noun wants it. @param {string} asked @param {string} of */
function article(asked, of) {
  const forms = catalog.value[`article.${asked.toLowerCase()}`];
  return asAsked(asked, (typeof forms === "object" && forms[wordOf(of)[2]]) || "");
}

/** `{einen patch}` and `{den.patch}`, or `{name}`, `{count:button}`, `{:patch}` and `{::patch}` */
const PLACE = /\{(?:([A-Za-z]+)([ .])(\w+)|(\w*)(::?)?(\w+)?)\}/g;

/**
 * The message of that key. `{name}` is replaced by a parameter, `{count:button}` by a number with the theme's noun,
 * `{:patch}` by the noun alone, `{::patch}` by its plural, `{:Patch}` with a capital, `{einen patch}` by the noun
 * with an article, and `{den.patch}` by the article alone. A key with `@theme` at its end is for that theme alone.
 * @param {string} key @param {Record<string, string | number>} [params]
 * @returns {string}
 */
export function t(key, params = {}) {
  let entry = entryOf(key);
  if (entry === undefined) return key;
  if (typeof entry !== "string") {
    const count = Number(params.count ?? params.n ?? 0);
    entry = entry[rules.select(count)] ?? entry.other;
  }
  return entry.replace(PLACE, (_all, asked, joint, of, name, mark, word) => {
    if (asked) return joint === "." ? article(asked, of) : `${article(asked, of)} ${noun(of, 1)}`.trim();
    if (!mark) return typeof params[name] === "number" ? number(params[name]) : String(params[name] ?? "");
    if (!name) return asAsked(word, noun(word.toLowerCase(), mark === "::" ? 2 : 1));
    return `${number(Number(params[name]))} ${noun(word, Number(params[name]))}`;
  });
}

/**
 * The message of a key that a catalog may lack; otherwise what the server says.
 * @param {string} key
 * @param {string} fallback
 */
export const tOr = (key, fallback) =>
  catalog.value[key] === undefined && english[key] === undefined ? fallback : t(key);

/** Why something failed. @param {any} refusal an error, or a refusal with a code */
export const whyRefused = ({ code, message }) => tOr(`refused.${code}`, message);

/** A number with a real minus sign. @param {number} n */
export const number = (n) => String(n).replace("-", "−");

/** A number with its sign. @param {number} n */
export const signed = (n) => (n > 0 ? `+${n}` : number(n));
