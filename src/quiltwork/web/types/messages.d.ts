// What the server tells over the websocket, for `tsc` alone; the browser never loads this.

export interface Seat {
  kind: "human" | "computer";
  name: string | null;
  opponent: string | null;
  remote: boolean;
  named: boolean;
  online: boolean;
  joined: boolean;
}

/** One player's side of the table. */
export interface Side {
  space: number;
  buttons: number;
  income: number;
  empty: number;
  /** placements in notation */
  quilt: string[];
  score: { buttons: number; empty_spaces: number; tile: number; total: number };
  /** the top left cell of the square nearest to the special tile */
  square: number[] | null;
  ahead: { income: number | null; special: number | null; other: number | null };
}

/** One of the patches that may be chosen. */
export interface Choice {
  code: string;
  missing: number;
  fits: boolean;
  legal: boolean;
}

/** What a move will do. */
export interface Preview {
  buttons: number;
  space: number;
  score: number;
  income: number;
  specials: number;
  tile: number;
  reserve: boolean;
  ends: boolean;
  next: number | null;
  next_why: string;
  choices: Choice[];
}

/** Where a patch can be laid, by form, as cells counted in reading order; those that win the special tile apart. */
export interface Option extends Choice {
  take?: boolean;
  places?: Record<string, number[]>;
  tile?: Record<string, number[]>;
  preview?: Preview | null;
  tile_preview?: Preview | null;
  remove?: Preview | null;
}

export interface Options {
  advance: { move: string; spaces: number; preview: Preview } | null;
  patches: Record<string, Option>;
  special: Option | null;
}

/** A move that was made, with what it brought. */
export interface Made {
  player: number;
  move: string;
  from: number;
  to: number;
  income: number;
  specials: number;
  tile: boolean;
}

/** The table as one viewer sees it. */
export interface State {
  type: "state";
  game: string;
  version: number;
  edition: string;
  edition_title: string;
  theme: string;
  deal: number | null;
  shared: boolean;
  /** the players for whom the viewer moves */
  you: number[];
  seats: Seat[];
  position: string;
  turn: number | null;
  phase: string;
  why: string;
  players: Side[];
  tile: number | null;
  circle: string[];
  reserve: string[];
  held: string | null;
  pending: number;
  special_patch_spaces: number[];
  choices: Choice[];
  ring: string[];
  options: Options | null;
  moves_from: number;
  moves: Made[];
  result: { winner: number; by: string; scores: number[] } | null;
  request: { player: number; what: string } | null;
  /** the token of the next game */
  rematch: string | null;
  clock: { kind: string; remaining: number[]; running: number } | null;
  thinking: boolean;
  wait: number | null;
  can: { takeback: boolean; resign: boolean; rematch: boolean; hint: boolean };
  links: { watch: string | null; invite: string | null; move: string | null };
}

/** What is different from the state with the version `from`. */
export type Change = Partial<Omit<State, "players" | "type">> & { from: number; players?: Partial<Side>[] };

/** The state as the page keeps it: with every move, and what only the page knows. */
export interface View extends State {
  watchers?: number;
  /** when the page took it in, in milliseconds */
  received: number;
  /** a record that was opened, not a game */
  imported?: boolean;
  /** the move after which the table is shown, while looking back */
  ply?: number;
}
