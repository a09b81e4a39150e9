// @ts-check
/** A board under the reader's hands: its moves go where its page wants them. */
import { signal } from "@preact/signals";
import { cancel } from "../selection.js";
import { tell } from "../store.js";
import { link } from "../table.js";
import { whyRefused } from "../words.js";

/** Stands where a game has its connection, so that the table works the same. */
class BoardLink {
  /** @param {string} token @param {(move: string) => unknown} play */
  constructor(token, play) {
    this.token = token;
    this.play = play;
    this.status = signal("live");
  }

  /** @param {string} type @param {number} _version @param {any} [more] */
  async send(type, _version, more) {
    if (type !== "move") return { type: "refused", code: "watching", message: "" };
    try {
      await this.play(more.move);
      return { type: "done" };
    } catch (error) {
      cancel();
      tell(whyRefused(error), "warning");
      return { type: "done" };
    }
  }

  close() {}
}

/** @param {string} token the page's @param {(move: string) => unknown} play takes a move */
export function takeBoard(token, play) {
  link.value = /** @type {any} */ (new BoardLink(token, play));
}

/** @param {string} token */
export function leaveBoard(token) {
  if (link.peek()?.token === token) link.value = null;
}
