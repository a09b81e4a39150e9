// @ts-check
/**
 * The link to a table: a websocket that comes back by itself.
 *
 * Every message carries the game's version and a key of its own; one that was not answered is sent again, with the
 * same key, after the link is back, and the server does it at most once.
 */
import { signal } from "@preact/signals";

/** @typedef {import("../types/messages").State} State */
/** @typedef {import("../types/messages").Change} Change */
/** @typedef {{type: string, key: string, version: number, [more: string]: unknown}} Message */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 2000;
const SILENCE = 25000;

export class Link {
  /**
   * @param {string} token
   * @param {(message: any) => void} onMessage
   * @param {string} [key] by which who takes the seat of an invitation is known again
   */
  constructor(token, onMessage, key) {
    this.token = token;
    this.key = key;
    /** the code of the server's refusal to let us sit down */
    this.why = "";
    this.onMessage = onMessage;
    /** "connecting", "live", "away" or "refused" */
    this.status = signal("connecting");
    /** @type {Map<string, {message: Message, done: (answer: any) => void}>} */
    this.unanswered = new Map();
    /** what the server told last, whole @type {State | null} */
    this.state = null;
    this.looking = false;
    this.wait = FIRST_WAIT;
    this.closed = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.timer = 0;
    this.beat = 0;
    this.comeBack = () => {
      if (document.visibilityState === "visible" && this.status.peek() === "away") this.open();
    };
    document.addEventListener("visibilitychange", this.comeBack);
    window.addEventListener("online", this.comeBack);
    this.open();
  }

  open() {
    if (this.closed) return;
    clearTimeout(this.timer);
    if (this.socket) {
      this.socket.onclose = this.socket.onmessage = null;
      this.socket.close();
    }
    const url = new URL("ws", location.href.split("#")[0]);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket = socket;
    this.looking = false;
    const hello = { type: "hello", token: this.token, key: this.key, changes: true };
    socket.onopen = () => socket.send(JSON.stringify(hello));
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => this.lost(event.code);
    clearInterval(this.beat);
    this.beat = window.setInterval(() => this.ping(), SILENCE);
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "pong" && message.version > (this.state?.version ?? message.version)) this.look();
    if (message.type === "change") {
      if (this.looking) return;
      if (this.state?.version !== message.from) {
        this.look();
        return;
      }
      message = withChange(/** @type {State} */ (this.state), message);
    }
    if (message.type === "state") {
      this.state = message;
      this.looking = false;
    }
    if (message.type === "presence" && this.state) this.state = { ...this.state, seats: message.seats };
    if (message.type === "wait" && this.state) this.state = { ...this.state, wait: message.seconds || null };
    if (message.type === "state" && this.status.peek() !== "live") {
      this.status.value = "live";
      this.wait = FIRST_WAIT;
      for (const { message: again } of this.unanswered.values()) this.socket?.send(JSON.stringify(again));
    }
    if (message.type === "refused" && !message.key) this.why = message.code;
    const waiting = message.key && this.unanswered.get(message.key);
    if (waiting && message.type === "refused" && message.retry) {
      this.later(message.key, message.retry);
      return;
    }
    if (waiting && this.status.peek() === "away") this.status.value = "live";
    if (waiting && (message.type === "done" || message.type === "refused" || message.type === "hint")) {
      this.unanswered.delete(message.key);
      waiting.done(message);
    }
    this.onMessage(message);
  }

  /**
   * Sends a message and resolves with the server's answer, however often the link breaks.
   * @param {string} type
   * @param {number} version
   * @param {object} [more]
   */
  send(type, version, more = {}) {
    /** @type {Message} */
    const message = { type, version, key: newKey(), ...more };
    return new Promise((done) => {
      this.unanswered.set(message.key, { message, done });
      if (this.status.peek() === "live") this.socket?.send(JSON.stringify(message));
    });
  }

  /**
   * The server could not store it: the same message again, until it can.
   * @param {string} key
   * @param {number} seconds
   */
  later(key, seconds) {
    this.status.value = "away";
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const again = this.unanswered.get(key)?.message;
      if (again && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(again));
    }, 1000 * seconds);
  }

  /** Asks for the whole state: something is missing. */
  look() {
    if (this.looking) return;
    this.looking = true;
    this.socket?.send(JSON.stringify({ type: "look" }));
  }

  ping() {
    if (this.status.peek() === "live") this.socket?.send(JSON.stringify({ type: "ping" }));
  }

  /** @param {number} code */
  lost(code) {
    if (this.closed) return;
    if (code === 4401 || code === 4403 || code === 4404) {
      this.status.value = "refused";
      return;
    }
    this.status.value = "away";
    // Not all at the same moment, when a server went that had many.
    this.timer = window.setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
    document.removeEventListener("visibilitychange", this.comeBack);
    window.removeEventListener("online", this.comeBack);
    this.socket?.close();
  }
}

/**
 * The state after a change: each entry replaces the old one; of the players only what differs is told.
 * @param {State} state @param {Change} change @returns {State}
 */
export function withChange(state, { from, players, ...rest }) {
  const merged = state.players.map((player, i) => ({ ...player, ...players?.[i] }));
  return { ...state, ...rest, players: merged, type: "state" };
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}
