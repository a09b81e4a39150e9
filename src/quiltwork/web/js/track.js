// @ts-check
/** The time board: as a spiral on a wide screen, as a winding path on a narrow one. */
import { html } from "./html.js";
import { Piece } from "./art.js";
import { useBox } from "./box.js";
import { edition, view } from "./store.js";
import { staged } from "./scene.js";
import { preview } from "./selection.js";
import { nameOf } from "./telling.js";
import { t } from "./words.js";

const SIDE = 40;

/** @typedef {{x: number, y: number}} Point */

/** The rows of a winding path lie apart, so that its turns are seen. */
const APART = 1.08;
/** How wide the special tile is that lies beyond the end of a path. */
const SHELF = 1.9;

/** Spaces from the outside of a board inwards. @param {number} count @param {number} columns @returns {Point[]} */
function spiral(count, columns) {
  const rows = Math.ceil(count / columns);
  const seen = new Set();
  const path = [];
  let [x, y, dx, dy] = [0, 0, 1, 0];
  for (let i = 0; i < count; i += 1) {
    path.push({ x, y });
    seen.add(`${x},${y}`);
    const ahead = `${x + dx},${y + dy}`;
    if (x + dx < 0 || x + dx >= columns || y + dy < 0 || y + dy >= rows || seen.has(ahead)) [dx, dy] = [-dy, dx];
    x += dx;
    y += dy;
  }
  return path;
}

/** Rows that wind to and fro. @param {number} count @param {number} columns @returns {Point[]} */
function winding(count, columns) {
  return Array.from({ length: count }, (_unused, i) => {
    const y = Math.floor(i / columns);
    const along = i % columns;
    return { x: y % 2 ? columns - 1 - along : along, y };
  });
}

/**
 * How many columns make the spaces largest, and whether the special tile finds room in the last spaces left over.
 * @param {number} count
 * @param {boolean} tile
 * @param {boolean} round
 * @param {{width: number, height: number}} box
 */
function shapeFor(count, tile, round, { width, height }) {
  let best = { columns: count, within: false, side: 0 };
  for (let columns = 3; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const within = rows * columns > count;
    if (round && tile && !within) continue;
    const across = columns + (tile && !within ? SHELF : 0);
    const side = Math.min(width / across, height / (rows * (round ? 1 : APART)));
    if (side > best.side + 0.01) best = { columns, within, side };
  }
  return best;
}

/** The middle of some spaces, or of nothing. @param {Point[]} spaces */
const middleOf = (spaces) =>
  spaces.length === 0
    ? null
    : {
        x: spaces.reduce((sum, p) => sum + p.x, 0) / spaces.length,
        y: spaces.reduce((sum, p) => sum + p.y, 0) / spaces.length,
      };

