// @ts-check
/**
 * A lesson on the real table: a light, a voice, and moves that must be made.
 * It can be left at any step, and taken up there.
 */
import { html } from "../html.js";
import { effect, signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask } from "../api.js";
import { GamePage, menuOpen } from "../game.js";
import { drawn } from "../motion.js";
import { learned, lesson, playerName } from "../prefs.js";
import { selection } from "../selection.js";
import { about, edition, goTo, tell, view } from "../store.js";
import { link } from "../table.js";
import { t, whyRefused } from "../words.js";
import { beginGently } from "../start.js";
import { LESSONS } from "./lessons.js";
import { boxOf, placeFor } from "./spot.js";

/** What holds the controls, which a card should rather not hide. */
const CONTROLS = ".action-bar, .choices";
const MY_QUILT = '.quilt[data-player="1"]';
/** What is lit while something is in hand that no step speaks of: where it goes, and how it is made so. */
const IN_HAND = `${MY_QUILT}, .action-bar`;
/** So many milliseconds after a change of the screen the table lies still. */
const SETTLED = 1000;

/** the table of the scene */
const token = signal("");
/** how things were when the step began @type {{place: string, form: string | null}} */
let before = { place: "", form: null };

/** whether a table is being set already */
let entering = false;

/** The steps of a lesson in a row. @param {string} id */
const stepsOf = (id) => LESSONS[id].flatMap((scene, at) => scene.steps.map((step) => ({ ...step, scene: at })));

/** @param {{id: string}} props `basics`, or an edition */
export function LearnPage({ id }) {
  const known = Object.hasOwn(LESSONS, id);
  useEffect(() => {
    if (!known) return goTo(`rules/${id}`);
    const left = lesson.peek();
    if (left?.id === id && stepsOf(id)[left.at]) {
      // What was in hand is not kept: its step begins with taking it again.
      lesson.value = { ...left, at: stepsOf(id).findLastIndex((step, i) => i <= left.at && !step.hand) };
      token.value = left.token;
    } else enter(id, 0, true);
    return () => {
      token.value = "";
    };
  }, [id]);
  useEffect(() => effect(() => follow(id)), [id]);
  const gone = link.value?.status.value === "refused";
  useEffect(() => {
    // The server has forgotten the table: the scene is set again.
    if (gone && lesson.peek()) enter(id, sceneStart(id, lesson.peek()?.at ?? 0), true);
  }, [gone]);
  if (!known || !token.value) return null;
  return html`<${GamePage} token=${token.value} /><${Voice} id=${id} />`;
}

/** The first step of the scene that a step is in. @param {string} id @param {number} at */
function sceneStart(id, at) {
  const steps = stepsOf(id);
  return steps.findIndex((step) => step.scene === steps[at].scene);
}

/**
 * Goes to a step; a new scene needs a table of its own.
 * @param {string} id
 * @param {number} at
 * @param {boolean} [anew] whether the scene is to be set again
 * @param {boolean} [again] whether it is as another move was made than the step is about
 */
async function enter(id, at, anew = false, again = false) {
  const steps = stepsOf(id);
  const old = lesson.peek();
  const now = selection.peek();
  before = { place: placeOf(now), form: now?.kind === "lay" ? now.form : null };
  const lost = link.peek()?.status.peek() === "refused";
  if (!anew && !lost && old?.id === id && steps[old.at]?.scene === steps[at].scene) {
    lesson.value = { id, at, token: old.token };
    return;
  }
  if (entering) return;
  entering = true;
  const scene = LESSONS[id][steps[at].scene];
  const me = { kind: "human", ...(playerName.peek() ? { name: playerName.peek() } : {}) };
  const record = `[Edition "${scene.edition}"]\n[Position "${scene.position}"]\n\n*\n`;
  const seats = [me, { kind: "computer", opponent: about.peek().opponents[0].id }];
  try {
    const made = await ask("games", { method: "POST", body: { edition: scene.edition, seats, record } });
    lesson.value = { id, at, token: made.token, again };
    token.value = made.token;
  } catch (error) {
    tell(whyRefused(error), "warning");
    goTo("");
  } finally {
    entering = false;
  }
}

/** @param {any} chosen */
const placeOf = (chosen) => (chosen?.kind === "lay" ? `${chosen.row},${chosen.column},${chosen.form}` : "");

