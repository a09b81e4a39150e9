// @ts-check
/** What moves: every movement can be finished at once, and none blocks input. */
import { render } from "preact";
import { effect } from "@preact/signals";
import { html } from "./html.js";
import { U } from "./art.js";
import { PatchShape } from "./patch.js";
import { pace } from "./prefs.js";
import { formOf } from "./shapes.js";

/** whether what runs now shall end at once */
let hurried = false;
/** @type {Set<() => void>} */
const ending = new Set();

effect(() => document.documentElement.style.setProperty("--pace", String(pace())));

/** how much time movements take, beside the pace that was chosen */
let share = 1;

/** Lets movements take their time again, or a share of it. @param {number} [part] */
export function unhurried(part = 1) {
  hurried = false;
  share = part;
}

/** Finishes everything that moves. */
export function hurry() {
  hurried = true;
  for (const end of [...ending]) end();
  for (const a of document.getAnimations()) if (Number.isFinite(a.effect?.getComputedTiming().endTime)) a.finish();
}

window.addEventListener("pointerdown", hurry, { capture: true });

export const isHurried = () => hurried || pace() === 0 || document.hidden;

/** Waits, unless hurried. @param {number} time in milliseconds at the normal pace */
export function rest(time) {
  return isHurried() ? Promise.resolve() : wait(time * pace() * share);
}

/** Waits for real time, unless hurried. @param {number} time in milliseconds */
export function wait(time) {
  if (hurried || document.hidden) return Promise.resolve();
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      ending.delete(end);
      done(undefined);
    };
    const timer = setTimeout(end, time);
    ending.add(end);
  });
}

/**
 * Moves an element, unless hurried.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 */
export async function move(element, frames, options) {
  if (isHurried()) return;
  const animation = element.animate(frames, {
    ...options,
    duration: Number(options.duration) * pace() * share,
    delay: (options.delay ?? 0) * pace() * share,
  });
  await animation.finished.catch(() => undefined);
}

/** Waits until what was decided is drawn. */
export const drawn = () =>
  document.hidden ? Promise.resolve() : new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

/** @typedef {{x: number, y: number}} Point */

/** @param {Element} element @returns {Point} */
export function middleOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/**
 * Something in flight over the page; `land` takes it away.
 * @param {unknown} drawing
 * @param {number} width
 * @param {number} height
 * @param {string} box
 */
function flyer(drawing, width, height, box) {
  const holder = document.createElement("div");
  holder.className = "flying";
  holder.setAttribute("aria-hidden", "true");
  document.body.append(holder);
  render(html`<svg width=${width} height=${height} viewBox=${box}>${drawing}</svg>`, holder);
  const land = () => {
    render(null, holder);
    holder.remove();
  };
  return { element: holder, land };
}

/**
 * A patch leaves the table, travels, turns and comes down where it is laid.
 * @param {import("./shapes.js").Edition} edition @param {import("./shapes.js").Placed} placed
 * @param {{from: Point, fromSize: number, to: Point, size: number}} way the middles, and the sides of a cell
 */
export async function flyPatch(edition, placed, { from, fromSize, to, size }) {
  if (isHurried()) return () => undefined;
  const form = formOf(edition, placed);
  const [width, height] = [form.columns * size, form.rows * size];
  const patch = html`<${PatchShape} code=${placed.code} form=${placed.form} />`;
  const { element, land } = flyer(patch, width, height, `0 0 ${form.columns * U} ${form.rows * U}`);
  // It is drawn as it will lie; at first it is turned back to how it lay in the circle.
  const quarters = [0, 1, 2, -1][Number(/r(\d)/.exec(placed.form)?.[1] ?? 0)];
  const flipped = placed.form.startsWith("f") ? -1 : 1;
  /** @param {Point} at @param {number} scale @param {number} turned the share of the turning that is done */
  const frame = (at, scale, turned) =>
    `translate(${at.x - width / 2}px, ${at.y - height / 2}px) scale(${scale})` +
    ` scaleX(${turned ? 1 : flipped}) rotate(${(1 - turned) * -90 * quarters}deg)`;
  const small = fromSize / size;
  const between = { x: from.x + (to.x - from.x) * 0.55, y: Math.min(from.y, to.y) + Math.abs(to.y - from.y) * 0.4 };
  await move(
    element,
    [
      { transform: frame(from, small, 0), easing: "ease-out" },
      { transform: frame({ x: from.x, y: from.y - 12 }, small * 1.25, 0), offset: 0.18, easing: "ease-in-out" },
      { transform: frame(between, (small * 1.25 + 1.1) / 2, 0), offset: 0.5, easing: "ease-in-out" },
      { transform: frame({ x: to.x, y: to.y - 8 }, 1.12, 1), offset: 0.85, easing: "ease-in" },
      { transform: frame(to, 1, 1) },
    ],
    { duration: 1250, fill: "forwards" },
  );
  return land;
}

/**
 * Copies of a small drawing fly from many places to one.
 * @param {string} piece @param {Point[]} from @param {Point} to
 * @param {{size?: number, duration?: number, landed?: () => void}} [how]
 */
export async function flyPieces(piece, from, to, { size = 20, duration = 620, landed } = {}) {
  if (isHurried()) return;
  await Promise.all(
    from.map(async (start, i) => {
      const { element, land } = flyer(
        html`<use href=${`#art-${piece}`} x="-10" y="-10" width="20" height="20" />`,
        size,
        size,
        "-10 -10 20 20",
      );
      const at = (/** @type {Point} */ p, /** @type {number} */ scale) =>
        `translate(${p.x - size / 2}px, ${p.y - size / 2}px) scale(${scale})`;
      const high = { x: start.x, y: start.y - 22 };
      await move(
        element,
        [
          { transform: at(start, 1) },
          { transform: at(high, 1.5), offset: 0.3, easing: "cubic-bezier(.5,0,.4,1)" },
          { transform: at(to, 1) },
        ],
        { duration, delay: i * 70, fill: "both" },
      );
      land();
      landed?.();
    }),
  );
}

/**
 * A drawing comes up large in the middle of the page before it goes where it belongs.
 * @param {string} piece
 * @param {Point} from
 * @param {Point} to
 * @param {number} size
 */
export async function parade(piece, from, to, size) {
  if (isHurried()) return;
  const { element, land } = flyer(
    html`<use href=${`#art-${piece}`} x="-10" y="-10" width="20" height="20" />`,
    size,
    size,
    "-10 -10 20 20",
  );
  const middle = { x: innerWidth / 2, y: innerHeight * 0.42 };
  const at = (/** @type {Point} */ p, /** @type {number} */ scale, turn = 0) =>
    `translate(${p.x - size / 2}px, ${p.y - size / 2}px) scale(${scale}) rotate(${turn}deg)`;
  await move(
    element,
    [
      { transform: at(from, 0.3), easing: "ease-out" },
      { transform: at(middle, 1, -8), offset: 0.3 },
      { transform: at(middle, 1.12, 6), offset: 0.5 },
      { transform: at(middle, 1, -4), offset: 0.68, easing: "ease-in" },
      { transform: at(to, 0.15, 0) },
    ],
    { duration: 1900 },
  );
  land();
}
