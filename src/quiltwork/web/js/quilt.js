// @ts-check
/**
 * A quilt board: an ARIA grid of cells with patches on it. It holds no rules: it is given what lies there,
 * what is being laid and whether that is legal, and it reports taps and keys.
 */
import { html } from "./html.js";
import { useRef } from "preact/hooks";
import { U } from "./art.js";
import { PatchShape } from "./patch.js";
import { cellName, cellsOf, formOf, readPlaced } from "./shapes.js";
import { patchName, t } from "./words.js";

const MARGIN = 10;

/**
 * @param {{
 *   edition: import("./shapes.js").Edition, placements: string[], player: number, label: string,
 *   laying?: import("./shapes.js").Placed | null, legal?: boolean, trying?: boolean, lifted?: boolean,
 *   winsTile?: boolean,
 *   fresh?: Set<string>, latest?: Set<string>, square?: {row: number, column: number, size: number} | null,
 *   onTap?: (row: number, column: number) => void, onGrab?: (event: PointerEvent) => void,
 *   onKey?: (event: KeyboardEvent, row: number, column: number) => boolean, boardRef?: any,
 * }} props
 */
export function Quilt({
  edition,
  placements,
  player,
  label,
  laying,
  legal = true,
  trying = false,
  lifted = false,
  winsTile = false,
  fresh,
  latest,
  square,
  onTap,
  onGrab,
  onKey,
  boardRef,
}) {
  const focus = useRef([0, 0]);
  const grid = useRef(/** @type {SVGElement | null} */ (null));
  const doing = useRef(/** @type {any} */ (null));
  const drawn = useRef(/** @type {Map<number | string, {look: string, made: unknown}>} */ (new Map()));
  const { rows, columns, board } = edition;
  const placed = placements.map((text) => ({ text, ...readPlaced(text) }));
  /** @type {Map<string, string>} */
  const owner = new Map();
  for (const p of placed)
    for (const [r, c] of cellsOf(edition, /** @type {any} */ (p))) owner.set(`${r},${c}`, p.code ?? "");
  const covered = new Set(laying ? cellsOf(edition, laying).map(([r, c]) => `${r},${c}`) : []);

  /** @param {number} row @param {number} column */
  const describe = (row, column) => {
    const code = owner.get(`${row},${column}`);
    const what = code === undefined ? t("cell.empty") : code === "s" ? t("cell.special") : patchName(code);
    const here = covered.has(`${row},${column}`) ? ` ${t(legal ? "cell.laying" : "cell.blocked")}` : "";
    return `${cellName(row, column)}, ${what}${here}`;
  };

  /** @param {KeyboardEvent} event @param {number} row @param {number} column */
  const key = (event, row, column) => {
    if (onKey?.(event, row, column)) return;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    moveFocus(row + step[0], column + step[1]);
  };

  /** @param {number} row @param {number} column */
  const moveFocus = (row, column) => {
    const cell = /** @type {SVGElement | null} */ (grid.current?.querySelector(`[data-cell="${row},${column}"]`));
    if (!cell) return;
    const old = grid.current?.querySelector('[tabindex="0"]');
    old?.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    focus.current = [row, column];
    cell.focus();
  };

  doing.current = { onTap, key };

  /** A row of cells; one that stays as it is keeps its drawing. @param {string} line @param {number} row */
  const rowOf = (line, row) => {
    const labels = [...line].map((mark, column) => (mark === "#" ? describe(row, column) : ""));
    const [focusRow, focusColumn] = focus.current;
    const look = `${labels.join()} ${row === focusRow ? focusColumn : ""}`;
    const kept = drawn.current.get(row);
    if (kept?.look === look) return kept.made;
    const cells = labels.map((label, column) => label && html`
      <rect class=${(row + column) % 2 ? "cell odd" : "cell"} role="gridcell" aria-colindex=${column + 1}
        data-cell=${`${row},${column}`} tabindex=${row === focusRow && column === focusColumn ? 0 : -1}
        aria-label=${label} x=${column * U} y=${row * U} width=${U} height=${U} key=${column}
        onClick=${() => doing.current.onTap?.(row, column)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => doing.current.key(event, row, column)} />
    `);
    const made = html`<g role="row" aria-rowindex=${row + 1} key=${row}>${cells}</g>`;
    drawn.current.set(row, { look, made });
    return made;
  };

  /** A patch that was laid, drawn once as well. @param {any} p */
  const patchOn = (p) => {
    const isFresh = fresh?.has(p.text) ?? false;
    const kinds = `${isFresh ? "settling" : ""} ${latest?.has(p.text) ? "latest" : ""}`;
    const look = `${player} ${kinds}`;
    const kept = drawn.current.get(p.text);
    if (kept?.look === look) return kept.made;
    const made = html`
      <g key=${p.text} transform=${`translate(${p.column * U} ${p.row * U})`}>
        <g data-laid=${p.text} class=${kinds}>
          <${PatchShape} code=${p.code} form=${p.form} stitching=${isFresh}
            id=${`${player}-${p.text.replace("@", "-")}`} />
        </g>
      </g>
    `;
    drawn.current.set(p.text, { look, made });
    return made;
  };

  const kinds = [lifted && "under", trying && "trying", winsTile && "wins-tile"];
  const width = columns * U;
  const height = rows * U;
  return html`
    <svg class="quilt" ref=${boardRef} viewBox=${`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
      data-player=${player}>
      <rect class="batting" x=${-MARGIN + 1} y=${-MARGIN + 1} width=${width + 2 * MARGIN - 2}
        height=${height + 2 * MARGIN - 2} rx="9" />
      <rect class="binding" x="-5" y="-5" width=${width + 10} height=${height + 10} rx="5" />
      <g ref=${grid} role="grid" aria-label=${label} aria-rowcount=${rows} aria-colcount=${columns}>
        ${board.map((line, row) => rowOf(line, row))}
      </g>
      <g class="laid" aria-hidden="true">
        ${square && html`
          <rect class="square" x=${square.column * U + 3} y=${square.row * U + 3} width=${square.size * U - 6}
            height=${square.size * U - 6} rx="8" />
        `}
        ${placed.map(patchOn)}
      </g>
      ${laying &&
      html`<g class=${["laying", legal ? "legal" : "blocked", ...kinds].filter(Boolean).join(" ")}
          transform=${`translate(${laying.column * U} ${laying.row * U})`} onPointerDown=${onGrab} aria-hidden="true">
        <${PatchShape} code=${laying.code} form=${laying.form} />
        <path class="mark" d=${formOf(edition, laying).path} />
      </g>`}
    </svg>`;
}

/**
 * Where cell (0, 0) of a drawn board begins on the screen, and how large a cell is.
 * @param {SVGElement} svg
 * @param {{columns: number}} edition
 */
export function cellsOnScreen(svg, edition) {
  const box = svg.getBoundingClientRect();
  const scale = box.width / (edition.columns * U + 2 * MARGIN);
  return { left: box.left + MARGIN * scale, top: box.top + MARGIN * scale, size: U * scale, box };
}
