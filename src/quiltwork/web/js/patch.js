// @ts-check
/** A patch: one outline filled with its fabric, a dashed seam, and real buttons where the income is. */
import { html } from "./html.js";
import { Piece, U } from "./art.js";
import { patchOf } from "./shapes.js";
import { edition } from "./store.js";

/**
 * The drawing of a patch with its top left corner at the origin, for use inside an SVG.
 * @param {{code: string, form?: string, class?: string, stitching?: boolean, id?: string}} props
 */
export function PatchShape({ code, form = "", class: name = "", stitching = false, id = "" }) {
  const e = edition.value;
  const patch = e && patchOf(e, code);
  if (!patch) return null;
  const f = patch.forms[patch.names[form] ?? ""];
  const mask = `stitch-${id}`;
  if (code === "s") return html`
    <g class=${`patch ${name}`}>
      <g transform=${`translate(${U / 2} ${U / 2})`}><${Piece} name="special-patch" radius=${U / 2} /></g>
    </g>
  `;
  return html`
    <g class=${`patch ${name}`}>
      <path class="cloth" d=${f.path} fill=${`url(#${patch.fabric})`} />
      ${stitching &&
      html`<mask id=${mask} maskUnits="userSpaceOnUse" x=${-U} y=${-U} width=${(f.columns + 2) * U}
        height=${(f.rows + 2) * U}>
        <path class="stitching" d=${f.seam} pathLength="1" /></mask>`}
      <path class="seam" d=${f.seam} mask=${stitching ? `url(#${mask})` : undefined} />
      ${f.buttons.map(
        ([row, column, count]) => html`
          <g transform=${`translate(${(column + 0.5) * U} ${(row + 0.5) * U}) scale(1.12)`}>
            <${Piece} name="button" />
            ${count > 1 && html`<text class="button-count" y="4" text-anchor="middle">${count}</text>`}
          </g>`,
      )}
    </g>`;
}

/**
 * A patch as a picture of its own.
 * @param {{code: string, form?: string, cell?: number, class?: string, fit?: number}} props
 * `cell` is the side of a cell in pixels; `fit` the longest side that is allowed. Styles may size it by its columns and
 * rows.
 */
export function PatchPicture({ code, form = "", cell = 16, class: name = "", fit = 0 }) {
  const e = edition.value;
  const patch = e && patchOf(e, code);
  if (!patch) return null;
  const f = patch.forms[patch.names[form] ?? ""];
  const side = fit ? Math.min(cell, fit / Math.max(f.rows, f.columns)) : cell;
  const [edge, width, height] = [2, f.columns * side + 4, f.rows * side + 4].map((length) => (length * U) / side);
  return html`
    <svg class=${`patch-picture ${name}`} aria-hidden="true"
      width=${f.columns * side + 4} height=${f.rows * side + 4} style=${{ "--columns": f.columns, "--rows": f.rows }}
      viewBox=${`${-edge} ${-edge} ${width} ${height}`}>
      <${PatchShape} code=${code} form=${form} />
    </svg>`;
}