/** @param {{round: boolean}} props */
export function TimeBoard({ round }) {
  const e = edition.value;
  const now = view.value;
  const { ref, size } = useBox({ width: 378, height: 100 });
  if (!e || !now) return null;
  const count = e.last_space + 1;
  const shape = shapeFor(count, Boolean(e.tile), round, size);
  const path = (round ? spiral : winding)(count, shape.columns);
  const columns = Math.max(...path.map((p) => p.x)) + 1;
  const rows = Math.max(...path.map((p) => p.y)) + 1;
  const high = round ? SIDE : SIDE * APART;
  /** @param {number} i */
  const at = (i) => ({ x: path[i].x * SIDE, y: path[i].y * high });
  const spaces = now.players.map(
    (/** @type {any} */ p, /** @type {number} */ i) =>
      (staged.value?.player === i + 1 ? staged.value.space : undefined) ?? p.space,
  );
  const landing =
    preview.value && preview.value.space !== now.players[(now.turn ?? 0) - 1]?.space ? preview.value.space : null;
  const crowded = landing !== null && spaces.includes(landing);
  const ghost = landing !== null && {
    x: at(landing).x + SIDE / 2 - (crowded ? 9 : 0),
    y: at(landing).y + high / 2 - (crowded ? 11 : 0),
  };
  const shared = spaces[0] === spaces[1];
  const label = t("track.label", {
    last: e.last_space,
    one: nameOf(now, 1),
    a: now.players[0].space,
    two: nameOf(now, 2),
    b: now.players[1].space,
  });

  /** Between space i - 1 and space i. @param {number} i */
  const border = (i) => {
    const [p, q] = [at(i - 1), at(i)];
    return { x: (p.x + q.x + SIDE) / 2, y: (p.y + q.y + high) / 2 };
  };

  const marks = new Set([...e.income_spaces, ...now.special_patch_spaces]);
  /** Where the number of a space stands: aside from the marks that lie over its borders. @param {number} i */
  const numberAt = (i) => {
    const middle = { x: at(i).x + SIDE / 2, y: at(i).y + high / 2 };
    for (const mark of [i, i + 1].filter((space) => marks.has(space) && space < count)) {
      middle.x -= Math.sign(Math.round(border(mark).x - at(i).x - SIDE / 2)) * 6;
      middle.y -= Math.sign(Math.round(border(mark).y - at(i).y - high / 2)) * 5;
    }
    return middle;
  };

  /** @param {number} player */
  const tokenAt = (player) => {
    const spot = at(spaces[player - 1]);
    const top = now.turn === player || (now.turn === null && player === 1);
    const aside = shared ? (top ? { x: -4, y: -5 } : { x: 5, y: 5 }) : { x: 0, y: 0 };
    return { x: spot.x + SIDE / 2 + aside.x, y: spot.y + high / 2 + aside.y };
  };
  /** Arrows on spaces without a number show which way it goes. */
  const arrows = path.slice(1, -1).flatMap((_p, i) => {
    const space = i + 1;
    if (space % 5 !== 2) return [];
    const [p, q] = [at(space), at(space + 1)];
    const turn = (Math.atan2(q.y - p.y, q.x - p.x) * 180) / Math.PI;
    return [{ x: p.x + SIDE / 2, y: p.y + high / 2, turn }];
  });
  const order = now.turn === 1 ? [2, 1] : [1, 2];
  // The special tile lies in the spaces that are left over, or beyond the end of the path.
  const left = (round ? spiral : winding)(columns * rows, columns).slice(count);
  const shelf = e.tile && (shape.within ? middleOf(left) : { x: columns + 0.45, y: rows / 2 - 0.5 });
  const width = columns * SIDE + (shelf && !shape.within ? SIDE * SHELF : 0);
  const waiting = shelf && now.tile === null && !now.result;

  return html`
    <svg ref=${ref} class=${`track ${round ? "spiral" : "winding"}`} viewBox=${`-4 -4 ${width + 8} ${rows * high + 8}`}
      role="img" aria-label=${label}>
      <path class="ribbon"
        d=${path.map((_p, i) => `${i ? "L" : "M"}${at(i).x + SIDE / 2} ${at(i).y + high / 2}`).join("")}
        stroke-width=${SIDE - 4} />
      ${path.map((_p, i) => {
        const spot = at(i);
        const last = i === e.last_space;
        return html`<g key=${i} class=${`space ${last ? "last" : ""} ${i === landing ? "landing" : ""}`}>
          <rect x=${spot.x + 2} y=${spot.y + (high - SIDE) / 2 + 2} width=${SIDE - 4} height=${SIDE - 4} rx="6" />
          ${(i % 5 === 0 || last) && html`
            <text x=${numberAt(i).x} y=${numberAt(i).y + (round ? 4.5 : 7.5)} text-anchor="middle">${i}</text>
          `}
        </g>`;
      })}
      ${arrows.map(({ x, y, turn }) => html`
        <path key=${`${x},${y}`} class="direction" d="M-3.5 -5.5L3.5 0L-3.5 5.5"
          transform=${`translate(${x} ${y}) rotate(${turn})`} />
      `)}
      ${e.income_spaces.map((i) => html`
        <g key=${`i${i}`} class="income-mark" transform=${`translate(${border(i).x} ${border(i).y})`}>
          <${Piece} name="button" radius=${round ? 9.5 : 10.5} />
        </g>
      `)}
      ${now.special_patch_spaces.map(
        (/** @type {number} */ i) => html`
          <g key=${`s${i}`} class="special-mark" data-space=${i}
            transform=${`translate(${border(i).x} ${border(i).y})`}>
            <${Piece} name="special-patch" radius=${11} />
          </g>
        `,
      )}
      ${waiting && html`
        <g class="tile-here" transform=${`translate(${(shelf.x + 0.5) * SIDE} ${(shelf.y + 0.5) * high})`}>
          <title>${t("track.tile", { size: e.tile?.square ?? 0, points: e.tile?.points ?? 0 })}</title>
          <${Piece} name="tile" radius=${shape.within ? 18 : 34} />
        </g>
      `}
      ${order.map((player) => {
        const spot = tokenAt(player);
        return html`
          <g key=${`t${player}`} class="time-token" data-player=${player}
            style=${{ transform: `translate(${spot.x}px, ${spot.y}px)` }}>
            <${Piece} name=${`token-${player}`} radius=${15} />
          </g>
        `;
      })}
      ${ghost && html`
        <g class="ghost-token" transform=${`translate(${ghost.x} ${ghost.y})`}>
          <${Piece} name=${`token-${now.turn}`} radius=${14} />
        </g>
      `}
    </svg>`;
}
