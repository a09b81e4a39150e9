// @ts-check
/** Focus is never lost: where a button goes or is switched off after a move, the nearest thing to do takes it. */

/**
 * Where focus goes when its place is gone: to the sentence of whose turn it is, or to what can be done instead of it.
 */
const NEXT = [".preview", ".result .sew, .result .soft", ".review .sew", ".watch-bar .sew:enabled"];

/** the control that had focus, and a selector that finds it again when it was drawn anew */
let last = "";
/** @type {Element | null} */
let held = null;

/** @param {FocusEvent} event */
export function noteFocus(event) {
  const element = /** @type {Element} */ (event.target);
  if (element.closest("dialog")) return;
  held = element;
  const code = element.closest("[data-code]")?.getAttribute("data-code");
  const name = [...element.classList].find((c) => ["sew", "advance", "made", "who"].includes(c));
  const place = element.getAttribute("data-cell");
  const quilt = element.closest(".quilt")?.getAttribute("data-player");
  if (place) last = `.quilt[data-player="${quilt}"] [data-cell="${place}"]`;
  else if (code) last = `.choice[data-code="${code}"]`;
  else last = name ? `main .${name}:enabled` : ".preview";
}

/** Keeps focus while the table is there: whatever part of it is drawn anew may have held it. */
export function watchFocus() {
  let frame = requestAnimationFrame(keepFocus);
  const seen = new MutationObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(keepFocus);
  });
  seen.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  return () => {
    cancelAnimationFrame(frame);
    seen.disconnect();
  };
}

/** Gives focus a place again, if it lost its own. */
function keepFocus() {
  const now = document.activeElement;
  const lost = !now || now === document.body || now.matches(":disabled");
  if (!last || !lost || document.querySelector("dialog[open]")) return;
  for (const place of [held, last, ...NEXT]) {
    const found = /** @type {HTMLElement | null} */ (typeof place === "string" ? document.querySelector(place) : place);
    if (!found?.isConnected || !found.checkVisibility()) continue;
    if (place === ".preview") found.tabIndex = -1;
    found.focus({ preventScroll: true });
    if (document.activeElement === found) return;
  }
}
