// @ts-check
/** An analysis as a file and as a link: the link holds the whole record, so no server has to keep it. */
import { ask } from "../api.js";
import { saveFile } from "../dialog.js";
import { about, tell } from "../store.js";
import { t, whyRefused } from "../words.js";
import { toWrite } from "./tree.js";

/** What a link may hold; longer ones are cut by some programs. */
const LONGEST = 8000;

const written = () => ask("study/record", { method: "POST", body: toWrite() });

export async function saveTree() {
  try {
    saveFile("quiltwork-analysis.quilt", new Blob([await written()], { type: "text/plain" }));
  } catch (error) {
    tell(whyRefused(error), "warning");
  }
}

export async function copyLink() {
  try {
    const packed = await pack(await written());
    const base = about.peek()?.public_url || location.href.split("#")[0];
    const address = `${base.replace(/\/?$/, "/")}#/study/record/${packed}`;
    if (address.length > LONGEST) return tell(t("study.link_long"), "warning");
    history.replaceState(null, "", `#/study/record/${packed}`);
    await navigator.clipboard.writeText(address);
    tell(t("links.copied"));
  } catch (error) {
    tell(error instanceof DOMException ? t("study.link_above") : whyRefused(error));
  }
}

/** @param {string} text */
export async function pack(text) {
  const squeezed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(squeezed).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} packed */
export async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}
