// @ts-check
/** What will be counted at the end, as it stands now, and what lies ahead of both on the time board. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { PieceIcon, Token } from "./art.js";
import { Dialog } from "./dialog.js";
import { edition, view } from "./store.js";
import { nameOf, person } from "./telling.js";
import { capital, noun, number, t } from "./words.js";

export const countingOpen = signal(false);

/** The points of both players in their parts. @param {{total: string}} props */
export function Count({ total }) {
  const now = view.value;
  const e = /** @type {any} */ (edition.value);
  /** @param {string} name @param {(player: any) => unknown} cell */
  const row = (name, cell) => html`
    <tr><th scope="row">${name}</th>${now.players.map((/** @type {any} */ p) => html`<td>${cell(p)}</td>`)}</tr>
  `;
  return html`
    <table class="count">
      <thead><tr>
        <th scope="col"><span class="unseen">${t("result.label")}</span></th>
        ${[1, 2].map((p) => html`
          <th scope="col" key=${p}><${Token} player=${p} size=${18} /> ${nameOf(now, p)}</th>
        `)}
      </tr></thead>
      <tbody>
        ${row(noun("button", 2), (p) => number(p.score.buttons))}
        ${row(t("result.empty"), (p) => html`
          ${number(p.score.empty_spaces)} <small>(${p.empty} × ${number(e.points_per_empty_space)})</small>
        `)}
        ${e.tile && row(noun("special_tile", 1), (p) => number(p.score.tile))}
      </tbody>
      <tfoot>${row(total, (p) => number(p.score.total))}</tfoot>
    </table>
  `;
}

export function Counting() {
  const now = view.value;
  const e = /** @type {any} */ (edition.value);
  const penalty = Math.abs(e.points_per_empty_space);
  const opening = now.players.some((/** @type {any} */ p) => p.score.total < 0);
  return html`
    <${Dialog} title=${t("count.title")} onClose=${() => (countingOpen.value = false)}>
      <p>${t("count.text", { penalty })} ${e.tile ? t("count.tile", e.tile) : ""}</p>
      <${Count} total=${t("count.now")} />
      ${opening && html`<p class="muted">${t("count.opening", { penalty })}</p>`}
      ${[1, 2].map((player) => html`<${Ahead} key=${player} player=${player} />`)}
    </${Dialog}>
  `;
}

/**
 * What one player comes to next on the time board.
 * @param {{player: number, brief?: boolean}} props whether the name alone is the title
 */
export function Ahead({ player, brief = false }) {
  const now = view.value;
  const rival = nameOf(now, 3 - player);
  const yours = now.you.length === 1 && now.you[0] !== player ? "ahead.yours" : "ahead.other";
  const name = nameOf(now, player);
  const [tag, title] = brief ? ["h2", capital(name)] : ["h3", t(person(now, player, "ahead.title"), { name })];
  const { income, special, other } = now.players[player - 1].ahead;
  const parts = [
    income !== null && { piece: "button", text: t("ahead.income", { count: income }) },
    special !== null && { piece: "special-patch", text: t("ahead.special", { count: special }) },
    other !== null && { piece: `token-${3 - player}`, text: t(yours, { count: other, name: rival }) },
  ];
  const said = /** @type {{piece: string, text: string}[]} */ (parts.filter(Boolean));
  return html`
    <section class="ahead-of">
      <${tag}><${Token} player=${player} size=${20} /> ${title}</${tag}>
      <ul>
        ${said.map(({ piece, text }) => html`<li key=${piece}><${PieceIcon} name=${piece} size=${20} />${text}</li>`)}
      </ul>
    </section>
  `;
}
