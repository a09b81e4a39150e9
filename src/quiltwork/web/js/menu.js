// @ts-check
/** The menu of a game, its list of moves, its links, and what the other player asks. */
import { html } from "./html.js";
import { useEffect, useState } from "preact/hooks";
import { canShowAgain, showAgain } from "./again.js";
import { ask } from "./api.js";
import { Token } from "./art.js";
import { Dialog, saveFile } from "./dialog.js";
import { notation } from "./prefs.js";
import { typeMove } from "./selection.js";
import { copyReport } from "./report.js";
import { Settings } from "./settings.js";
import { shortcutsOpen } from "./shortcuts.js";
import { about, goTo, route, tell, view } from "./store.js";
import { link, send } from "./table.js";
import { describeMove, nameOf } from "./telling.js";
import { openReview, reviewed, stepTo } from "./review.js";
import { t, whyRefused } from "./words.js";

/** @param {{onClose: () => void}} props */
export function Menu({ onClose }) {
  const now = view.value;
  const [page, setPage] = useState("menu");
  const [sure, setSure] = useState(false);
  if (page === "settings") return html`
    <${Dialog} title=${t("menu.settings")} onClose=${onClose}><${Settings} /></${Dialog}>
  `;
  if (page === "moves") return html`<${Dialog} title=${t("list.open")} onClose=${onClose}><${MoveList} /></${Dialog}>`;
  if (page === "links") return html`<${Dialog} title=${t("links.title")} onClose=${onClose}><${Links} /></${Dialog}>`;
  /** @param {() => void} act */
  const then = (act) => () => {
    onClose();
    act();
  };
  return html`
    <${Dialog} title=${t("menu.title")} onClose=${onClose} class="menu">
      ${notation.value && html`<${TypeMove} onDone=${onClose} />`}
      <div class="menu-items">
        <button type="button" disabled=${!canShowAgain()} onClick=${then(showAgain)}>${t("again")}</button>
        <button type="button" onClick=${() => setPage("moves")}>${t("list.open")}</button>
        ${!now.imported &&
        html`<button type="button" disabled=${now.moves.length === 0} onClick=${then(openReview)}>
          ${t("menu.review")}
        </button>
          <button type="button" onClick=${() => setPage("links")}>${t("links.title")}</button>
          <button type="button" onClick=${then(saveRecord)}>${t("menu.record")}</button>`}
        ${(now.imported || now.result) && html`
          <button type="button" onClick=${then(studyThis)}>${t("study.title")}</button>
        `}
        <button type="button" onClick=${then(() => goTo(`rules/${now.edition}`))}>${t("menu.rules")}</button>
        <button type="button" onClick=${() => setPage("settings")}>${t("menu.settings")}</button>
        <button type="button" onClick=${then(() => (shortcutsOpen.value = true))}>${t("keys.title")}</button>
        <button type="button" onClick=${then(copyReport)}>${t("report.wrong")}</button>
        ${now.can.resign && html`
          <button type="button" class="warning" onClick=${() => (sure ? then(() => send("resign"))() : setSure(true))}>
            ${t(sure ? "menu.resign_sure" : "menu.resign")}
          </button>
        `}
        <button type="button" onClick=${then(() => goTo(""))}>${t("menu.home")}</button>
      </div>
      <p class="small">
        ${t("menu.deal", { deal: now.deal ?? "–" })} · ${now.edition_title}
        ${notation.value && html` · <code class="position-text">${now.position}</code>`}
      </p>
    </${Dialog}>`;
}

/** Goes to the study with the game in sight, or with the record that was read. */
async function studyThis() {
  const record = reviewed.peek()?.history.record;
  if (!view.peek().imported) return goTo(`study/game/${route.peek().rest[0]}`);
  const { pack } = await import("./study/share.js");
  goTo(`study/record/${await pack(record)}`);
}

/** A box that takes a move in notation. @param {{onDone?: () => void}} props */
export function TypeMove({ onDone }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  if (!view.value.options) return null;
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const problem = typeMove(text);
    setWrong(problem ?? "");
    if (!problem) onDone?.();
  };
  return html`
    <form class="type-move" onSubmit=${submit}>
      <label class="field"><span>${t("type.label")}</span>
        <span
          class="with-button"><input type="text" name="move" value=${text}
            onInput=${(/** @type {any} */ e) => setText(e.target.value)} placeholder="5c@d4r1" autocapitalize="off"
            autocomplete="off" spellcheck=${false} maxlength="16" />
        <button type="submit" class="soft">${t("type.show")}</button></span></label>
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
    </form>`;
}

