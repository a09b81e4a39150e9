// @ts-check
/** My turn is noticed: in the title, on the icon, and by a sound while the page is out of sight. */
import { effect } from "@preact/signals";
import { play } from "./sounds.js";
import { route, view } from "./store.js";
import { nameOf } from "./telling.js";
import { t } from "./words.js";

const PLAIN = "Quiltwork";
const ICONS = { calm: "img/icon.svg", turn: "img/icon-turn.svg" };

/** @param {boolean} waiting */
function badge(waiting) {
  const icon = document.querySelector("link[rel='icon']");
  const wanted = waiting ? ICONS.turn : ICONS.calm;
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
  const app = /** @type {any} */ (navigator);
  (waiting ? app.setAppBadge?.() : app.clearAppBadge?.())?.catch(() => undefined);
}

/** Whether this device moves now, against somebody who does not sit at it. @param {any} now */
const isMine = (now) => now.you.length === 1 && now.turn === now.you[0] && !now.result && Boolean(now.options);

export function watchTurns() {
  let before = false;
  effect(() => {
    const now = ["game", "replay"].includes(route.value.page) ? view.value : null;
    const mine = Boolean(now && isMine(now));
    const names = now
      ? now.you.length === 1
        ? nameOf(now, 3 - now.you[0])
        : [1, 2].map((p) => nameOf(now, p)).join(" – ")
      : "";
    document.title = [mine && `● ${t("attention.turn")}`, names, PLAIN].filter(Boolean).join(" · ");
    if (mine && !before && document.hidden) {
      badge(true);
      play("turn");
    }
    if (!mine) badge(false);
    before = mine;
  });
  document.addEventListener("visibilitychange", () => !document.hidden && badge(false));
}
