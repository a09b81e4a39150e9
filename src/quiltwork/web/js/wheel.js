// @ts-check
/** A wheel turns a patch: by a notch of a mouse, or by a long push on a trackpad. */

/** How far a push goes for one turn; a notch of a mouse is twice as far. */
const TURN = 60;
/** A push ends when nothing came for so long. */
const PAUSE = 250;
const LINE = 34;

let pushed = 0;
let before = 0;
let turned = 0;

/**
 * The turn that a movement of the wheel asks for, or null.
 * @param {WheelEvent} event
 * @returns {"rotate" | "back" | null}
 */
export function wheelTurn(event) {
  const push = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE : event.deltaY;
  if (event.timeStamp - before > PAUSE || Math.sign(push) !== Math.sign(pushed)) pushed = 0;
  before = event.timeStamp;
  pushed += push;
  if (Math.abs(pushed) < TURN || event.timeStamp - turned < PAUSE) return null;
  const how = pushed > 0 ? "rotate" : "back";
  turned = event.timeStamp;
  pushed = 0;
  return how;
}