export function MoveList() {
  const now = view.value;
  /** @type {{player: number, moves: {text: string, ply: number, made: any}[]}[]} */
  const runs = [];
  now.moves.forEach((/** @type {any} */ made, /** @type {number} */ i) => {
    const player = made.player || runs.at(-1)?.player || 1;
    if (!runs.length || runs[runs.length - 1].player !== player) runs.push({ player, moves: [] });
    runs[runs.length - 1].moves.push({ text: made.move, ply: i + 1, made });
  });
  if (!notation.value) return html`
    <ol class="move-list told">
      ${runs.flatMap((run) => run.moves.map(({ ply, made }) => html`
        <li key=${ply}>
          <button type="button" class=${reviewed.value?.ply === ply ? "on" : ""} onClick=${() => stepTo(ply)}>
            <${Token} player=${run.player} size=${18} /><span>${describeMove(now, made)}</span>
          </button>
        </li>`))}
      ${!runs.length && html`<li class="muted">${t("list.none")}</li>`}
    </ol>`;
  return html`
    <ol class="move-list">
      ${runs.map((run, i) => html`
        <li key=${i} class=${`player-${run.player}`}><span class="mover">${nameOf(now, run.player)}</span>
          ${run.moves.map(({ text, ply, made }) => html`
            <button type="button" key=${ply} class=${reviewed.value?.ply === ply ? "on" : ""}
              title=${describeMove(now, made)} onClick=${() => stepTo(ply)}>
              ${text}
            </button>
          `)}
        </li>`)}
      ${!runs.length && html`<li class="muted">${t("list.none")}</li>`}
    </ol>`;
}

export async function saveRecord() {
  try {
    const text = await ask("game/record", { token: link.peek()?.token });
    saveFile(`quiltwork-${view.peek().game}.quilt`, new Blob([text], { type: "text/plain" }));
  } catch (error) {
    tell(whyRefused(error), "warning");
  }
}

/** The address of a token. @param {string} token @param {string} [page] */
export function addressOf(token, page = "game") {
  const base = about.value?.public_url || location.href.split("#")[0];
  return `${base.replace(/\/?$/, "/")}#/${page}/${token}`;
}

const LOCAL = /^https?:\/\/(localhost|127\.|\[::1\])/;

/** A link with its QR code. @param {{token: string, label: string, page?: string}} props */
export function Shared({ token, label, page }) {
  const address = addressOf(token, page);
  const [path, setPath] = useState(/** @type {{size: number, path: string} | null} */ (null));
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    ask("qr", { method: "POST", body: { text: address } }).then(setPath, () => setPath(null));
  }, [address]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      tell(t("links.copy_yourself"));
    }
  };
  return html`
    <div class="shared">
      <p>${label}</p>
      ${LOCAL.test(address) && html`<p class="small">${t("links.local")}</p>`}
      <span
        class="with-button"><input type="text" readonly value=${address} aria-label=${label}
          onFocus=${(/** @type {any} */ e) => e.target.select()} />
        <button type="button" class="soft" onClick=${copy}>${t(copied ? "links.copied" : "links.copy")}</button></span>
      ${path && html`
        <svg class="qr" viewBox=${`-4 -4 ${path.size + 8} ${path.size + 8}`} role="img" aria-label=${t("links.qr")}>
          <rect x="-4" y="-4" width=${path.size + 8} height=${path.size + 8} />
          <path d=${path.path} />
        </svg>
      `}
    </div>`;
}

function Links() {
  const now = view.value;
  return html`
    <div class="links">
      ${now.links.invite && html`<${Shared} token=${now.links.invite} label=${t("links.invite")} />
        <button type="button" class="soft" onClick=${() => send("withdraw")}>${t("links.withdraw")}</button>`}
      <${Shared} token=${now.links.watch} label=${t("links.watch")} />
      ${now.links.move && html`
        <details>
          <summary>${t("links.move")}</summary>
          <${Shared} token=${now.links.move} label=${t("links.move_text")} />
        </details>
      `}
    </div>`;
}

/** The invitation, until the friend has come. */
export function Invitation() {
  const now = view.value;
  const [closed, setClosed] = useState(false);
  const friend = now.you.length === 1 ? now.seats[2 - now.you[0]] : null;
  if (closed || !now.links.invite || friend?.joined || now.result) return null;
  return html`<${Dialog} title=${t("invite.title")} onClose=${() => setClosed(true)} class="invite">
    <p>${t("invite.text")}</p><${Shared} token=${now.links.invite} label=${t("links.invite")} />
    <button type="button" class="soft" onClick=${() => setClosed(true)}>${t("invite.wait")}</button>
  </${Dialog}>`;
}

/** What the other player asks for. */
export function RequestBanner() {
  const now = view.value;
  const request = now.request;
  if (!request || now.you.length !== 1) return null;
  const mine = now.you.includes(request.player);
  const name = nameOf(now, request.player);
  return html`
    <div class="banner" role="alertdialog" aria-label=${t(`request.${request.what}`, { name })}>
      <span>${t(mine ? `request.${request.what}.mine` : `request.${request.what}`, { name })}</span>
      ${!mine && html`<button type="button" class="soft" onClick=${() => send("accept")}>${t("request.yes")}</button>`}
      <button type="button" class="soft" onClick=${() => send("decline")}>
        ${t(mine ? "request.withdraw" : "request.no")}
      </button>
    </div>`;
}
