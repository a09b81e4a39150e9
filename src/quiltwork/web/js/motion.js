// @ts-check
/** What moves and sounds after a move; nothing here ever blocks input, and a tap finishes it at once. */
import { signal } from "@preact/signals";
import { pace, sound } from "./prefs.js";

/** the placements laid by the last moves, as `player:text` @type {import("@preact/signals").Signal<Set<string>>} */
export const fresh = signal(new Set());

const FLIGHT = 520;
const MANY = 12;

/** @param {any} view @param {any[]} moves */
export function celebrate(view, moves) {
  document.documentElement.style.setProperty("--pace", String(pace()));
  fresh.value = new Set(moves.map((m) => `${m.player}:${m.move}`));
  for (const made of moves) {
    if (made.income && pace()) requestAnimationFrame(() => flyIncome(made.player, made.income));
  }
  if (sound.value && moves.length) play(view.result ? "end" : moves.at(-1).income ? "income" : "lay");
}

/** Buttons fly from the quilt to the counter. @param {number} player @param {number} count */
function flyIncome(player, count) {
  const quilt = document.querySelector(`.quilt[data-player="${player}"]`) ?? document.querySelector(".track");
  const counter = document.querySelector(`.player-line[data-player="${player}"] .buttons`);
  const model = counter?.querySelector("svg");
  if (!quilt || !counter || !model) return;
  const from = quilt.getBoundingClientRect();
  const to = counter.getBoundingClientRect();
  for (let i = 0; i < Math.min(count, MANY); i += 1) {
    const flyer = /** @type {SVGElement} */ (model.cloneNode(true));
    flyer.classList.add("flying");
    document.body.append(flyer);
    const x = from.left + from.width * (0.25 + 0.5 * ((i * 0.618) % 1));
    const y = from.top + from.height * (0.25 + 0.5 * ((i * 0.382) % 1));
    const flight = flyer.animate(
      [
        { transform: `translate(${x}px, ${y}px) scale(1.6)`, opacity: 0 },
        { opacity: 1, offset: 0.2 },
        { transform: `translate(${to.left}px, ${to.top + to.height / 2 - 9}px) scale(1)`, opacity: 1 },
      ],
      { duration: FLIGHT * pace(), delay: i * 40 * pace(), easing: "cubic-bezier(.5,0,.3,1)", fill: "backwards" },
    );
    flight.onfinish = flight.oncancel = () => flyer.remove();
  }
}

window.addEventListener(
  "pointerdown",
  () => {
    for (const a of document.getAnimations()) if (Number.isFinite(a.effect?.getComputedTiming().endTime)) a.finish();
  },
  { capture: true },
);

/** @type {AudioContext | null} */
let audio = null;

const TUNES = {
  lay: [[220, 0.05, 0.07]],
  income: [[660, 0, 0.06], [880, 0.07, 0.09]],
  end: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.25]],
};

/** @param {keyof typeof TUNES} name */
function play(name) {
  audio ??= new AudioContext();
  for (const [pitch, after, length] of TUNES[name]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    const at = audio.currentTime + after;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