/** Goes on when the player did what the step asks. @param {string} id */
function follow(id) {
  const left = lesson.value;
  const now = view.value;
  const chosen = selection.value;
  if (!left || left.id !== id || !now || link.peek()?.token !== left.token) return;
  if (before.form === null && chosen?.kind === "lay") before = { place: placeOf(chosen), form: chosen.form };
  const moved = placeOf(chosen) !== before.place;
  const step = stepsOf(id)[left.at];
  const table = { now, chosen: chosen && { ...chosen, moved }, form: before.form };
  if (step?.until?.(table)) enter(id, left.at + 1);
  else if (step?.missed?.(table)) enter(id, sceneStart(id, left.at), true, true);
}

/** @param {{id: string}} props */
function Voice({ id }) {
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const next = useRef(/** @type {HTMLElement | null} */ (null));
  const [spot, setSpot] = useState(/** @type {any} */ (null));
  const steps = stepsOf(id);
  const at = lesson.value?.at ?? 0;
  const step = steps[at];
  const ready = Boolean(view.value && step);
  useLayoutEffect(() => {
    if (!ready) return;
    let here = true;
    let resized = -Infinity;
    const look = () => {
      if (!card.current) return;
      const held = step.until && !step.hand && selection.peek() !== null;
      const box = boxOf(held ? IN_HAND : step.light);
      const { offsetWidth: width, offsetHeight: height } = card.current;
      const place = placeFor({ left: 0, top: 0, width, height }, [box, boxOf(CONTROLS), boxOf(MY_QUILT)]);
      // The light glides from step to step, and keeps up with a screen that changes.
      const found = { box, place, glides: performance.now() - resized > SETTLED };
      setSpot((/** @type {any} */ old) => (JSON.stringify(old) === JSON.stringify(found) ? old : found));
    };
    look();
    const timer = setInterval(look, 250);
    const onResize = () => {
      resized = performance.now();
      look();
      drawn().then(() => here && look());
    };
    window.addEventListener("resize", onResize);
    return () => {
      here = false;
      clearInterval(timer);
      window.removeEventListener("resize", onResize);
    };
  }, [at, ready, menuOpen.value]);
  useEffect(() => {
    // A step to be read has its button at hand; one to be done leaves the keys to the table.
    if (!ready) return;
    if (!step.until) next.current?.focus();
    else if (card.current?.contains(document.activeElement)) /** @type {any} */ (document.activeElement).blur();
  }, [at, ready]);
  if (!ready) return null;
  const last = at === steps.length - 1;
  const { box, place, glides } = spot ?? {};
  const e = /** @type {any} */ (edition.value);
  const marks = e.special_patch_spaces.join(", ");
  const figures = { penalty: Math.abs(e.points_per_empty_space), ...e.tile, marks };
  const back = () => enter(id, sceneStart(id, Math.max(0, at === sceneStart(id, at) ? at - 1 : at)), true);
  return html`
    ${box && html`<div class=${glides ? "spot gliding" : "spot"} aria-hidden="true" style=${pixels(box)}></div>`}
    <aside class="voice" ref=${card} aria-label=${t("learn.title")} style=${place && pixels(place)}>
      <p aria-live="polite">
        <small>${t("learn.step", { n: at + 1, of: steps.length })}</small>
        ${lesson.value?.again && html`<b>${t("learn.again")}</b> `}${t(`learn.${step.say}`, figures)}
      </p>
      <div>
        <button type="button" class="plain" onClick=${() => goTo("")}>${t("learn.leave")}</button>
        ${at > 0 && html`<button type="button" class="soft" onClick=${back}>${t("learn.back")}</button>`}
        ${!step.until && html`
          <button type="button" class="sew" ref=${next} onClick=${() => (last ? finish(e.id) : enter(id, at + 1))}>
            ${t(last ? "learn.finish" : "learn.next")}
          </button>
        `}
      </div>
    </aside>`;
}

/** A box as a style. @param {Record<string, number>} box */
const pixels = (box) => Object.fromEntries(Object.entries(box).map(([side, length]) => [side, `${length}px`]));

/** The lesson is over: the first game is against the weakest opponent, with remarks. @param {string} id */
function finish(id) {
  lesson.value = null;
  learned.value = true;
  beginGently(id);
}
