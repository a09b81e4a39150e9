// @ts-check
/**
 * The link to a table: a websocket that comes back by itself.
 *
 * Every message carries the game's version and a key of its own; one that was not answered is sent again, with the
 * same key, after the link is back, and the server does it at most once.
 */
import { signal } from "@preact/signals";

/** @typedef {{type: string, key: string, version: number, [more: string]: unknown}} Message */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const SILENCE = 25000;

export class Link {
  /**
   * @param {string} token
   * @param {(message: any) => void} onMessage
   */
  constructor(token, onMessage) {
    this.token = token;
    this.onMessage = onMessage;
    /** "connecting", "live", "away" or "refused" */
    this.status = signal("connecting");
    /** @type {Map<string, {message: Message, done: (answer: any) => void}>} */
    this.unanswered = new Map();
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
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token: this.token }));
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = (event) => this.lost(event.code);
    clearInterval(this.beat);
    this.beat = window.setInterval(() => this.ping(), SILENCE);
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "state" && this.status.peek() !== "live") {
      this.status.value = "live";
      this.wait = FIRST_WAIT;
      for (const { message: again } of this.unanswered.values()) this.socket?.send(JSON.stringify(again));
    }
    const waiting = message.key && this.unanswered.get(message.key);
    if (waiting && (message.type === "done" || message.type === "refused" || message.type === "hint")) {
      this.unanswered.delete(message.key);
      waiting.done(message);
    }
    this.onMessage(message);
  }

  /** Sends a message and resolves with the server's answer, however often the link breaks. @param {string} type @param {number} version @param {object} [more] */
  send(type, version, more = {}) {
    /** @type {Message} */
    const message = { type, version, key: newKey(), ...more };
    return new Promise((done) => {
      this.unanswered.set(message.key, { message, done });
      if (this.status.peek() === "live") this.socket?.send(JSON.stringify(message));
    });
  }

  ping() {
    if (this.status.peek() === "live") this.socket?.send(JSON.stringify({ type: "ping" }));
  }

  /** @param {number} code */
  lost(code) {
    if (this.closed) return;
    if (code === 4401 || code === 4404) {
      this.status.value = "refused";
      return;
    }
    this.status.value = "away";
    this.timer = window.setTimeout(() => this.open(), this.wait);
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

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
}
