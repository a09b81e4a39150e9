// @ts-check
/** A position as the table draws it, where there is no game behind it. */

/**
 * @param {{
 *   game: string, version: number, edition: string, edition_title: string, theme: string, you: number[],
 *   names: (string | null)[], snapshot: any, ring: string[], options: any, moves: any[], ply: number,
 *   winner?: number | null,
 * }} table
 * @returns {any}
 */
export function tableView({ game, version, edition, edition_title, theme, you, names, snapshot, ring, options, moves,
  ply, winner = null }) {
  const result = snapshot.phase === "over" && {
    winner, by: "score", scores: snapshot.players.map((/** @type {any} */ p) => p.score.total),
  };
  return {
    type: "state", game, version, edition, edition_title, theme, deal: null, shared: true, you,
    seats: names.map((name) => ({ kind: "human", name, opponent: null, online: true, joined: true })),
    ...snapshot, ring, options, moves, ply, result: result || null, request: null, rematch: null, clock: null,
    thinking: false, can: {}, links: {}, imported: true, received: Date.now(),
  };
}
