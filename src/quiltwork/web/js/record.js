// @ts-check
/** A record that was read: a table to look at, without a seat. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "./api.js";
import { Table } from "./game.js";
import { closeReview, openReview, reviewed } from "./review.js";
import { goTo, showEdition, tell, view } from "./store.js";
import { whyRefused } from "./words.js";

/** @type {import("@preact/signals").Signal<any>} */
const opened = signal(null);

const KEPT = "quiltwork.record";

/** Opens a record: its text is kept, so that it is still there after a reload. @param {string} record */
export async function openRecord(record) {
  opened.value = await ask("records", { method: "POST", body: { record } });
  try {
    sessionStorage.setItem(KEPT, record);
  } catch {
    // A browser that keeps nothing shows it until it is left.
  }
  goTo("record");
}

/** The record that was open before the reload. */
async function reopen() {
  const record = sessionStorage.getItem(KEPT);
  if (!record) return goTo("");
  try {
    await openRecord(record);
  } catch (error) {
    tell(whyRefused(error), "warning");
    goTo("");
  }
}

export function RecordPage() {
  const history = opened.value;
  useEffect(() => {
    if (!history) {
      reopen();
      return;
    }
    showEdition(history.edition).then(() => {
      view.value = { ...history.view, ...history.snapshots.at(-1), moves: history.moves, imported: true };
      openReview(history);
    });
    return () => {
      closeReview();
      view.value = /** @type {any} */ (null);
    };
  }, [history]);
  return reviewed.value && view.value ? html`<${Table} />` : null;
}
