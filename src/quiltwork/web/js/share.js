// @ts-check
/** A finished game to show to others: a link that replays it, a picture, a record. */
import { html } from "./html.js";
import { ask } from "./api.js";
import { Dialog, saveFile } from "./dialog.js";
import { saveRecord, Shared } from "./menu.js";
import { dark, tell, theme, view } from "./store.js";
import { link } from "./table.js";
import { t, whyRefused } from "./words.js";

/** @param {{onClose: () => void}} props */
export function ShareResult({ onClose }) {
  return html`
    <${Dialog} title=${t("result.share")} onClose=${onClose}>
      <${Shared} token=${view.value.links.watch} page="replay" label=${t("links.replay")} />
      <div class="menu-items">
        <button type="button" onClick=${() => savePicture("png")}>${t("result.png")}</button>
        <button type="button" onClick=${() => savePicture("svg")}>${t("result.svg")}</button>
        <button type="button" onClick=${saveRecord}>${t("menu.record")}</button>
      </div>
    </${Dialog}>`;
}

/** Saves the picture of both quilts and the result. @param {"svg" | "png"} kind */
async function savePicture(kind) {
  try {
    const address = `game/result.svg?theme=${theme.peek().id}&dark=${dark.peek()}`;
    const text = await ask(address, { token: link.peek()?.token });
    const drawing = new Blob([text], { type: "image/svg+xml" });
    const name = `quiltwork-${view.peek().game}`;
    if (kind === "svg") saveFile(`${name}.svg`, drawing);
    else saveFile(`${name}.png`, await toPng(drawing));
  } catch (error) {
    tell(whyRefused(error), "warning");
  }
}

/** @param {Blob} drawing @returns {Promise<Blob>} */
async function toPng(drawing) {
  const picture = new Image();
  const address = URL.createObjectURL(drawing);
  try {
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    const scale = 1200 / Math.max(picture.naturalWidth, 1);
    canvas.width = 1200;
    canvas.height = Math.round(picture.naturalHeight * scale);
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) =>
      canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}
