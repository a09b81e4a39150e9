// @ts-check
/** The end: who won, how the points came about, and what to do next. */
import { html } from "./html.js";
import { useEffect, useState } from "preact/hooks";
import { Token } from "./art.js";
import { NextLevel } from "./ladder.js";
import { ShareResult } from "./share.js";
import { edition, goTo, route, view } from "./store.js";
import { isHurried, rest, unhurried } from "./motion.js";
import { ended } from "./scene.js";
import { play } from "./sounds.js";
import { link, send } from "./table.js";
import { describeResult, nameOf } from "./telling.js";
import { noun, number, t } from "./words.js";

/** @type {("buttons" | "empty_spaces" | "tile" | "total")[]} the parts of a score, as they are counted */
const PARTS = ["buttons", "empty_spaces", "tile", "total"];
const TICKS = 9;

/** How many parts are counted so far: all, but while a game that just ended has its moment. @param {string} game */
function useCounting(game) {
  const [counted, setCounted] = useState(ended.peek() === game && !isHurried() ? 0 : PARTS.length);
  useEffect(() => {
    if (ended.peek() !== game) return;
    ended.value = "";
    let here = true;
    const count = async () => {
      unhurried();
      await rest(500);
      for (let tick = 1; here && tick <= PARTS.length * TICKS; tick += 1) {
        setCounted(tick / TICKS);
        if (!isHurried() && tick % 3 === 0) play("count");
        await rest(70);
      }
    };
    count();
    return () => {
      here = false;
    };
  }, [game]);
  return counted;
}

/** The part that decided, where the score did. @param {any} now */
function decisive(now) {
  if (now.result.by !== "score") return "";
  const [won, lost] = [now.result.winner, 3 - now.result.winner].map((p) => now.players[p - 1].score);
  return PARTS.slice(0, 3).reduce((a, b) => (won[b] - lost[b] > won[a] - lost[a] ? b : a));
}

export function ResultPanel() {
  const now = view.value;
  const e = /** @type {any} */ (edition.value);
  const tile = e.tile;
  const counted = useCounting(now.game);
  const [sharing, setSharing] = useState(false);
  const most = decisive(now);
  // A lesson leads on by itself.
  const taught = route.value.page === "learn";
  // As the quilts lie: mine at the left.
  const order = now.you.length === 1 ? [now.you[0], 3 - now.you[0]] : [1, 2];
  return html`
    <section class=${`result ${taught ? "taught" : ""}`} aria-label=${t("result.label")}>
      <h2 class=${counted < PARTS.length ? "to-come" : ""}>${describeResult(now)}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col"><span class="unseen">${t("result.label")}</span></th>
            ${order.map((p) => html`
              <th scope="col" key=${p}>
                <${Token} player=${p} size=${18} /> <span class="name-of">${nameOf(now, p)}</span>
              </th>
            `)}
          </tr>
        </thead>
        <tbody>
          ${row(0, noun("button", 2))}
          ${row(1, t("result.empty"), (p) => html`<small>(${p.empty} × ${number(e.points_per_empty_space)})</small>`)}
          ${tile && row(2, noun("special_tile", 1))}
        </tbody>
        <tfoot>${row(3, noun("point", 2))}</tfoot>
      </table>
      ${!taught && html`
        <div class="result-actions">
          <${NextLevel} />
          ${now.can.rematch && html`
            <button type="button" class="sew" onClick=${() => send("rematch")}>${t("result.rematch")}</button>
          `}
          <button type="button" class="soft" onClick=${() => goTo(`study/game/${link.peek()?.token}`)}>
            ${t("study.review")}
          </button>
          <button type="button" class="soft" onClick=${() => setSharing(true)}>${t("result.share")}</button>
          <button type="button" class="soft" onClick=${() => goTo("")}>${t("menu.home")}</button>
        </div>
      `}
      ${sharing && html`<${ShareResult} onClose=${() => setSharing(false)} />`}
    </section>`;

  /** @param {number} part @param {string} name @param {(player: any) => unknown} [more] */
  function row(part, name, more) {
    const share = Math.max(0, Math.min(1, counted - part));
    const cells = order.map((p) => {
      const player = now.players[p - 1];
      const points = Math.round(player.score[PARTS[part]] * share);
      return html`<td key=${p}>${number(points)} ${more?.(player)}</td>`;
    });
    const look = `${share === 0 ? "to-come" : ""} ${most === PARTS[part] ? "decisive" : ""}`;
    const title = most === PARTS[part] ? t("result.decisive") : undefined;
    return html`<tr class=${look} title=${title}><th scope="row">${name}</th>${cells}</tr>`;
  }
}
