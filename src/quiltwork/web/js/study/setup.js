// @ts-check
/** Setting a position up by hand: figures, patches to lay, and everything that is wrong with it. */
import { html } from "../html.js";
import { useState } from "preact/hooks";
import { Piece } from "../art.js";
import { Choose } from "../dialog.js";
import { PatchPicture } from "../patch.js";
import { notation } from "../prefs.js";
import { choose, selection } from "../selection.js";
import { readPlaced } from "../shapes.js";
import { about, edition } from "../store.js";
import { ask } from "../api.js";
import { capital, noun, patchName, t, whyRefused } from "../words.js";
import { change, changeSide, clearDraft, closeDraft, draft, openDraft, takeSpecial, takeUp } from "./draft.js";
import { nameIn, openTree, tree } from "./tree.js";

export function Setup() {
  const now = draft.value;
  const e = edition.value;
  if (!now || !e || !tree.value) return null;
  const side = now.players[now.shown - 1];
  const inHand = selection.value?.kind === "lay" ? selection.value.code : "";
  const names = [1, 2].map((p) => /** @type {[string, string]} */ ([String(p), nameIn(/** @type {any} */ (tree.value),
    p)]));
  return html`
    <section class="setup" aria-label=${t("setup.title")}>
      ${now.problems.length > 0 ? html`
        <div class="wrong" role="alert">
          <p>${t("setup.problems")}</p>
          <ul>${now.problems.map((problem) => html`<li key=${problem.key}>${said(problem)}</li>`)}</ul>
        </div>
      ` : html`<p class="right">${t("setup.fine")}</p>`}
      <${Choose} label=${t("setup.quilt_of")} value=${String(now.shown)}
        onChange=${(/** @type {string} */ v) => change({ shown: Number(v) })} choices=${names} />
      <div class="setup-figures">
        <${Figure} label=${capital(noun("space", 1))} value=${side.space} most=${e.last_space}
          onChange=${(/** @type {number} */ space) => changeSide(now.shown, { space })} />
        <${Figure} label=${capital(noun("button", 2))} value=${side.buttons} most=${999}
          onChange=${(/** @type {number} */ buttons) => changeSide(now.shown, { buttons })} />
      </div>
      <p class="small muted">${t("setup.lay")}</p>
      <div class="palette">
        ${e.special_patch_spaces.length > 0 && html`<button type="button" class=${inHand === "s" ? "on" : ""}
          onClick=${takeSpecial}
          aria-label=${noun("special_patch", 1)}><svg width="26" height="26" viewBox="-20 -20 40 40"
          aria-hidden="true"><${Piece} name="special-patch" radius=${18} /></svg></button>`}
        ${[...now.circle, ...now.reserve].map((code) => html`<button type="button" key=${code}
          class=${code === inHand ? "on" : ""} aria-pressed=${code === inHand} aria-label=${patchName(code)}
          onClick=${() => choose(code)}><${PatchPicture} code=${code} cell=${9} fit=${34} /></button>`)}
      </div>
      ${inHand && inHand !== "s" && html`<div class="setup-buttons">
        ${now.circle.includes(inHand) && html`<button type="button" class="soft"
          onClick=${() => begin(inHand)}>${t("setup.begin_here")}</button>`}
        <button type="button" class="soft" onClick=${() => remove(inHand)}>${t("setup.remove")}</button></div>`}
      ${side.quilt.length > 0 && html`<p class="small muted">${t("setup.take_up")}</p>
        <div class="palette">${side.quilt.map((move) => html`<button type="button" key=${move}
          aria-label=${t("setup.take_up_one", { patch: patchName(readPlaced(move)?.code ?? "s") })}
          onClick=${() => takeUp(now.shown, move)}>${notation.value ? move : html`<${PatchPicture}
          code=${readPlaced(move)?.code ?? "s"} cell=${9} fit=${34} />`}</button>`)}</div>`}
      <${Choose} label=${t("setup.turn")} value=${String(now.turn)}
        onChange=${(/** @type {string} */ v) => change({ turn: Number(v) })} choices=${names} />
      ${e.tile && html`<${Choose} label=${capital(noun("special_tile", 1))} value=${String(now.tile ?? "")}
        onChange=${(/** @type {string} */ v) => change({ tile: v ? Number(v) : null })}
        choices=${[["", t("setup.nobody")], ...names]} />`}
      <div class="setup-buttons">
        <button type="button" class="sew" disabled=${!now.position || now.problems.length > 0}
          onClick=${() => closeDraft(true)}>${t("setup.use")}</button>
        <button type="button" class="soft" onClick=${clearDraft}>${t("setup.clear")}</button>
        <button type="button" class="soft" onClick=${leave}>${t("setup.cancel")}</button>
      </div>
      <${OtherEdition} />
      <${PositionText} />
    </section>`;
}

