// @ts-check
/** The start page: the table itself, with everything needed to begin within a click or two. */
import { html } from "./html.js";
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { ask } from "./api.js";
import { Face, Icon } from "./art.js";
import { Choose, Dialog } from "./dialog.js";
import { Doubts, wayToBegin } from "./doubts.js";
import { YourGames } from "./games.js";
import { games, lastChoice, learned, lesson, playerName, remarks } from "./prefs.js";
import { Quilt } from "./quilt.js";
import { Settings } from "./settings.js";
import { about, edition, goTo, showEdition, tell } from "./store.js";
import { t, tOr, whyRefused } from "./words.js";

const dialog = signal("");
const busy = signal(false);

/** Begins a game and goes to its table. @param {object} wanted */
export async function begin(wanted) {
  if (busy.peek()) return;
  busy.value = true;
  try {
    const made = await ask("games", { method: "POST", body: wanted });
    dialog.value = "";
    goTo(`game/${made.token}`);
  } catch (error) {
    tell(whyRefused(error), "warning");
  } finally {
    busy.value = false;
  }
}

const human = () => ({ kind: "human", ...(playerName.peek() ? { name: playerName.peek() } : {}) });

/**
 * Plays a level: the seat is drawn unless one was chosen.
 * @param {string} opponent
 * @param {{edition?: string, seat?: string, deal?: string, clock?: string}} [more]
 */
function playComputer(opponent, { edition: id = "patchwork", seat = "random", deal = "", clock = "none" } = {}) {
  const first = seat === "1" || (seat === "random" && Math.random() < 0.5);
  const computer = { kind: "computer", opponent };
  return begin({
    edition: id,
    seats: first ? [human(), computer] : [computer, human()],
    ...dealOf(deal),
    ...clockOf(clock),
  });
}

/** A first game: with remarks, against the weakest opponent, who is offered from then on. @param {string} id */
export function beginGently(id) {
  const opponent = about.peek().opponents[0].id;
  remarks.value = true;
  lastChoice.value = { ...lastChoice.peek(), opponent };
  return begin({ edition: id, seats: [human(), { kind: "computer", opponent }] });
}

/** @param {string} deal */
const dealOf = (deal) => (/^\d{1,9}$/.test(deal.trim()) ? { deal: Number(deal) } : {});

