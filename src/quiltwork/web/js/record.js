// @ts-check
/** A record that was read: a table to look at, without a seat. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Table } from "./game.js";
import { closeReview, openReview, reviewed } from "./review.js";
import { goTo, showEdition, view } from "./store.js";

/** @type {import("@preact/signals").Signal<any>} */
const opened = signal(null);

/** @param {any} history */
export async function openRecord(history) {
  opened.value = history;
  goTo("record");
}

export function RecordPage() {
  const history = opened.value;
  useEffect(() => {
    if (!history) {
      goTo("");
      return;
    }
    showEdition(history.edition).then(() => {
      view.value = { ...history.view, ...history.snapshots.at(-1), moves: history.moves, imported: true };
      openReview(history);
    });
    return () => {
      closeReview();
      view.value = null;
    };
  }, [history]);
  return reviewed.value && view.value ? html`<${Table} />` : null;
}