/**
 * A problem in words; a patch or what lies on a quilt is called by its name.
 * @param {import("./draft.js").Problem} problem
 */
function said({ key, figures }) {
  const named = Object.entries(figures).map(([name, value]) => [name, name === "code" ? called(String(value)) : value]);
  return capital(t(`problem.${key}`, Object.fromEntries(named)));
}

/** @param {string} code */
const called = (code) => (patchName(code) === code || notation.peek() ? code : patchName(code));

/** The circle begins with a patch: the neutral token stands before it. @param {string} code */
function begin(code) {
  const circle = /** @type {any} */ (draft.peek()).circle;
  const i = circle.indexOf(code);
  change({ circle: [...circle.slice(i), ...circle.slice(0, i)] });
}

/** @param {string} code */
function remove(code) {
  const now = /** @type {any} */ (draft.peek());
  selection.value = null;
  change({ circle: now.circle.filter((/** @type {string} */ c) => c !== code),
    reserve: now.reserve.filter((/** @type {string} */ c) => c !== code) });
}

async function leave() {
  const { show } = await import("./tree.js");
  await closeDraft(false);
  show();
}

/** @param {{label: string, value: number, most: number, onChange: (value: number) => void}} props */
const Figure = ({ label, value, most, onChange }) => html`
  <div class="figure" role="group" aria-label=${label}><span>${label}</span>
    <button type="button" class="round" disabled=${value <= 0}
      onClick=${() => onChange(value - 1)} aria-label=${t("setup.less", { what: label })}>−</button>
    <input type="text" inputmode="numeric" value=${value} aria-label=${label}
      onChange=${(/** @type {any} */ event) => onChange(Number(event.target.value.replace(/\D/g, "") || 0))} />
    <button type="button" class="round" disabled=${value >= most}
      onClick=${() => onChange(value + 1)} aria-label=${t("setup.more", { what: label })}>+</button>
  </div>`;

/** The same with another box. */
function OtherEdition() {
  return html`<label class="field"><span>${t("new.edition")}</span>
    <select value=${tree.value?.edition} onChange=${async (/** @type {any} */ event) => {
      const id = event.target.value;
      await openRecordText(`[Edition "${id}"]\n[Deal "1"]\n\n*\n`);
      openDraft();
      clearDraft();
    }}>${about.value.editions.map((/** @type {any} */ each) => html`<option key=${each.id}
      value=${each.id}>${each.title}</option>`)}</select></label>`;
}

/** @param {string} record */
async function openRecordText(record) {
  draft.value = null;
  await openTree(await ask("study/tree", { method: "POST", body: { record } }), { record });
}

/** A position or a record as text. */
export function PositionText() {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    const given = text.trim();
    try {
      await openRecordText(given.startsWith("[") ? given : `[Position "${given}"]\n\n*\n`);
    } catch (error) {
      setWrong(whyRefused(error));
    }
  };
  return html`
    <form onSubmit=${submit}>
      <label class="field"><span>${t("setup.text")}</span><textarea rows="3" spellcheck=${false} value=${text}
        onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea></label>
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      <button type="submit" class="soft" disabled=${!text.trim()}>${t("setup.open")}</button>
    </form>`;
}
