// @ts-check
/** The rules of an edition as a short illustrated page, in our own words. */
import { html } from "../html.js";
import { useEffect, useState } from "preact/hooks";
import { askOnce } from "../api.js";
import { Currency, Icon, Piece, PieceIcon, Token } from "../art.js";
import { doubtsOf, wayToBegin } from "../doubts.js";
import { PatchPicture } from "../patch.js";
import { edition, goTo, showEdition } from "../store.js";
import { number, t } from "../words.js";
import { differencesOf } from "./differences.js";

/** @param {{id: string}} props */
export function RulesPage({ id }) {
  const [patchwork, setPatchwork] = useState(/** @type {any} */ (null));
  useEffect(() => {
    showEdition(id).catch(() => goTo(""));
    askOnce("editions/patchwork").then(setPatchwork, () => {});
  }, [id]);
  const e = edition.value;
  if (!e || e.id !== id) return null;
  const some = Object.values(e.patches).filter((p) => p.income > 0 && p.forms[""].cells.length > 3).slice(0, 3);
  const shown = some[0] ?? Object.values(e.patches)[0];
  const { buttons: cost, time, income } = shown;
  const figures = { cost, time, income, cells: shown.forms[""].cells.length };
  const reserve = Object.values(e.patches).filter((p) => p.reserve);
  const late = reserve.slice(0, 4);
  const marks = e.special_patch_spaces.length;
  const setup = [
    t("rules.setup", { count: e.start_buttons, patches: Object.keys(e.patches).length - reserve.length }),
    marks > 0 && t("rules.setup.special", { marks }),
    e.tile && t("rules.setup.tile"),
    reserve.length > 0 && t("rules.setup.reserve", { late: reserve.length }),
  ];
  const smallest = e.patches[/** @type {any} */ (e).start_patch] ?? shown;
  const differs = patchwork && id !== "patchwork" ? differencesOf(e, patchwork) : [];
  const doubts = doubtsOf(e);
  const example = { buttons: 9, empty: 8 };
  const total = number(example.buttons + example.empty * e.points_per_empty_space);
  return html`
    <main class="rules">
      <header>
        <button type="button" class="round" onClick=${() => history.back()} aria-label=${t("close")}>
          <${Icon} name="close" />
        </button>
        <h1>${t("rules.title", { edition: e.title })}</h1>
      </header>
      <div class="rule-cards">
        ${card("goal", { penalty: number(Math.abs(e.points_per_empty_space)) }, html`<${MiniQuilt} />`)}
        ${said("setup", setup.filter(Boolean).join(" "), html`
          <span class="row">
            <${Token} player=${1} size=${30} /><${Token} player=${2} size=${30} />
            <${Currency} size=${24} /><b>× ${e.start_buttons}</b>
          </span>
          <span class="row">
            <${PatchPicture} code=${smallest.code} cell=${16} fit=${40} />
            <${PieceIcon} name="neutral-token" size=${34} />
            ${some.slice(0, 1).map((p) => html`<${PatchPicture} key=${p.code} code=${p.code} cell=${16} fit=${48} />`)}
          </span>
        `)}
        ${said("begins", t("rules.begins", { way: wayToBegin(id) }), html`
          <span class="stacked"><${Token} player=${2} size=${44} /><${Token} player=${1} size=${44} /></span>
        `)}
        ${card("turn", {}, html`
          <span class="row">
            <${Token} player=${1} size=${40} />
            <${Icon} name="advance" size=${30} />
            <${Token} player=${2} size=${40} />
          </span>
        `)}
        ${card("take", { choices: e.choices }, html`
          <span class="row">
            ${some.map((p) => html`<${PatchPicture} key=${p.code} code=${p.code} cell=${18} fit=${58} />`)}
          </span>
        `)}
        ${card("patch", figures, html`
          <span class="row">
            <${PatchPicture} code=${shown.code} cell=${22} fit=${70} />
            <span class="price">
              <span><${Currency} size=${22} />${shown.buttons}</span>
              <span><${PieceIcon} name="time" size=${22} />${shown.time}</span>
            </span>
          </span>
        `)}
        ${card("advance", {}, html`
          <span class="row">
            <${Icon} name="advance" size=${34} />
            <${Currency} size=${30} />
            <${Currency} size=${30} />
            <${Currency} size=${30} />
          </span>
        `)}
        ${card("income", { marks: e.income_spaces.length }, html`<${Mark} name="button" />`)}
        ${e.special_patch_spaces.length > 0 &&
          card("special", { marks: e.special_patch_spaces.length }, html`
            <${Mark} name="special-patch" />
          `, e.may_be_removed ? t("rules.special.remove") : "")}
        ${e.tile &&
          card("tile", { size: e.tile.square, points: e.tile.points }, html`<${PieceIcon} name="tile" size=${54} />`)}
        ${e.reserve_enters_when_left !== null &&
          card("reserve", { left: e.reserve_enters_when_left }, html`
            <span class="row">
              ${late.map((p) => html`<${PatchPicture} key=${p.code} code=${p.code} cell=${16} fit=${40} />`)}
            </span>
          `)}
        ${card("end", { last: e.last_space }, html`
          <span class="row"><${Token} player=${1} size=${36} /><${Token} player=${2} size=${36} /></span>
        `)}
        ${card("score", { ...example, total }, html`
          <span class="row"><${Currency} size=${24} /><b>9</b><${Icon} name="cell" size=${24} /><b>8</b></span>
          <b class="total">${total}</b>
        `)}
      </div>
      ${listed("differs", differs)}
      ${listed("doubts", doubts)}
      <span class="row">
        <a class="button sew" href="#/learn">${t("start.learn")}</a>
        ${differs.length > 0 && html`<a class="button soft" href=${`#/learn/${id}`}>${t("rules.try")}</a>`}
      </span>
    </main>`;
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} params
 * @param {unknown} picture
 * @param {string} [more]
 */
