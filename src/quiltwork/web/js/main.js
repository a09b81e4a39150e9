// @ts-check
/** The page begins here. */
import { render } from "preact";
import { html } from "./html.js";
import { ArtDefs } from "./art.js";
import { GamePage } from "./game.js";
import { RecordPage } from "./record.js";
import { RulesPage } from "./rules.js";
import { StartPage } from "./start.js";
import { TutorialPage } from "./tutorial.js";
import { notice, route, spoken, start } from "./store.js";

function Page() {
  const { page, rest } = route.value;
  if (page === "game" && rest[0]) return html`<${GamePage} key=${rest[0]} token=${rest[0]} />`;
  if (page === "rules") return html`<${RulesPage} id=${rest[0] ?? "patchwork"} />`;
  if (page === "learn") return html`<${TutorialPage} />`;
  if (page === "record") return html`<${RecordPage} />`;
  return html`<${StartPage} />`;
}

function App() {
  return html`
    <${ArtDefs} />
    <${Page} />
    ${notice.value && html`<div class=${`notice ${notice.value.kind}`}>${notice.value.text}</div>`}
    <div class="unseen" role="status" aria-live="polite">${spoken.value}</div>`;
}

start().then(
  () => {
    const app = /** @type {HTMLElement} */ (document.getElementById("app"));
    render(html`<${App} />`, app);
    document.documentElement.dataset.ready = "yes";
  },
  (error) => {
    const app = /** @type {HTMLElement} */ (document.getElementById("app"));
    app.textContent = error.message;
  },
);
