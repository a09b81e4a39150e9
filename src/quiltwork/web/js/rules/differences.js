// @ts-check
/** How an edition differs from Patchwork, read from the data of both. */
import { t } from "../words.js";

/** @typedef {import("../shapes.js").Edition} Edition */

/** @param {Edition} e @param {Edition} p Patchwork @returns {string[]} */
export function differencesOf(e, p) {
  const reserve = Object.values(e.patches).filter((patch) => patch.reserve);
  const marks = e.special_patch_spaces.join(", ");
  const track = e.last_space !== p.last_space || e.income_spaces.join() !== p.income_spaces.join();
  const said = [
    e.board.join() !== p.board.join() && t("rules.differs.board", { rows: e.rows, columns: e.columns }),
    track && t("rules.differs.track", { last: e.last_space, marks: e.income_spaces.length }),
    marks !== p.special_patch_spaces.join(", ") && t("rules.differs.special", { marks }),
    e.may_be_removed && !p.may_be_removed && t("rules.differs.remove"),
    !e.tile && t("rules.differs.no_tile"),
    e.tile && JSON.stringify(e.tile) !== JSON.stringify(p.tile) && t("rules.differs.tile", e.tile),
    outlines(e) !== outlines(p) && t("rules.differs.patches", { patches: Object.keys(e.patches).length }),
    reserve.length > 0 &&
      t("rules.differs.reserve", { late: reserve.length, left: e.reserve_enters_when_left ?? 0 }),
  ];
  return /** @type {string[]} */ (said.filter(Boolean));
}

/** All patches with what they cost, as a text. @param {Edition} e */
const outlines = (e) =>
  Object.values(e.patches)
    .map((patch) => [patch.forms[""].path, patch.buttons, patch.time, patch.income].join())
    .sort()
    .join(";");
