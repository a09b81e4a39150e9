// @ts-check
/** The keyboard: everything can be done without a pointer. */
import { cancel, choose, chooseAdvance, nudge, options, ready, selection, turn } from "./selection.js";
import { view } from "./store.js";
import { showAgain } from "./again.js";
import { hurry } from "./motion.js";
import { reviewed, stepTo } from "./review.js";
import { shortcutsOpen } from "./shortcuts.js";
import { isWatching, pause, paused, step as stepOn } from "./watching.js";
import { askHint, send, sew } from "./table.js";

/** Where the keys lead while one looks back. */
const LOOKING = {
  ArrowLeft: (/** @type {number} */ ply) => ply - 1,
  ArrowRight: (/** @type {number} */ ply) => ply + 1,
  Home: () => 0,
  End: () => Infinity,
};
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** @param {KeyboardEvent} event */
export function onKeyDown(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input, select, textarea") || document.querySelector("dialog[open]") || !view.peek()) return;
  hurry();
  if (press(event, target)) event.preventDefault();
}

/** @param {KeyboardEvent} event @param {HTMLElement} target */
function press(event, target) {
  const key = event.key;
  if (key === "?") {
    shortcutsOpen.value = true;
    return true;
  }
  const looking = reviewed.peek();
  if (looking && key in LOOKING && !target.closest("[role='gridcell']")) {
    stepTo(LOOKING[/** @type {keyof typeof LOOKING} */ (key)](looking.ply));
    return true;
  }
  if (isWatching(view.peek()) && !looking && (key === " " || key === "ArrowRight") && !target.closest("button, a")) {
    if (key === " ") pause(!paused.peek());
    else stepOn();
    return true;
  }
  const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
  if (step && selection.peek()?.kind === "lay") {
    nudge(step[0], step[1]);
    return true;
  }
  if (/^[1-9]$/.test(key)) {
    const choice = view.peek().choices[Number(key) - 1];
    if (choice && options.peek()) {
      choose(choice.code);
      putFocus(`.choices [data-code="${choice.code}"]`);
    }
    return true;
  }
  switch (key.toLowerCase()) {
    case "a":
    case "+":
      chooseAdvance();
      putFocus(".advance:enabled");
      return true;
    case "r":
      turn(event.shiftKey ? "back" : "rotate");
      return true;
    case "f":
      turn("flip");
      return true;
    case "h":
      if (view.peek().can.hint && options.peek()) askHint();
      return true;
    case "u":
      if (view.peek().can.takeback) send("takeback");
      return true;
    case "l":
      showAgain();
      return true;
    case "escape":
      cancel();
      return true;
    case "enter":
      if (event.repeat) return true;
      // A focused button keeps its own Enter, unless it is the very thing that is selected.
      if (!ready.peek() || (target.closest("a, summary, button") && !isSelected(target))) return false;
      sew();
      return true;
    default:
      return false;
  }
}

/**
 * What was chosen by its key takes focus from another button, which would keep Enter to itself.
 * @param {string} selector
 */
function putFocus(selector) {
  if (!document.activeElement?.closest("a, summary, button")) return;
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();
}

/** Whether the focused button is what the selection came from. @param {HTMLElement} target */
function isSelected(target) {
  const chosen = selection.peek();
  if (chosen?.kind === "advance") return Boolean(target.closest(".advance"));
  const code = target.closest(".choice")?.getAttribute("data-code");
  return (chosen?.kind === "lay" || chosen?.kind === "take") && chosen.code === code;
}
