// @ts-check
/** The win share of player 1 over the game, with the marked moves on it. */
import { html } from "../html.js";
import { at, goToNode, mainLine, nameIn, path, tree } from "./tree.js";
import { percent } from "./judged.js";
import { t } from "../words.js";

const WIDTH = 600;
const HEIGHT = 120;

export function Curve() {
  const now = tree.value;
  const main = mainLine.value;
  if (!now || main.length < 2) return null;
  const nodes = main.map((n) => now.nodes[n]);
  const x = (/** @type {number} */ i) => (i / (main.length - 1)) * WIDTH;
  const y = (/** @type {number} */ share) => HEIGHT * (1 - share);
  const known = nodes.map((node, i) => ({ node, i })).filter(({ node }) => node.value);
  const points = known.map(({ node, i }) => `${x(i).toFixed(1)} ${y(/** @type {any} */ (node.value)[0]).toFixed(1)}`);
  const here = path.value.findLastIndex((n, i) => main[i] === n);
  /** @param {PointerEvent} event */
  const choose = (event) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const i = Math.round(((event.clientX - box.left) / box.width) * (main.length - 1));
    const to = main[Math.max(0, Math.min(main.length - 1, i))];
    if (to !== at.peek()) goToNode(to);
  };
  const value = now.nodes[at.value].value;
  const label = value
    ? t("study.curve_now", { name: nameIn(now, 1), percent: percent(value[0]) }) : t("study.curve", {
    name: nameIn(now, 1) });
  return html`
    <figure class="curve" aria-label=${t("study.curve", { name: nameIn(now, 1) })}>
      <div class="curve-box"><svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true"
        onPointerDown=${choose} onPointerMove=${choose}>
        <rect class="curve-two" width=${WIDTH} height=${HEIGHT} />
        ${points.length > 1 && html`<path class="curve-one"
          d=${`M${x(known[0].i)} ${HEIGHT}L${points.join("L")}L${x(known[known.length - 1].i)} ${HEIGHT}Z`} /><path
          class="curve-line" d=${`M${points.join("L")}`} />`}
        <path class="curve-half" d=${`M0 ${HEIGHT / 2}H${WIDTH}`} />
        <path class="curve-here" d=${`M${x(here)} 0V${HEIGHT}`} />
      </svg>
      ${known.map(({ node, i }) => {
        const label = node.turn?.label;
        return ["inaccuracy", "mistake", "blunder"].includes(label)
          ? html`<i key=${i} class=${`curve-mark ${label} player-${node.turn.player}`}
            style=${{ left: `${(100 * i) / (main.length - 1)}%`,
            top: `${100 * (1 - /** @type {any} */ (node.value)[0])}%` }}></i>`
          : null;
      })}</div>
      <figcaption>${label}</figcaption>
    </figure>`;
}
