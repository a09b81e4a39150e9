// @ts-check
/** Sounds of cloth, buttons and wood, made as they are needed. */
import { sound } from "./prefs.js";

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let hiss = null;

/** @typedef {{context: AudioContext, out: AudioNode, at: number}} Bench */

/**
 * A tone that dies away.
 * @param {Bench} bench
 * @param {number} pitch
 * @param {number} after
 * @param {number} length
 * @param {number} volume
 * @param {number} [falls] the pitch at its end, as a share
 */
function tone({ context, out, at }, pitch, after, length, volume, falls = 1) {
  const source = context.createOscillator();
  const level = context.createGain();
  const from = at + after;
  source.frequency.setValueAtTime(pitch, from);
  source.frequency.exponentialRampToValueAtTime(pitch * falls, from + length);
  level.gain.setValueAtTime(0, from);
  level.gain.linearRampToValueAtTime(volume, from + 0.004);
  level.gain.exponentialRampToValueAtTime(0.0005, from + length);
  source.connect(level).connect(out);
  source.start(from);
  source.stop(from + length);
}

/**
 * A breath of noise through a filter.
 * @param {Bench} bench
 * @param {BiquadFilterType} kind
 * @param {[number, number]} sweep
 * @param {number} after
 * @param {number} length
 * @param {number} volume
 * @param {number} [rise]
 */
function rush({ context, out, at }, kind, [low, high], after, length, volume, rise = 0.01) {
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const level = context.createGain();
  const from = at + after;
  source.buffer = hiss;
  filter.type = kind;
  filter.Q.value = 0.8;
  filter.frequency.setValueAtTime(low, from);
  filter.frequency.exponentialRampToValueAtTime(high, from + length);
  level.gain.setValueAtTime(0.0005, from);
  level.gain.exponentialRampToValueAtTime(volume, from + rise);
  level.gain.exponentialRampToValueAtTime(0.0005, from + length);
  source.connect(filter).connect(level).connect(out);
  source.start(from, Math.random() * 0.5, length);
}

/** A button that falls on others. @param {Bench} bench @param {number} after @param {number} [pitch] */
function click(bench, after, pitch = 1) {
  tone(bench, 1870 * pitch, after, 0.07, 0.1);
  tone(bench, 3140 * pitch, after, 0.05, 0.05);
  rush(bench, "highpass", [3000, 3000], after, 0.018, 0.12, 0.002);
}

/** Wood on wood. @param {Bench} bench @param {number} after @param {number} [pitch] */
function knock(bench, after, pitch = 1) {
  tone(bench, 250 * pitch, after, 0.09, 0.3, 0.7);
  tone(bench, 610 * pitch, after, 0.045, 0.09, 0.85);
  rush(bench, "lowpass", [1600, 500], after, 0.03, 0.25, 0.002);
}

/** @type {Record<string, (bench: Bench) => void>} */
const SOUNDS = {
  lift: (bench) => rush(bench, "bandpass", [700, 1900], 0, 0.2, 0.22, 0.08),
  lay: (bench) => {
    rush(bench, "bandpass", [1500, 420], 0, 0.2, 0.4, 0.02);
    tone(bench, 120, 0.03, 0.1, 0.22, 0.6);
    for (let i = 0; i < 5; i += 1) rush(bench, "highpass", [4200, 4200], 0.16 + i * 0.06, 0.022, 0.07, 0.004);
  },
  step: (bench) => knock(bench, 0, 0.94 + Math.random() * 0.12),
  income: (bench) => {
    for (let i = 0; i < 3; i += 1) click(bench, i * 0.055, 0.92 + Math.random() * 0.2);
  },
  count: (bench) => click(bench, 0, 1.1),
  special: (bench) => {
    rush(bench, "bandpass", [500, 1300], 0, 0.25, 0.3, 0.1);
    for (const [i, pitch] of [392, 523].entries()) tone(bench, pitch, 0.1 + i * 0.1, 0.4, 0.12);
  },
  tile: (bench) => {
    for (const [i, pitch] of [523, 659, 784, 1047].entries()) {
      tone(bench, pitch, i * 0.11, 0.55, 0.13);
      click(bench, i * 0.11, 0.8 + i * 0.1);
    }
  },
  turn: (bench) => {
    knock(bench, 0, 1.25);
    knock(bench, 0.16, 1.5);
  },
  end: (bench) => {
    for (const [i, pitch] of [262, 330, 392, 523].entries()) tone(bench, pitch, i * 0.09, 1.1, 0.12);
    rush(bench, "bandpass", [500, 1500], 0, 0.5, 0.16, 0.2);
  },
};

/** Plays a sound, where sounds are switched on. @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!sound.peek()) return;
  audio ??= new AudioContext();
  // A page that was not touched yet may not sound; what is late is left out.
  if (audio.state === "suspended") audio.resume();
  if (!hiss) {
    hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
    const samples = hiss.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  }
  SOUNDS[name]({ context: audio, out: audio.destination, at: audio.currentTime + 0.01 });
}
