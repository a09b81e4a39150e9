// @ts-check
/** The page begins here. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html } from "./html.js";
import { watchTurns } from "./attention.js";
import { ArtDefs } from "./art.js";
import { GamePage } from "./game.js";
import { Preparing, watchPreparation } from "./preparing.js";
import { RecordPage } from "./record.js";
import { StartPage } from "./start.js";
import { notice, route, spoken, start, tell } from "./store.js";

const rulesPage = () => import("./rules/page.js").then((found) => found.RulesPage);
const studyPage = () => import("./study/page.js").then((found) => found.StudyPage);
const puzzlePage = () => import("./puzzles/page.js").then((found) => found.PuzzlePage);
const learnPage = () => import("./learn/page.js").then((found) => found.LearnPage);

/** A page that is fetched when it is first opened. @param {{load: () => Promise<unknown>} & object} props */
function Later({ load, ...props }) {
  const [found, setFound] = useState(/** @type {{Wanted: unknown} | null} */ (null));
  useEffect(() => {
    load().then(
      (Wanted) => setFound({ Wanted }),
      (error) => tell(error.message, "warning"),
    );
  }, []);
  return found && html`<${found.Wanted} ...${props} />`;
}

function Page() {
  const { page, rest } = route.value;
  if (page === "game" && rest[0]) return html`<${GamePage} key=${rest[0]} token=${rest[0]} />`;
  if (page === "replay" && rest[0]) return html`<${GamePage} key=${rest[0]} token=${rest[0]} replay=${true} />`;
  if (page === "rules") return html`<${Later} key="rules" load=${rulesPage} id=${rest[0] ?? "patchwork"} />`;
  if (page === "learn") return html`<${Later} key="learn" load=${learnPage} id=${rest[0] ?? "basics"} />`;
  if (page === "study") return html`<${Later} key="study" load=${studyPage} rest=${rest} />`;
  if (page === "puzzles")
    return html`<${Later} key="puzzles" load=${puzzlePage} wanted=${rest[0] ?? ""} />`;
  if (page === "record") return html`<${RecordPage} />`;
  return html`<${StartPage} />`;
}

function App() {
  return html`
    <${ArtDefs} />
    <${Page} />
    <${Preparing} />
    ${notice.value && html`<div class=${`notice ${notice.value.kind}`}>${notice.value.text}</div>`}
    <div class="unseen" role="status" aria-live="polite">${spoken.value}</div>`;
}

start().then(
  () => {
    watchTurns();
    const app = /** @type {HTMLElement} */ (document.getElementById("app"));
    render(html`<${App} />`, app);
    document.documentElement.dataset.ready = "yes";
    watchPreparation();
    // Without a service worker the page is the same, but for a lost connection.
    navigator.serviceWorker?.register("sw.js").catch(() => undefined);
  },
  (error) => {
    const app = /** @type {HTMLElement} */ (document.getElementById("app"));
    app.textContent = error.message;
  },
);
