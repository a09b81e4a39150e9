// @ts-check
/** Words: message catalogs, plural forms, and the nouns of the theme in play. */
import { signal } from "@preact/signals";
import { language } from "./prefs.js";

/** @type {import("@preact/signals").Signal<Record<string, string | Record<string, string>>>} */
const catalog = signal({});
/** @type {import("@preact/signals").Signal<Record<string, Record<string, [string, string]>>>} */
export const nouns = signal({});

let rules = new Intl.PluralRules("en");

/** Loads the catalog of the chosen language over English. @param {string[]} known */
export async function loadWords(known) {
  const wanted = known.includes(language.peek()) ? language.peek() : "en";
  const files = wanted === "en" ? ["en"] : ["en", wanted];
  const parts = await Promise.all(files.map(catalogOf));
  rules = new Intl.PluralRules(wanted);
  document.documentElement.lang = wanted;
  catalog.value = Object.assign({}, ...parts);
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

/** The theme's noun in the form for a number. @param {string} noun @param {number} count */
export function noun(noun, count) {
  const forms = (nouns.value[document.documentElement.lang] ?? nouns.value.en ?? {})[noun];
  return forms ? forms[count === 1 || count === -1 ? 0 : 1] : noun;
}

/**
 * The message of that key. `{name}` is replaced by a parameter, `{count:button}` by a number with the theme's noun,
 * `{:patch}` by the noun alone, `{::patch}` by its plural. A key with `@theme` at its end is for that theme alone.
 * @param {string} key @param {Record<string, string | number>} [params]
 * @returns {string}
 */
export function t(key, params = {}) {
  let entry = catalog.value[`${key}@${manner.value}`] ?? catalog.value[key];
  if (entry === undefined) return key;
  if (typeof entry !== "string") {
    const count = Number(params.count ?? params.n ?? 0);
    entry = entry[rules.select(count)] ?? entry.other;
  }
  return entry.replace(/\{(\w*)(::?)?(\w+)?\}/g, (_all, name, mark, word) => {
    if (!mark) return String(params[name] ?? "");
    if (!name) return noun(word, mark === "::" ? 2 : 1);
    return `${number(Number(params[name]))} ${noun(word, Number(params[name]))}`;
  });
}

/** The message of a key that a catalog may lack; otherwise what the server says. @param {string} key @param {string} fallback */
export const tOr = (key, fallback) => (catalog.value[key] === undefined ? fallback : t(key));

/** Why something failed. @param {any} refusal an error, or a refusal with a code */
export const whyRefused = ({ code, message }) => tOr(`refused.${code}`, message);

/** A number with a real minus sign. @param {number} n */
export const number = (n) => String(n).replace("-", "−");

/** A number with its sign. @param {number} n */
export const signed = (n) => (n > 0 ? `+${n}` : number(n));
