// @ts-check
/** "Your games": what this device remembers of the games that it holds tokens of. */
import { html } from "./html.js";
import { useEffect } from "preact/hooks";
import { ask } from "./api.js";
import { Face, Icon } from "./art.js";
import { forgetGame, games, keepGame, lesson } from "./prefs.js";
import { cellsOf, patchOf, readPlaced } from "./shapes.js";
import { edition, goTo, route } from "./store.js";
import { nameOf } from "./telling.js";
import { number, t } from "./words.js";

const SHOWN = 12;
/** @type {Intl.DateTimeFormatOptions} */
const DATE = { day: "numeric", month: "short" };
/** So many games with friends are asked for news. */
const ASKED = 6;

/** Remembers a game on this device. @param {string} token @param {any} state */
export function remember(token, state) {
  if (lesson.peek()?.token === token || route.peek().page === "replay") return;
  const me = state.you.length === 1 ? state.you[0] : null;
  const other = me ? 3 - me : null;
  const { winner } = state.result ?? {};
  keepGame({
    token,
    title: other ? nameOf(state, other) : [1, 2].map((player) => nameOf(state, player)).join(" – "),
    face: other ? state.seats[other - 1].opponent : null,
    friend: state.seats.every((/** @type {any} */ seat) => seat.kind === "human") && !state.shared,
    edition: state.edition,
    edition_title: state.edition_title,
    at: Date.now(),
    over: Boolean(state.result),
    turn: me && state.turn ? (state.turn === me ? "you" : "other") : "",
    result: me && winner ? (winner === me ? "won" : "lost") : "",
    score: state.result ? (me === 2 ? [...state.result.scores].reverse() : state.result.scores) : null,
    picture: pictureOf(state, me ?? 1),
  });
}

/** A quilt in little: a colour for each covered cell. @param {any} state @param {number} player */
function pictureOf(state, player) {
  const e = edition.peek();
  if (!e || e.id !== state.edition) return undefined;
  /** @type {string[]} */
  const colours = [];
  /** @type {string[][]} */
  const cells = e.board.map((line) => [...line].map((mark) => (mark === "#" ? "." : " ")));
  for (const text of state.players[player - 1].quilt) {
    const placed = readPlaced(text);
    if (!placed) continue;
    const fabric = document.querySelector(`#${patchOf(e, placed.code).fabric} rect`)?.getAttribute("fill");
    const colour = fabric ?? "#8a5a35";
    if (!colours.includes(colour)) colours.push(colour);
    for (const [row, column] of cellsOf(e, placed))
      cells[row][column] = String.fromCharCode(97 + colours.indexOf(colour));
  }
  return { rows: cells.map((row) => row.join("")), colours };
}

/** @param {{of: {rows: string[], colours: string[]} | undefined}} props */
function Picture({ of: picture }) {
  if (!picture) return html`<span class="game-picture" />`;
  const [rows, columns] = [picture.rows.length, picture.rows[0].length];
  return html`
    <svg class="game-picture" viewBox=${`0 0 ${columns} ${rows}`} aria-hidden="true" shape-rendering="crispEdges">
      ${picture.rows.map((line, y) =>
        [...line].map((mark, x) => {
          if (mark === " ") return null;
          const colour = picture.colours[mark.charCodeAt(0) - 97];
          return html`<rect x=${x} y=${y} width="1" height="1" fill=${colour} class=${colour ? "" : "cell"} />`;
        }),
      )}
    </svg>`;
}

/** How a game stands, in a few words. @param {import("./prefs.js").KeptGame} game */
function standing(game) {
  if (game.over) {
    const score = game.score?.map(number).join(" : ") ?? "";
    return [t(game.result ? `games.${game.result}` : "start.over"), score].filter(Boolean).join(" ");
  }
  return t(game.turn ? `games.turn.${game.turn}` : "games.going");
}

/** Asks how the games with friends stand, as they may have moved since. */
async function askNews() {
  const open = games
    .peek()
    .filter((g) => g.friend && !g.over)
    .slice(0, ASKED);
  for (const game of open) {
    try {
      const state = await ask("game", { token: game.token });
      const me = state.you[0];
      const turn = state.result || !state.turn ? "" : state.turn === me ? "you" : "other";
      if (turn !== game.turn || state.result)
        keepGame(
          {
            ...game,
            turn,
            over: Boolean(state.result),
            result: state.result ? (state.result.winner === me ? "won" : "lost") : "",
          },
          false,
        );
    } catch (/** @type {any} */ error) {
      if (["unknown-token", "unknown-game"].includes(error.code)) forgetGame(game.token);
    }
  }
}

export function YourGames() {
  useEffect(() => {
    askNews();
  }, []);
  const kept = games.value.slice(0, SHOWN);
  if (!kept.length) return null;
  return html`
    <section class="your-games" aria-labelledby="your-games">
      <h2 id="your-games">${t("start.games")}</h2>
      <ul>
        ${kept.map(
          (game) => html`
          <li key=${game.token}>
            <a href=${`#/game/${game.token}`} class=${game.turn === "you" && !game.over ? "waits" : ""}
              onClick=${(/** @type {Event} */ e) => (e.preventDefault(), goTo(`game/${game.token}`))}>
              <${Picture} of=${game.picture} />
              ${game.face && html`<${Face} id=${game.face} size=${30} />`}
              <span>
                <b>${game.title}</b>
                <small>${game.edition_title ?? game.edition} · ${standing(game)}</small>
              </span>
              <small class="muted">${new Date(game.at).toLocaleDateString(document.documentElement.lang, DATE)}</small>
            </a>
            <button type="button" class="round" onClick=${() => forgetGame(game.token)}
              aria-label=${t("games.forget", { name: game.title })}><${Icon} name="close" size=${18} /></button>
          </li>
        `,
        )}
      </ul>
    </section>`;
}