export function StartPage() {
  useEffect(() => {
    showEdition(lastChoice.peek().edition).catch(() => showEdition("patchwork"));
  }, []);
  const offer = about.value;
  const unfinished = games.value.filter((g) => !g.over);
  const wanted = lastChoice.value.opponent || offer.default_opponent;
  const opponent = offer.opponents.find((/** @type {any} */ o) => o.id === wanted) ?? offer.opponents[0];
  return html`
    <main class="start">
      <${Hero} />
      <div class="start-panel">
        <h1>Quiltwork</h1>
        <p class="lead">${t("start.lead")}</p>
        <${NewHere} />
        ${unfinished.length > 0 && html`
          <button type="button" class="big continue" onClick=${() => goTo(`game/${unfinished[0].token}`)}>
            <${Icon} name="needle" size=${28} />
            <span><b>${t("start.continue")}</b><small>${unfinished[0].title}</small></span>
          </button>
        `}
        <button type="button" class=${`big play ${isFirstVisit() ? "" : "primary"}`} disabled=${busy.value}
          onClick=${() => playComputer(opponent.id, { edition: edition.value?.id })}>
          <${Face} id=${opponent.id} size=${44} />
          <span>
            <b>${t("start.play", { name: opponent.name })}</b>
            <small>${t("start.level", { level: opponent.level })} · ${sentenceOf(opponent)}</small>
          </span>
        </button>
        <button type="button" class="big" onClick=${() => (dialog.value = "friend")}>
          <${Icon} name="link" size=${28} />
          <span><b>${t("start.friend")}</b><small>${t("start.friend_text")}</small></span>
        </button>
        <button type="button" class="big" onClick=${() => (dialog.value = "more")}>
          <${Icon} name="list" size=${28} />
          <span><b>${t("start.more")}</b><small>${t("start.more_text")}</small></span>
        </button>
        <nav class="start-links" aria-label=${t("start.links")}>
          <a href="#/learn">${t("start.learn")}</a>
          <a href=${`#/rules/${edition.value?.id ?? "patchwork"}`}>${t("menu.rules")}</a>
          <a href="#/puzzles">${t("puzzle.title")}</a>
          <a href="#/study">${t("study.open")}</a>
          <button type="button" onClick=${() => (dialog.value = "record")}>${t("start.record")}</button>
          <button type="button" onClick=${() => (dialog.value = "settings")}>${t("menu.settings")}</button>
        </nav>
        <${YourGames} />
        <p class="small muted">${t("start.note")}</p>
      </div>
      ${dialog.value === "friend" && html`<${FriendDialog} />`}
      ${dialog.value === "more" && html`<${MoreDialog} />`}
      ${dialog.value === "record" && html`<${RecordDialog} />`}
      ${dialog.value === "settings" && html`
        <${Dialog} title=${t("menu.settings")} onClose=${close}><${Settings} /></${Dialog}>
      `}
    </main>`;
}

const close = () => (dialog.value = "");

/** Whether no lesson was finished here, and no game begun. */
const isFirstVisit = () => !learned.value && games.value.length === 0;

/** The way to the lesson, on the first visit or where one was left; a first visitor may play gently instead. */
function NewHere() {
  const left = lesson.value;
  const first = isFirstVisit();
  if (!left && !first) return null;
  const gentle = about.value.opponents[0];
  return html`
    <div class="new-here">
      <a class=${`big learn ${first ? "primary" : ""}`} href=${`#/learn/${left?.id ?? "basics"}`}>
        <${Icon} name="hint" size=${28} />
        <span><b>${t(left ? "start.lesson" : "start.new_here")}</b><small>${t("start.learn")}</small></span>
      </a>
      ${first && html`
        <button type="button" class="big" disabled=${busy.value}
          onClick=${() => beginGently(edition.value?.id ?? "patchwork")}>
          <${Face} id=${gentle.id} size=${36} />
          <span><b>${t("start.gentle", { name: gentle.name })}</b><small>${t("start.gentle_text")}</small></span>
        </button>
      `}
    </div>
  `;
}

/** A finished quilt of the edition in sight. */
function Hero() {
  const e = edition.value;
  const [shown, setShown] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!e) return;
    let current = true;
    ask(`showcase/${e.id}`).then((found) => current && setShown({ id: e.id, quilt: found.quilt }), () => {});
    return () => {
      current = false;
    };
  }, [e?.id]);
  if (!e) return html`<div class="hero" />`;
  return html`
    <div class="hero" aria-hidden="true" inert>
      <${Quilt} edition=${e} player=${0} placements=${shown?.id === e.id ? shown.quilt : []} label="" />
    </div>
  `;
}

/** @param {{value: string, onChange: (id: string) => void}} props */
function EditionField({ value, onChange }) {
  return html`<label class="field"><span>${t("new.edition")}</span>
    <select value=${value} onChange=${(/** @type {any} */ e) => onChange(e.target.value)}>
      ${about.value.editions.map((/** @type {any} */ e) => html`<option key=${e.id} value=${e.id}>${e.title}</option>`)}
    </select>
    <${Doubts} edition=${about.value.editions.find((/** @type {any} */ e) => e.id === value)} /></label>`;
}

/** @param {{value: string, onChange: (text: string) => void}} props */
const DealField = ({ value, onChange }) => html`<label class="field"><span>${t("new.deal")}</span>
  <input type="text" inputmode="numeric" pattern="[0-9]*" maxlength="9" placeholder=${t("new.random")} value=${value}
    onInput=${(/** @type {any} */ e) => onChange(e.target.value)} /></label>`;

const CLOCKS = {
  none: null,
  "5": { kind: "live", seconds: 300, increment: 5 },
  "10": { kind: "live", seconds: 600, increment: 10 },
  days: { kind: "days", days: 3 },
};

/** @param {string} clock */
const clockOf = (clock) => ({ clock: CLOCKS[/** @type {keyof typeof CLOCKS} */ (clock)] });

/** @param {{value: string, onChange: (value: string) => void}} props */
const ClockField = ({ value, onChange }) => html`<${Choose} label=${t("new.clock")} value=${value} onChange=${onChange}
  choices=${[
    ["none", t("new.clock_none")],
    ["5", t("new.clock_5")],
    ["10", t("new.clock_10")],
    ["days", t("new.clock_days")],
  ]} />`;

function FriendDialog() {
  const [id, setId] = useState(lastChoice.peek().edition);
  const [seat, setSeat] = useState("random");
  const [deal, setDeal] = useState("");
  const [clock, setClock] = useState("none");
  const [where, setWhere] = useState("link");
  const [names, setNames] = useState([t("new.player", { n: 1 }), t("new.player", { n: 2 })]);
  const go = () => {
    lastChoice.value = { ...lastChoice.peek(), edition: id };
    const first = seat === "1" || (seat === "random" && Math.random() < 0.5);
    const timing = clockOf(clock);
    if (where === "here") {
      const seats = names.map((name, i) => ({ kind: "human", name: name.trim() || t("new.player", { n: i + 1 }) }));
      return begin({
        edition: id,
        seats: first ? seats : seats.reverse(),
        shared: true,
        ...dealOf(deal),
        ...timing,
      });
    }
    const friend = { kind: "human", remote: true };
    return begin({ edition: id, seats: first ? [human(), friend] : [friend, human()], ...dealOf(deal), ...timing });
  };
  return html`
    <${Dialog} title=${t("start.friend")} onClose=${close}>
      <${Choose} label=${t("new.where")} value=${where} onChange=${setWhere}
        choices=${[["link", t("new.by_link")], ["here", t("new.here")]]} />
      <${EditionField} value=${id} onChange=${setId} />
      ${where === "link" && html`<label class="field">
        <span>${t("settings.name")}</span>
        <input type="text" maxlength="24" value=${playerName.value}
          onInput=${(/** @type {any} */ e) => (playerName.value = e.target.value)} />
      </label>
      <${Choose} label=${t("new.seat")} value=${seat} onChange=${setSeat} choices=${SEATS()} />`}
      ${where === "here" && html`
        ${names.map((name, i) => html`<label class="field" key=${i}>
          <span>${t("new.name_of", { n: i + 1 })}</span>
          <input type="text" maxlength="24" value=${name} onInput=${(/** @type {any} */ e) =>
            setNames(names.map((old, at) => (at === i ? e.target.value : old)))} />
        </label>`)}
        <${Choose} label=${t("rules.begins.head")} value=${seat} onChange=${setSeat}
          choices=${[["1", names[0]], ["random", t("new.lot")], ["2", names[1]]]} />`}
      <p class="small muted">${wayToBegin(id)}</p>
      <${ClockField} value=${clock} onChange=${setClock} />
      <${DealField} value=${deal} onChange=${setDeal} />
      <button type="button" class="sew wide-button" disabled=${busy.value} onClick=${go}>
        ${t(where === "link" ? "new.make_link" : "new.start")}
      </button>
    </${Dialog}>`;
}

/** @returns {[string, string][]} */
const SEATS = () => [["1", t("new.first")], ["random", t("new.either")], ["2", t("new.second")]];

function MoreDialog() {
  const offer = about.value;
  const [id, setId] = useState(edition.value?.id ?? "patchwork");
  const [opponent, setOpponent] = useState(lastChoice.peek().opponent || offer.default_opponent);
  const [other, setOther] = useState("");
  const [seat, setSeat] = useState("random");
  const [deal, setDeal] = useState("");
  const [clock, setClock] = useState("none");
  const choose = (/** @type {string} */ value) => {
    setId(value);
    showEdition(value);
  };
  const go = () => {
    lastChoice.value = { edition: id, opponent };
    if (other)
      return begin({
        edition: id,
        seats: [
          { kind: "computer", opponent },
          { kind: "computer", opponent: other },
        ],
        ...dealOf(deal),
        ...clockOf(clock),
      });
    return playComputer(opponent, { edition: id, seat, deal, clock });
  };
  return html`
    <${Dialog} title=${t("start.more")} onClose=${close} class="more">
      <${EditionField} value=${id} onChange=${choose} />
      <fieldset class="choose"><legend>${t("new.opponent")}</legend>
        <div class="opponents">
          ${offer.opponents.map((/** @type {any} */ o) => html`<button type="button" key=${o.id}
            class=${o.id === opponent ? "on" : ""} aria-pressed=${o.id === opponent} onClick=${() => setOpponent(o.id)}>
            <${Face} id=${o.id} size=${40} />
            <b>${o.name}</b>
            <small>${t("start.level", { level: o.level })}</small></button>`)}
        </div>
        <p class="small">${sentenceOf(offer.opponents.find((/** @type {any} */ o) => o.id === opponent))}</p>
      </fieldset>
      <label class="field"><span>${t("new.against")}</span>
        <select value=${other} onChange=${(/** @type {any} */ e) => setOther(e.target.value)}>
          <option value="">${t("new.me")}</option>
          ${offer.opponents.map((/** @type {any} */ o) => html`
            <option key=${o.id} value=${o.id}>${t("new.watch", { name: o.name })}</option>
          `)}
        </select></label>
      ${!other && html`<${Choose} label=${t("new.seat")} value=${seat} onChange=${setSeat} choices=${SEATS()} />`}
      <${ClockField} value=${clock} onChange=${setClock} />
      <${DealField} value=${deal} onChange=${setDeal} />
      <button type="button" class="sew wide-button" disabled=${busy.value} onClick=${go}>${t("new.start")}</button>
    </${Dialog}>`;
}

/** @param {any} opponent */
const sentenceOf = (opponent) => tOr(`opponent.${opponent.id}`, opponent.sentence);

function RecordDialog() {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  /** @param {string} record */
  const open = async (record) => {
    try {
      const { openRecord } = await import("./record.js");
      await openRecord(record);
      close();
    } catch (error) {
      setWrong(whyRefused(error));
    }
  };
  return html`
    <${Dialog} title=${t("start.record")} onClose=${close}>
      <label class="field">
        <span>${t("record.file")}</span>
        <input type="file" accept=".quilt,text/plain"
          onChange=${async (/** @type {any} */ e) => {
            const file = e.target.files[0];
            if (file) open(await file.text());
          }} />
      </label>
      <label class="field">
        <span>${t("record.text")}</span>
        <textarea rows="6" spellcheck=${false} value=${text}
          onInput=${(/** @type {any} */ e) => setText(e.target.value)}></textarea>
      </label>
      ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
      <button type="button" class="sew wide-button" disabled=${!text.trim()} onClick=${() => open(text)}>
        ${t("record.open")}
      </button>
    </${Dialog}>`;
}