const card = (key, params, picture, more = "") => said(key, `${t(`rules.${key}`, params)} ${more}`, picture);

/** @param {string} key @param {string} text @param {unknown} picture */
const said = (key, text, picture) => html`
  <section class=${`rule-card ${key}`}>
    <div class="rule-picture" aria-hidden="true">${picture}</div>
    <div><h2>${t(`rules.${key}.head`)}</h2><p>${text}</p></div>
  </section>`;

/** @param {string} key @param {string[]} texts */
const listed = (key, texts) => texts.length > 0 && html`
  <section class=${`rule-list ${key}`}>
    <h2>${t(`rules.${key}.head`)}</h2>
    <ul>${texts.map((text) => html`<li key=${text}>${text}</li>`)}</ul>
  </section>`;

/** @param {{name: string}} props */
const Mark = ({ name }) => html`
  <svg width="120" height="56" viewBox="0 0 120 56"
    aria-hidden="true"><g class="space">
      <rect x="2" y="8" width="38" height="38" rx="6" />
      <rect x="42" y="8" width="38" height="38" rx="6" />
      <rect x="82" y="8" width="36" height="38" rx="6" />
    </g>
  <g transform="translate(61 27)">
    <g transform="translate(20 0)"><${Piece} name=${name} radius=${12} /></g>
    <g transform="translate(-40 0)"><${Piece} name="token-1" radius=${14} /></g>
  </g></svg>`;

const MiniQuilt = () => html`
  <svg width="80" height="80" viewBox="0 0 80 80" aria-hidden="true">
    <rect class="batting" x="1" y="1" width="78" height="78" rx="6" />
    ${[0, 1, 2, 3].map((r) => [0, 1, 2, 3].map((c) => html`
      <rect class="cell" x=${8 + c * 16} y=${8 + r * 16} width="16" height="16" />
    `))}
  </svg>`;
