// @ts-check
/** On a new machine the server compiles while the page is up already: how far it is. */
import { signal } from "@preact/signals";
import { ask } from "./api.js";
import { html } from "./html.js";
import { route, view } from "./store.js";
import { t } from "./words.js";

/** @type {import("@preact/signals").Signal<{stage: string | null, done: number, total: number} | null>} */
const progress = signal(null);

/** Looks until everything is prepared. */
export async function watchPreparation() {
  const found = await ask("preparation").catch(() => null);
  progress.value = found;
  if (found?.stage) setTimeout(watchPreparation, 700);
}

export function Preparing() {
  const now = progress.value;
  // At the table it would cover the buttons; there it is shown while the opponent has to wait for it.
  const idle = route.value.page === "game" && view.value && !view.value.thinking;
  if (!now?.stage || idle) return null;
  return html`
    <div class="preparing" role="status">
      <span>${t(`preparing.${now.stage}`)}</span>
      <progress max=${now.total} value=${now.total > 2 ? now.done : undefined}></progress>
    </div>
  `;
}
