// @ts-check
/** What the review draws on a quilt: the better place as a ghost, and the spaces that a reason speaks of. */
import { html } from "../html.js";
import { U } from "../art.js";
import { PatchShape } from "../patch.js";
import { formOf, patchOf, readPlaced } from "../shapes.js";
import { edition } from "../store.js";

const MARGIN = 10;

/** @param {{ghost?: string | null, cells?: string[]}} props a move in notation, and names of cells */
export function Marks({ ghost = null, cells = [] }) {
  const e = edition.value;
  if (!e) return null;
  const placed = ghost ? readPlaced(ghost) : null;
  const known = placed && patchOf(e, placed.code);
  return html`
    <svg class="study-marks"
      viewBox=${`${-MARGIN} ${-MARGIN} ${e.columns * U + 2 * MARGIN} ${e.rows * U + 2 * MARGIN}`} aria-hidden="true">
      ${cells.map((cell) => {
        const [column, row] = [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
        return html`<path key=${cell} class="dead"
          d=${`M${column * U + 9} ${row * U + 9}l${U - 18} ${U - 18}m0 ${18 - U}l${18 - U} ${U - 18}`} />`;
      })}
      ${placed && known && html`<g class="ghost" transform=${`translate(${placed.column * U} ${placed.row * U})`}>
        <${PatchShape} code=${placed.code} form=${placed.form} /><path class="ghost-edge"
          d=${formOf(e, placed).path} /></g>`}
    </svg>`;
}
