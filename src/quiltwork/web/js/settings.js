// @ts-check
/** Preferences of this device. */
import { html } from "./html.js";
import { Choose } from "./dialog.js";
import { animation, coach, dress, language, notation, playerName, remarks, scheme, sound } from "./prefs.js";
import { about } from "./store.js";
import { t } from "./words.js";

/** @param {string} code */
const languageName = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;

/** How fast a move is shown. @returns {[string, string][]} */
export const PACES = () => [
  ["slow", t("settings.slow")],
  ["normal", t("settings.normal")],
  ["fast", t("settings.fast")],
  ["off", t("settings.off")],
];

export function Settings() {
  const offer = about.value;
  return html`
    <div class="settings">
      <label class="field"><span>${t("settings.name")}</span>
        <input type="text" maxlength="24" value=${playerName.value}
          onInput=${(/** @type {any} */ e) => (playerName.value = e.target.value)} autocomplete="nickname" /></label>
      <${Choose} label=${t("settings.scheme")} value=${scheme.value}
        onChange=${(/** @type {string} */ v) => (scheme.value = v)}
        choices=${[["auto", t("settings.auto")], ["light", t("settings.light")], ["dark", t("settings.dark")]]} />
      <label class="field"><span>${t("settings.dress")}</span>
        <select value=${dress.value} onChange=${(/** @type {any} */ e) => (dress.value = e.target.value)}>
          <option value="edition">${t("settings.dress_edition")}</option>
          ${offer.themes.map((/** @type {any} */ th) => html`<option value=${th.id} key=${th.id}>${th.title}</option>`)}
        </select></label>
      <${Choose} label=${t("settings.animation")} value=${animation.value}
        onChange=${(/** @type {string} */ v) => (animation.value = v)}
        choices=${PACES()} />
      <${Choose} label=${t("settings.sound")} value=${sound.value ? "on" : "off"}
        onChange=${(/** @type {string} */ v) => (sound.value = v === "on")}
        choices=${[["off", t("settings.off")], ["on", t("settings.on")]]} />
      <${Choose} label=${t("coach.setting")} value=${coach.value}
        onChange=${(/** @type {string} */ v) => (coach.value = v)}
        choices=${["off", "blunders", "mistakes", "small"].map((v) => [v, t(`coach.${v}`)])} />
      <${Choose} label=${t("remark.setting")} value=${remarks.value ? "on" : "off"}
        onChange=${(/** @type {string} */ v) => (remarks.value = v === "on")}
        choices=${[["off", t("settings.off")], ["on", t("settings.on")]]} />
      <${Choose} label=${t("settings.notation")} value=${notation.value ? "on" : "off"}
        onChange=${(/** @type {string} */ v) => (notation.value = v === "on")}
        choices=${[["off", t("settings.off")], ["on", t("settings.on")]]} />
      <${Choose} label=${t("settings.language")} value=${document.documentElement.lang}
        onChange=${(/** @type {string} */ v) => (language.value = v)}
        choices=${offer.languages.map((/** @type {string} */ l) => [l, languageName(l)])} />
    </div>`;
}
