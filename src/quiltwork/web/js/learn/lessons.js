// @ts-check
/**
 * The lessons as data: scenes on the real table, each with a position and steps.
 *
 * A step says something, throws light on a part of the table, and may wait until something was done there;
 * `hand` marks one for which a patch must be in hand; `missed` tells that another move was made, after which what
 * the step is about cannot happen any more.
 */

/** What the page shows, and the form of the patch when the step began. */
/** @typedef {{now: any, chosen: any, form: string | null}} Table */
/**
 * @typedef {{say: string, light: string, hand?: boolean, until?: (table: Table) => boolean,
 *   missed?: (table: Table) => boolean}} Step
 */
/** @typedef {{edition: string, position: string, steps: Step[]}} Scene */

const MY_QUILT = '.quilt[data-player="1"]';
const MY_LINE = '.player-line[data-player="1"]';

/** @param {any} now */
const mine = (now) => now.moves.filter((/** @type {any} */ made) => made.player === 1);
/** @param {Table} table */
const moved = ({ now }) => mine(now).length > 0;
/** @param {Table} table */
const inHand = ({ chosen }) => chosen?.kind === "lay";
/** @param {Table} table */
const shifted = ({ chosen }) => chosen?.kind === "lay" && chosen.moved;
/** @param {Table} table */
const turned = ({ chosen, form }) => chosen?.kind === "lay" && form !== null && chosen.form !== form;
/** @param {Table} table */
const advanced = ({ now }) => mine(now).some((/** @type {any} */ made) => made.move.startsWith("+"));
/** @param {Table} table */
const taken = (table) => moved(table) && !advanced(table);
/** @param {Table} table */
const specialDone = ({ now }) => mine(now).some((/** @type {any} */ made) => made.move.startsWith("s@"));
/** @param {Table} table */
const mustPlace = (table) => table.now.phase === "special" || specialDone(table);

/** @param {Table} table */
const tileWon = ({ now }) => now.tile === 1;
/** Whether what was to be done is out of reach, as it is the other's turn. @param {Table} table */
const passedOn = (table) => moved(table) && table.now.turn !== 1;

/** @param {Table} table */
const laidAfterAll = (table) => table.now.phase !== "lay" && table.now.circle.length > 5 && moved(table);

/** A quilt that has all of a square of seven but its middle. */
const SQUARE = "3a@b1,4e@a6r2,4f@d5r3,5a@e2r1,5c@f5r3,5e@f2fr1,5f@b3r1,5i@e1,6b@a3r3,6g@a1";
const THEIRS = "6f@a7,7a@a4,8a@a1";
const LEFT = "6c4g4b6d5b6h6a6j4c3b5h6i4a7b5d6e3c4d5g2a";
const FULL_SQUARE = SQUARE.replace(",6g@a1", ",6c@h1r1,6g@a1,s@d4");

/** The game itself, taught with Patchwork. @type {Scene[]} */
const BASICS = [
  {
    edition: "patchwork",
    position:
      "patchwork 1 0/5/- 0/5/- - 5c4c6a4e5g5d8a5i6d6c5b6j6e6g4d5f4g7a3b7b6b6i3a6f3c4b5h5e6h4a5a4f2a",
    steps: [
      { say: "goal", light: MY_QUILT },
      { say: "price", light: ".choices", until: (table) => inHand(table) || moved(table) },
      { say: "lay", light: MY_QUILT, hand: true, until: (table) => shifted(table) || moved(table) },
      { say: "turn", light: ".action-bar", hand: true, until: (table) => turned(table) || moved(table) },
      { say: "sew", light: ".preview, .action-bar", hand: true, until: moved },
      { say: "sewn", light: ".track" },
    ],
  },
  {
    edition: "patchwork",
    position:
      "patchwork 1 3/6/5d@a1 9/3/6c@a1,6j@e1 - 5b4c6e6h5e8a6d5g3b4e6g4d4f7a6b5i7b6i3a6f3c4b5h5a4a4g2a",
    steps: [
      { say: "behind", light: ".track", until: taken, missed: advanced },
      { say: "advance", light: ".action-bar .advance", until: advanced },
    ],
  },
  {
    edition: "patchwork",
    position: `patchwork 1 22/6/${SQUARE} 24/4/${THEIRS} - ${LEFT}`,
    steps: [
      { say: "income", light: ".track", until: mustPlace, missed: passedOn },
      { say: "special", light: MY_QUILT, until: tileWon, missed: specialDone },
      { say: "tile", light: MY_LINE },
    ],
  },
  {
    edition: "patchwork",
    position: `patchwork 1 51/9/${FULL_SQUARE} 53!/7/5g@f4,6e@e7,6f@a7,7a@a4,7b@e1,8a@a1 1 4d3c6d2a`,
    steps: [
      { say: "end", light: ".track", until: ({ now }) => Boolean(now.result) },
      { say: "score", light: ".result" },
    ],
  },
];

/** @type {Step} */
const DONE = { say: "done", light: MY_QUILT };

/**
 * Where a special patch may be removed.
 * @param {string} edition
 * @param {string} position
 * @param {Step[]} [then]
 * @returns {Scene}
 */
const removal = (edition, position, then = []) => ({
  edition,
  position,
  steps: [{ say: "remove", light: `${MY_QUILT}, .action-bar`, until: specialDone }, ...then],
});

/** Where a reserve comes in. @param {string} edition @returns {Scene[]} */
const reserve = (edition) => [
  {
    edition,
    position: `${edition} 1 12/6/4b@a1,5k@a7 14/3/5f@a1,5i@d6 - 5b4c5a5c4a5h+2a2b2c3b3c3d4d4e`,
    steps: [
      { say: "waiting", light: ".pile" },
      { say: "last_five", light: ".choices", until: (table) => table.now.phase === "lay", missed: advanced },
      { say: "come_in", light: MY_QUILT, until: laidAfterAll },
    ],
  },
  removal(edition, `${edition} 1s 8/6/4b@a1,5k@a7 6/3/5f@a1,5i@d6 - 5b4c5a5c4a5h5d5e5g+2a2b2c3b3c3d4d4e`),
  {
    edition,
    position: `${edition} 1 8/6/4b@a1,5k@a7 10/3/5f@a1,5i@d6 - 5b4c5a5c4a5h5d5e5g+2a2b2c3b3c3d4d4e`,
    steps: [{ say: "no_tile", light: MY_QUILT }],
  },
];

/** The lessons by name: `basics`, and what is particular to an edition. @type {Record<string, Scene[]>} */
export const LESSONS = {
  basics: BASICS,
  "patchwork-2014": [
    {
      edition: "patchwork-2014",
      position:
        "patchwork-2014 1 18/6/5d@a1,6i@e1 19/4/6c@a1,6j@e1 - 5b4c6a8a5g5e3b6b4d7b5h7a6g6f4g6h3a6d3c4b5i5f4a5a4f2a",
      steps: [
        { say: "early", light: ".track", until: mustPlace, missed: passedOn },
        { say: "early_lay", light: MY_QUILT, until: specialDone },
        DONE,
      ],
    },
  ],
  halloween: [removal("halloween", `halloween 1s 27/6/${SQUARE} 25/4/${THEIRS} - ${LEFT}`, [DONE])],
  express: reserve("express"),
  "stack-and-stuff": reserve("stack-and-stuff"),
};
