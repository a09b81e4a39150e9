// @ts-check
/** Small drawings: the pieces of the theme (drawn by the server), icons, and the faces of the opponents. */
import { html } from "./html.js";
import { useEffect, useRef } from "preact/hooks";
import { dark, edition, theme } from "./store.js";
import { faces } from "./faces.js";

/** The side of a cell in drawings. */
export const U = 40;

/**
 * A drawing of the theme around the origin: button, time, special-patch, neutral-token, token-1, token-2 or tile.
 * @param {{name: string, radius?: number}} props
 */
export const Piece = ({ name, radius = 10 }) =>
  html`<use href=${`#art-${name}`} x=${-radius} y=${-radius} width=${2 * radius} height=${2 * radius} />`;

/** The same as a small picture. @param {{name: string, size?: number}} props */
export const PieceIcon = ({ name, size = 18 }) => html`
  <svg class="icon" width=${size} height=${size} viewBox="-10 -10 20 20" aria-hidden="true">
    <${Piece} name=${name} />
  </svg>
`;

/** What buttons are in this theme. @param {{size?: number}} props */
export const Currency = ({ size = 18 }) => html`<${PieceIcon} name="button" size=${size} />`;

/** A time token: its shape and number tell whose it is. @param {{player: number, size?: number}} props */
export const Token = ({ player, size = 24 }) => html`<${PieceIcon} name=${`token-${player}`} size=${size} />`;

/** The patterns and symbols of the theme, for everything on the page to refer to. */
export function ArtDefs() {
  const holder = useRef(/** @type {SVGElement | null} */ (null));
  const address =
    theme.value &&
    edition.value &&
    `api/art/${theme.value.id}/${edition.value.id}/${dark.value ? "dark" : "light"}.svg`;
  useEffect(() => {
    if (!address) return;
    let current = true;
    drawings(address).then((text) => {
      if (current && holder.current) holder.current.innerHTML = text;
    });
    return () => {
      current = false;
    };
  }, [address]);
  return html`<svg class="art-defs" width="0" height="0" aria-hidden="true" ref=${holder} />`;
}

/** @type {Map<string, Promise<string>>} */
const drawn = new Map();

/** @param {string} address */
function drawings(address) {
  const found = drawn.get(address) ?? fetch(address).then((answer) => answer.text());
  drawn.set(address, found);
  return found;
}

const ICONS = {
  rotate: "M5 12a7 7 0 1 1 2.6 5.4M5 12l-2.6-3M5 12l3.2-2.4",
  flip: "M12 3v18M9 7L3 17h6zM15 7l6 10h-6z",
  undo: "M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 12",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 1 3.6 10.8c-.8.6-1.1 1.4-1.1 2.2h-5c0-.8-.3-1.6-1.1-2.2A6 6 0 0 1 12 3z",
  advance: "M4 12h13M12 6l6 6-6 6",
  cell: "M4 4h16v16H4z",
  time: "M7 3h10M7 21h10M8 3c0 5 8 6 8 9s-8 4-8 9M16 3c0 5-8 6-8 9s8 4 8 9",
  first: "M6 5v14M18 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  again: "M4 5v5h5M4.6 10a8 8 0 1 1-.4 4M10 9l5 3.5-5 3.5z",
  pause: "M8 5v14M16 5v14",
  share: "M12 15V4M8 7.5L12 3.5l4 4M5 12v8h14v-8",
  needle: "M20 4L7 17M20 4c1-1 .5-2-1-1l-2 2M7 17l-3 3M4 12c4-3 5 3 8 1s0-7 5-8",
};

/** @param {{name: keyof typeof ICONS, size?: number}} props */
export const Icon = ({ name, size = 24 }) => html`
  <svg class="icon line-icon" width=${size} height=${size} viewBox="0 0 24 24" aria-hidden="true">
    <path d=${ICONS[name]} />
  </svg>
`;

/**
 * The face of an opponent, or the token of a person.
 * @param {{id?: string | null, player?: number, size?: number}} props
 */
export function Face({ id, player = 1, size = 36 }) {
  const draw = id ? faces[id] : null;
  if (!draw) return html`<${Token} player=${player} size=${size} />`;
  return html`
    <svg class="icon face" width=${size} height=${size} viewBox="0 0 48 48" aria-hidden="true">${draw()}</svg>
  `;
}
