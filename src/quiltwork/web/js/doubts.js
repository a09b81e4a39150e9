// @ts-check
/** What is not certain about an edition's data, and who begins by its rulebook. */
import { html } from "./html.js";
import { t, tOr } from "./words.js";

/** What is not certain, in sentences: the catalog's, or those of a home-made edition. @param {any} edition */
export function doubtsOf({ id, confidence, unverified = [] }) {
  if (!confidence || confidence === "verified") return [];
  const said = [];
  for (let n = 1; tOr(`doubt.${id}.${n}`, ""); n += 1) said.push(t(`doubt.${id}.${n}`));
  return [t(`rules.source.${confidence}`), ...(said.length ? said : unverified)];
}

/** @param {{edition: any}} props */
export function Doubts({ edition }) {
  const said = doubtsOf(edition ?? {});
  if (!said.length) return null;
  return html`<span class="doubts small muted">${said.map((text) => html`<span key=${text}>${text} </span>`)}</span>`;
}

/** The rulebook's way to say who begins. @param {string} id */
export const wayToBegin = (id) => tOr(`begins.${id}`, t("begins.lot"));
