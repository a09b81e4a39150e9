// @ts-check
/** The circle of patches: the choices as large cards, all of it in its order as a ring or a strip. */
import { html } from "./html.js";
import { Currency, Piece, PieceIcon, U } from "./art.js";
import { PatchPicture, PatchShape } from "./patch.js";
import { patchOf } from "./shapes.js";
import { cancel, choose, optionOf, options, selection, whyNot } from "./selection.js";
import { grab } from "./drag.js";
import { edition, view } from "./store.js";
import { t } from "./words.js";

/** The price tag of a patch. @param {{code: string, lacking?: boolean}} props */
function Price({ code, lacking = false }) {
  const patch = patchOf(/** @type {any} */ (edition.value), code);
  return html`
    <span class="price" aria-hidden="true">
      <span class=${lacking ? "lacking" : ""}><${Currency} size=${17} />${patch.buttons}</span>
      <span><${PieceIcon} name="time" size=${17} />${patch.time}</span>
    </span>`;
}

/** @param {string} code */
const isChosen = (code) => {
  const chosen = selection.value;
  return (chosen?.kind === "lay" || chosen?.kind === "take") && chosen.code === code;
};

/** @param {string} code */
function spokenPrice(code) {
  const patch = patchOf(/** @type {any} */ (edition.value), code);
  return t("choice.label", { code, cells: patch.forms[""].cells.length, cost: patch.buttons, time: patch.time, income: patch.income });
}

/** One of the choices, large. @param {{code: string, index: number, size: number}} props */
export function Choice({ code, index, size }) {
  const now = view.value;
  const state = now.choices.find((/** @type {any} */ c) => c.code === code) ?? { legal: false, missing: 0, fits: true };
  const chosen = isChosen(code);
  const why = !state.legal && (state.missing > 0 ? t("choice.missing", { count: state.missing }) : state.fits ? "" : t("choice.no_room"));
  const form = chosen && selection.value?.kind === "lay" ? selection.value.form : "";
  return html`
    <button type="button" class=${`choice ${state.legal ? "" : "dim"} ${chosen ? "chosen" : ""}`} data-code=${code}
      aria-pressed=${chosen} aria-disabled=${!(options.value && state.legal)}
      aria-keyshortcuts=${index < 9 ? String(index + 1) : undefined}
      onClick=${() => (chosen ? cancel() : choose(code))}
      onPointerDown=${(/** @type {PointerEvent} */ event) => options.value && state.legal && grab(event, code)}>
      <span class="unseen">${spokenPrice(code)}${why ? ` ${why}` : ""}</span>
      <span class="choice-patch"><${PatchPicture} code=${code} form=${form} cell=${size / 3.6} fit=${size} /></span>
      <${Price} code=${code} lacking=${state.missing > 0} />
      ${why && html`<span class="why" aria-hidden="true">${why}</span>`}
    </button>`;
}

/** The choices. @param {{size: number}} props */
export function Choices({ size }) {
  const now = view.value;
  if (now.phase === "special" || now.phase === "lay") return html`<${InHand} size=${size} />`;
  return html`<div class="choices" role="group" aria-label=${t("circle.choices")}>
    ${now.choices.map((/** @type {any} */ c, /** @type {number} */ i) => html`<${Choice} key=${c.code} code=${c.code} index=${i} size=${size} />`)}
  </div>`;
}

/** The patch that must be placed now: a special patch, or one taken before the reserve came. @param {{size: number}} props */
function InHand({ size }) {
  const now = view.value;
  const code = now.phase === "special" ? "s" : now.held;
  const chosen = isChosen(code);
  const text = now.phase === "special" ? t("in_hand.special", { count: now.pending }) : t("in_hand.lay");
  return html`<div class="choices in-hand" role="group" aria-label=${t("in_hand.label")}>
    <button type="button" class=${`choice ${chosen ? "chosen" : ""}`} data-code=${code} aria-pressed=${chosen} aria-label=${text}
      aria-disabled=${!options.value} onClick=${() => choose(code)}
      onPointerDown=${(/** @type {PointerEvent} */ event) => optionOf(code) && grab(event, code)}>
      <span class="choice-patch"><${PatchPicture} code=${code} cell=${code === "s" ? 34 : size / 3.6} fit=${size} /></span>
    </button>
    <p class="in-hand-text">${text}</p>
  </div>`;
}

/** The rest of the circle after the choices, in order. @param {{size: number, all?: boolean}} props */
export function Strip({ size, all = false }) {
  const now = view.value;
  const rest = all ? now.circle : now.circle.slice(now.phase === "special" || now.phase === "lay" ? 0 : now.choices.length);
  return html`<ol class="strip" aria-label=${t("circle.rest")}>
    ${rest.map((/** @type {string} */ code) => html`
      <li key=${code} data-code=${code}>
        <span class="strip-patch"><${PatchPicture} code=${code} cell=${size / 4} fit=${size} /></span>
        <${Price} code=${code} />
        <span class="unseen">${spokenPrice(code)}</span>
      </li>`)}
    ${now.reserve.length > 0 && html`<li class="reserve-note">${t("circle.reserve", { count: now.reserve.length })}</li>`}
  </ol>`;
}

const RING = { width: 540, height: 690 };
/** How far the middle of the patches is from the edge of the ring. */
const INSET = 40;
/** The gap between two patches, in cells. */
const GAP = 0.75;

