// @ts-check
/** The folk of the sewing basket. */
import { html } from "./html.js";

const INK = "#3a2a20";

/** @param {number} x @param {number} y @param {{gap?: number, smile?: number, lid?: boolean, ink?: string}} [how] */
const look = (x, y, { gap = 4, smile = 3, lid = false, ink = INK } = {}) => html`
  <g fill="none" stroke=${ink} stroke-width="1.8" stroke-linecap="round">
    <path d=${`M${x - gap} ${y}v${lid ? 0.1 : 1.6}M${x + gap} ${y}v${lid ? 0.1 : 1.6}`} stroke-width="2.6" />
    <path d=${`M${x - 3.4} ${y + 5}q3.4 ${smile} 6.8 0`} />
    ${lid && html`<path d=${`M${x - gap - 2} ${y - 3}l4 1M${x + gap + 2} ${y - 3}l-4 1`} />`}
  </g>`;

/** @param {unknown} inside */
const framed = (inside) => html`<g stroke=${INK} stroke-width="1.6" stroke-linejoin="round">${inside}</g>`;

/** @type {Record<string, () => unknown>} */
export const faces = {
  pin: () => html`
    ${framed(html`<path d="M24 26v19" stroke-width="2.6" /><circle cx="24" cy="17" r="13" fill="#e8745b" />`)}
    ${look(24, 14)}
  `,
  thread: () => html`
    ${framed(html`
      <path d="M11 5h26v6H11zM11 37h26v6H11z" fill="#d8b078" />
      <path d="M14 11h20v26H14z" fill="#7fa7c9" />
      <path d="M14 16l20-3M14 33l20-3M14 37l20-3M34 33q9 2 8 11" fill="none" />
    `)}
    ${look(24, 20)}
  `,
  button: () => html`
    ${framed(html`<circle cx="24" cy="24" r="19" fill="#f0c25a" /><circle cx="24" cy="24" r="14" fill="#f7d788" />`)}
    <g fill=${INK}><circle cx="19" cy="20" r="2.4" /><circle cx="29" cy="20" r="2.4" /></g>
    <path d="M19 28q5 5 10 0" fill="none" stroke=${INK} stroke-width="1.8" stroke-linecap="round" />
  `,
  thimble: () => html`
    ${framed(html`
      <path d="M15 8q9-6 18 0l4 30q-13 7-26 0z" fill="#c9ced6" />
      <path d="M11 38q13 7 26 0l.6 4q-13 7-27 0z" fill="#a9b1bd" />
      <path d="M18 10h.1M24 8h.1M30 10h.1M21 13h.1M27 13h.1" stroke-width="2.4" stroke-linecap="round" />
    `)}
    ${look(24, 22)}
  `,
  bobbin: () => html`
    ${framed(html`
      <circle cx="24" cy="24" r="19" fill="#9ccfb4" />
      <circle cx="24" cy="24" r="12.5" fill="#d5efe0" />
      <path
        d="M24 5v5M24 38v5M5 24h5M38 24h5M10.5 10.5l3.6 3.6M33.9 33.9l3.6 3.6M37.5 10.5l-3.6 3.6M14.1 33.9l-3.6 3.6" />
    `)}
    ${look(24, 20)}
  `,
  ribbon: () => html`
    ${framed(html`
      <path d="M24 26L10 46l8-1 4 2 4-18zM24 26l14 20-8-1-4 2-4-18z" fill="#d4567d" />
      <path d="M22 22Q4 6 5 20q0 12 17 6zM26 22q18-16 17-2q0 12-17 6z" fill="#ee86a5" />
      <circle cx="24" cy="23" r="9" fill="#f7adc2" />
    `)}
    ${look(24, 20, { gap: 3.4 })}
  `,
  needle: () => html`
    ${framed(html`
      <path d="M38 4q6 4-2 12L8 45 6 43 30 10q5-9 8-6z" fill="#d7dce3" />
      <ellipse cx="37" cy="9.5" rx="1.6" ry="3.2" transform="rotate(42 37 9.5)" fill="#fff" />
      <circle cx="22" cy="25" r="11" fill="#e7ebf0" />
    `)}
    ${look(22, 22, { smile: 1, lid: true })}
  `,
  scissors: () => html`
    ${framed(html`
      <path d="M14 27L33 3q4 4 1 9L20 31zM34 27L15 3q-4 4-1 9l14 19z" fill="#cfd6de" />
      <circle cx="13" cy="36" r="8.5" fill="#8d72b8" />
      <circle cx="35" cy="36" r="8.5" fill="#8d72b8" />
      <circle cx="13" cy="36" r="4" fill="#f4eefb" />
      <circle cx="35" cy="36" r="4" fill="#f4eefb" />
      <circle cx="24" cy="22" r="9" fill="#e3e8ee" />
    `)}
    ${look(24, 19, { gap: 3.4, smile: 0, lid: true })}
  `,
  loom: () => html`
    ${framed(html`
      <path d="M5 5h6v40H5zM37 5h6v40h-6z" fill="#a4713f" />
      <path d="M3 8h42v6H3zM3 36h42v6H3z" fill="#c48d55" />
      <path d="M12 14h24v22H12z" fill="#e9dcc3" />
      <path d="M16 14v22M20 14v22M28 14v22M32 14v22" stroke-width=".8" />
    `)}
    ${look(24, 21, { smile: -1.5, lid: true })}
  `,
  selvedge: () => html`
    ${framed(html`
      <path d="M6 42q-2-30 18-37q20 7 18 37q-18 6-36 0z" fill="#4b4a78" />
      <path d="M12 22q12-10 24 0v8q0 12-12 13q-12-1-12-13z" fill="#f0d4b4" />
      <path d="M10 23q14-17 28 0q-14-7-28 0z" fill="#ecebf2" />
      <circle cx="18.5" cy="28" r="4.2" fill="#fff" />
      <circle cx="29.5" cy="28" r="4.2" fill="#fff" />
      <path d="M22.7 28h2.6" />
    `)}
    <g fill=${INK}><circle cx="18.5" cy="28.3" r="1.5" /><circle cx="29.5" cy="28.3" r="1.5" /></g>
    <path d="M20.5 36q3.5 2.4 7 0" fill="none" stroke=${INK} stroke-width="1.8" stroke-linecap="round" />
  `,
};
