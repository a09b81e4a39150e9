// @ts-check
/** The end: who won, how the points came about, and what to do next. */
import { html } from "./html.js";
import { ask } from "./api.js";
import { Token } from "./art.js";
import { saveFile } from "./dialog.js";
import { dark, edition, tell, theme, view, goTo } from "./store.js";
import { link, send } from "./table.js";
import { openReview } from "./review.js";
import { saveRecord } from "./menu.js";
import { describeResult, nameOf } from "./telling.js";
import { noun, number, t, whyRefused } from "./words.js";

export function ResultPanel() {
  const now = view.value;
  const e = /** @type {any} */ (edition.value);
  const tile = e.tile;
  return html`
    <section class="result" aria-label=${t("result.label")}>
      <h2>${describeResult(now)}</h2>
      <table>
        <thead><tr><th scope="col"><span class="unseen">${t("result.label")}</span></th>${[1, 2].map((p) => html`<th scope="col" key=${p}><${Token} player=${p} size=${18} /> ${nameOf(now, p)}</th>`)}</tr></thead>
        <tbody>
          <tr><th scope="row">${noun("button", 2)}</th>${scores((s) => s.buttons)}</tr>
          <tr><th scope="row">${t("result.empty")}</th>${now.players.map((/** @type {any} */ p, /** @type {number} */ i) => html`<td key=${i}>${number(p.score.empty_spaces)} <small>(${p.empty} × ${number(e.points_per_empty_space)})</small></td>`)}</tr>
          ${tile && html`<tr><th scope="row">${noun("special_tile", 1)}</th>${scores((s) => s.tile)}</tr>`}
        </tbody>
        <tfoot><tr><th scope="row">${noun("point", 2)}</th>${scores((s) => s.total)}</tr></tfoot>
      </table>
      <div class="result-actions">
        ${now.can.rematch && html`<button type="button" class="sew" onClick=${() => send("rematch")}>${t("result.rematch")}</button>`}
        <button type="button" class="soft" onClick=${() => openReview()}>${t("menu.review")}</button>
        <button type="button" class="soft" onClick=${() => savePicture("svg")}>${t("result.svg")}</button>
        <button type="button" class="soft" onClick=${() => savePicture("png")}>${t("result.png")}</button>
        <button type="button" class="soft" onClick=${saveRecord}>${t("menu.record")}</button>
        <button type="button" class="soft" onClick=${() => goTo("")}>${t("menu.home")}</button>
      </div>
    </section>`;

  /** @param {(score: any) => number} pick */
  function scores(pick) {
    return now.players.map((/** @type {any} */ p, /** @type {number} */ i) => html`<td key=${i}>${number(pick(p.score))}</td>`);
  }
}

/** Saves the picture of the near player's quilt. @param {"svg" | "png"} kind */
async function savePicture(kind) {
  const now = view.peek();
  const player = now.you[0] ?? now.result?.winner ?? 1;
  try {
    const text = await ask(`game/quilt.svg?player=${player}&theme=${theme.peek().id}&dark=${dark.peek()}`, { token: link.peek()?.token });
    const drawing = new Blob([text], { type: "image/svg+xml" });
    const name = `quilt-${now.game}`;
    if (kind === "svg") saveFile(`${name}.svg`, drawing);
    else saveFile(`${name}.png`, await toPng(drawing));
  } catch (error) {
    tell(whyRefused(error), "warning");
  }
}

/** @param {Blob} drawing @returns {Promise<Blob>} */
async function toPng(drawing) {
  const picture = new Image();
  const address = URL.createObjectURL(drawing);
  try {
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    const scale = 1200 / Math.max(picture.naturalWidth, 1);
    canvas.width = 1200;
    canvas.height = Math.round(picture.naturalHeight * scale);
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