/** A point on a rounded rectangle, `along` from 0 to 1 clockwise from the bottom middle. @param {number} along @param {number} inset */
function onRing(along, inset) {
  const a = Math.PI / 2 + along * 2 * Math.PI;
  const [rx, ry] = [RING.width / 2 - inset, RING.height / 2 - inset];
  // A superellipse: rounder than a rectangle, with more room than an ellipse.
  const power = 2 / 2.9;
  const [c, s] = [Math.cos(a), Math.sin(a)];
  return { x: rx * Math.sign(c) * Math.abs(c) ** power, y: ry * Math.sign(s) * Math.abs(s) ** power };
}

/** @type {Map<string, {along: number[], total: number}>} */
const spread = new Map();

/** Where each patch of a ring lies, so that the gaps between them are even. @param {string[]} ring */
function spots(ring) {
  const e = /** @type {any} */ (edition.value);
  const key = `${e.id}:${ring.join()}`;
  const found = spread.get(key);
  if (found) return found;
  const steps = 720;
  const lengths = [0];
  for (let i = 1; i <= steps; i += 1) {
    const [p, q] = [onRing((i - 1) / steps, INSET), onRing(i / steps, INSET)];
    lengths.push(lengths[i - 1] + Math.hypot(p.x - q.x, p.y - q.y));
  }
  const total = lengths[steps];
  /** How much of the ring each patch takes: its width where the ring runs across, its height where it runs down. */
  let weights = ring.map((code) => (e.patches[code].forms[""].rows + e.patches[code].forms[""].columns) / 2 + GAP);
  /** @type {number[]} */
  let along = [];
  let sum = 0;
  for (let round = 0; round < 4; round += 1) {
    sum = weights.reduce((a, b) => a + b, 0);
    let before = 0;
    along = weights.map((w) => {
      const target = ((before + w / 2) / sum) * total;
      before += w;
      return lengths.findIndex((l) => l >= target) / steps;
    });
    weights = ring.map((code, i) => {
      const { rows, columns } = e.patches[code].forms[""];
      const [p, q] = [onRing(along[i] - 0.004, INSET), onRing(along[i] + 0.004, INSET)];
      const across = Math.abs(p.x - q.x) / Math.hypot(p.x - q.x, p.y - q.y);
      return Math.max(columns * across, rows * (1 - across), columns * across * 0.7 + rows * (1 - across) * 0.7) + GAP;
    });
  }
  const result = { along, total: total / sum };
  spread.clear();
  spread.set(key, result);
  return result;
}

/** The circle as it lies on the table, around whatever is inside. @param {{children?: unknown}} props */
export function Ring({ children }) {
  const now = view.value;
  const e = /** @type {any} */ (edition.value);
  const { along, total } = spots(now.ring);
  const scale = Math.min(0.55, total / U);
  const chosen = new Set(now.choices.map((/** @type {any} */ c) => c.code));
  const first = now.ring.indexOf(now.circle[0]);
  const here = first < 0 ? 0 : neutralSpot(along, now.ring, now.circle);
  const spool = onRing(here, 97);
  return html`
    <div class="ring">
      <svg class="ring-patches" viewBox=${`${-RING.width / 2} ${-RING.height / 2} ${RING.width} ${RING.height}`} role="img" aria-label=${t("circle.label", { count: now.circle.length })}>
        ${now.ring.map((/** @type {string} */ code, /** @type {number} */ i) => {
          if (!now.circle.includes(code)) return null;
          const f = e.patches[code].forms[""];
          const spot = onRing(along[i], INSET);
          const isChoice = chosen.has(code);
          const state = now.choices.find((/** @type {any} */ c) => c.code === code);
          const grow = isChoice ? scale * 1.16 : scale;
          return html`<g key=${code} class=${`ring-patch ${isChoice ? "choice-patch-on-ring" : ""} ${isChosen(code) ? "chosen" : ""} ${state && !state.legal ? "dim" : ""}`} data-code=${code}
            transform=${`translate(${spot.x} ${spot.y}) scale(${grow}) translate(${(-f.columns * U) / 2} ${(-f.rows * U) / 2})`}
            onClick=${() => isChoice && (isChosen(code) ? cancel() : choose(code))}
            onPointerDown=${(/** @type {PointerEvent} */ event) => isChoice && state?.legal && options.value && grab(event, code)}>
            <title>${spokenPrice(code)}${state && !state.legal && options.value ? ` ${whyNot(code)}` : ""}</title>
            <${PatchShape} code=${code} />
          </g>`;
        })}
        <g class="spool" transform=${`translate(${spool.x} ${spool.y})`}><${Piece} name="neutral-token" radius=${16} /></g>
      </svg>
      <div class="ring-inside">${children}</div>
    </div>`;
}

/** Just before the first patch that may be chosen, where the last taken one lay. @param {number[]} along @param {string[]} ring @param {string[]} circle */
function neutralSpot(along, ring, circle) {
  const first = ring.indexOf(circle[0]);
  const before = (first - 1 + ring.length) % ring.length;
  const gone = !circle.includes(ring[before]);
  if (gone) return along[before];
  const a = along[before] > along[first] ? along[before] - 1 : along[before];
  return (a + along[first]) / 2 + (a + along[first] < 0 ? 1 : 0);
}
