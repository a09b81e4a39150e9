// @ts-check
/** A spotlight on a part of the table, and a card beside it that hides nothing of what is lit. */

/** @typedef {{left: number, top: number, width: number, height: number}} Box */

const MARGIN = 6;

/** The smallest box around all that is in sight of a selector. @param {string} selector @returns {Box | null} */
export function boxOf(selector) {
  const boxes = [...document.querySelectorAll(selector)]
    .filter((e) => e.checkVisibility())
    .map((e) => e.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.height > 0);
  if (!boxes.length) return null;
  const left = Math.max(0, Math.min(...boxes.map((b) => b.left)));
  const top = Math.max(0, Math.min(...boxes.map((b) => b.top)));
  const right = Math.min(innerWidth, Math.max(...boxes.map((b) => b.right)));
  const bottom = Math.min(innerHeight, Math.max(...boxes.map((b) => b.bottom)));
  return { left, top, width: right - left, height: bottom - top };
}

/** Where a card hides least of what must be seen, the first above all. @param {Box} card @param {(Box | null)[]} lit */
export function placeFor(card, lit) {
  const right = innerWidth - card.width - MARGIN;
  const bottom = innerHeight - card.height - MARGIN;
  const middle = { left: right / 2, top: bottom / 2 };
  const down = [bottom, MARGIN, middle.top];
  const spots = [right, MARGIN, middle.left].flatMap((left) => down.map((top) => ({ left, top })));
  let best = spots[0];
  let least = Infinity;
  for (const spot of spots) {
    const box = { ...card, ...spot };
    const hidden = lit.reduce((sum, each, i) => sum + (each ? overlap(box, each) / 4 ** i : 0), 0);
    if (hidden < least) [best, least] = [spot, hidden];
  }
  return best;
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  const across = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const down = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return Math.max(0, across) * Math.max(0, down);
}
