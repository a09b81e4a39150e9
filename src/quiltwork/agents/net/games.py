"""Many games at once: each has a tree, and in every round each asks the net about one position.

A game is played by two seats. A seat is a net (the first or the second of a match) with its simulations, or a
rival who chooses moves elsewhere. In self-play both seats are the first net, and what was searched is kept as
samples.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from quiltwork.agents.net.inputs import SEED, view
from quiltwork.agents.net.playouts import net_share, quick_outcome
from quiltwork.agents.net.root import CONSIDERED, best_at_root, choose_at_root, improved_logits
from quiltwork.agents.net.sight import SightRecord
from quiltwork.agents.net.tree import (
    CHILDREN,
    END,
    back_up,
    descend,
    final_value,
    open_leaf,
    plant,
    settle,
)
from quiltwork.rules.chance import SOURCE, below, deal_at_random, draw
from quiltwork.rules.compiler import compiled, compiled_inline
from quiltwork.rules.layout import DEAL, NOTHING, OVER, POSITION, EditionRecord, record_type
from quiltwork.rules.moves import play
from quiltwork.rules.start import set_up

MAX_PLIES = 96
"""searched positions of a game, at most"""
KEPT = CONSIDERED
"""moves of a sample"""

# The kinds of a seat.
FIRST_NET = 0
SECOND_NET = 1
RIVAL = 2

SAMPLE = record_type(
    [
        ("position", POSITION),
        ("final_free", np.uint64, (2, 2)),  # the quilts at the end of the game
        ("edition", np.int16),
        ("moves", np.int16),  # how many moves are kept; 0: a quick search, which teaches only the outcome
        ("code", np.int16, (KEPT,)),
        ("share", np.float32, (KEPT,)),  # what the search made of the policy; the rest is for all other moves
        ("win", np.float32),  # of player 0, at the end
        ("points", np.float32),
        ("search_win", np.float32),  # of player 0, by the search
        ("search_points", np.float32),
    ]
)

GAME = record_type(
    [
        ("position", POSITION),
        ("source", SOURCE),
        ("edition", np.int16),
        ("kind", np.int16, (2,)),  # of each player's seat
        ("plan", np.int16),  # the plan of the search under way
        ("size", np.int32),  # nodes of the tree; 0: no search under way
        ("done", np.int32),  # simulations
        ("leaf", np.int32),  # the node that waits for the net, or NOTHING
        ("plies", np.int32),  # samples so far
        ("moves", np.int32),
        ("waits", np.int16),  # whether a rival is to move
        ("over", np.int16),  # whether it has ended and no new one begins
        ("deal", np.uint64),  # what the circle was shuffled with
    ]
)

SETTINGS = record_type(
    [
        ("match", np.int64),  # games end; otherwise the next one begins
        ("noise", np.int64),  # candidates at the root are drawn at random
        ("full_share", np.float64),  # of the searches by plan 0; the others follow plan 1 and teach no policy
        ("simulations", np.int32, (2,)),  # of each plan; in a match plan 0 is the first net's
        ("considered", np.int32, (2,)),  # moves at the root, of each plan
        ("playouts", np.int32),  # from every leaf, whose results are mixed with what the net says
    ]
)

RESULT = record_type(
    [
        ("edition", np.int16),
        ("moves", np.int16),
        ("score", np.int16, (2,)),
        ("empty", np.int16, (2,)),
        ("winner", np.int16),
    ]
)

SHELF = record_type([("written", np.int64), ("results", np.int64), ("simulations", np.int64), ("asked", np.int64)])
"""how far a worker's samples and results are written; they begin again at the front when full"""

GameRecord: TypeAlias = Any
GameArray: TypeAlias = np.ndarray[tuple[int], np.dtype[np.void]]


@compiled
def start_game(game: GameRecord, edition: EditionRecord, sight: SightRecord, number: int, deal: Any) -> None:
    """Sets up a game of edition `number` with the circle shuffled by `deal` (not the library's deal numbers)."""
    shuffle = np.zeros(1, SOURCE)
    shuffle[0].state = np.uint64(deal)
    length = sight.circle_count
    circle = np.empty(length, np.uint8)
    for i in range(length):
        circle[i] = sight.circle[i]
    # The start patch stays last.
    for last in range(length - 2, 0, -1):
        other = below(shuffle[0], last + 1)
        circle[last], circle[other] = circle[other], circle[last]
    reserve = np.empty(sight.reserve_count, np.uint8)
    for i in range(sight.reserve_count):
        reserve[i] = sight.reserve[i]
    set_up(game.position, edition, circle, reserve)
    game.edition = number
    game.deal = deal
    game.size = 0
    game.done = 0
    game.leaf = NOTHING
    game.plies = 0
    game.moves = 0
    game.waits = 0
    game.over = 0


@compiled
def start_games(games: Any, editions: Any, sights: Any, numbers: Any, deals: Any) -> None:
    """Sets up every game with its edition and its deal."""
    for i in range(len(games)):
        start_game(games[i], editions[numbers[i]], sights[numbers[i]], numbers[i], deals[i])


@compiled_inline
def _keep(game: GameRecord, nodes: Any, sample: Any, logits: Any, settings: Any) -> None:
    """Notes the position and what the search found, until the outcome is known."""
    root = nodes[0]
    sample.position = root.position
    sample.edition = game.edition
    sample.search_win = root.win / root.visits
    sample.search_points = root.points / root.visits
    sample.moves = 0
    if game.plan != 0:
        return
    improved_logits(nodes, logits)
    top = -1e30
    listed = 0.0
    for i in range(root.children):
        top = max(top, logits[i])
        listed += root.prior[i]
    # Moves that are not listed keep their share of the prior, moved like unvisited ones.
    unseen = -1e30
    for i in range(root.children):
        if root.child[i] == NOTHING:
            unseen = logits[i] - np.log(root.prior[i] + 1e-12)
            break
    total = 0.0
    for i in range(root.children):
        total += np.exp(logits[i] - top)
    rest = 1.0 - listed
    if rest > 1e-6 and unseen > -1e29:
        total += rest * np.exp(unseen - top)
    kept = min(KEPT, root.children)
    for i in range(kept):
        sample.code[i] = root.code[i]
        sample.share[i] = np.exp(logits[i] - top) / total
    sample.moves = kept


@compiled_inline
def _finish(
    game: GameRecord, edition: EditionRecord, history: Any, samples: Any, results: Any, shelf: Any, settings: Any
) -> None:
    """Writes the samples with the outcome, and the result."""
    win, points = final_value(game.position, edition)
    for i in range(game.plies):
        at = shelf.written % len(samples)
        samples[at] = history[i]
        samples[at].win = win
        samples[at].points = points
        for player in range(2):
            for word in range(2):
                samples[at].final_free[player, word] = game.position.free[player, word]
        shelf.written += 1
    result = results[shelf.results % len(results)]
    result.edition = game.edition
    result.moves = game.moves
    for player in range(2):
        empty = 0
        for word in range(2):
            left = game.position.free[player, word]
            while left != np.uint64(0):
                left &= left - np.uint64(1)
                empty += 1
        result.empty[player] = empty
        result.score[player] = (
            game.position.buttons[player]
            + edition.points_per_empty_space * empty
            + (edition.tile_points if game.position.tile == player else 0)
        )
    result.winner = 0 if win > 0.5 else 1
    shelf.results += 1


@compiled
def step(
    games: Any,
    nodes: Any,
    history: Any,
    editions: Any,
    sights: Any,
    tables: Any,
    policy: Any,
    edition_of: Any,
    plans: Any,
    settings: Any,
    words: Any,
    numbers: Any,
    nets: Any,
    moves: Any,
    scores: Any,
    noise: Any,
    outcome: Any,
    samples: Any,
    results: Any,
    shelf: Any,
) -> int:
    """Carries every game on to its next question to a net, with the answers to the last; returns how many ask.

    Row i of every array belongs to game i: `words`, `numbers` and `nets` (which net, NOTHING if none) are written;
    `moves`, `scores`, `noise` and `outcome` are the answers to the last row. `edition_of` has the editions to draw
    from for new games; `plans[p, m]` is the schedule of plan p for m considered moves.
    """
    logits = np.empty(CHILDREN, np.float64)
    start = np.empty(1, POSITION)
    setting = settings[0]
    desk = shelf[0]
    asking = 0
    for g in range(len(games)):
        game = games[g]
        tree = nodes[g]
        nets[g] = NOTHING
        if game.over or game.waits:
            continue
        edition = editions[game.edition]
        if game.leaf != NOTHING:
            leaf = game.leaf
            win, points = np.float64(outcome[g, 0]), np.float64(outcome[g, 1])
            if setting.playouts > 0:
                position = tree[leaf].position
                other_win, other_points = quick_outcome(
                    position, edition, tables[game.edition], policy[0], game.source, setting.playouts
                )
                share = net_share(position, edition)
                win = share * win + (1.0 - share) * other_win
                points = share * points + (1.0 - share) * other_points
            win, points = open_leaf(tree, leaf, edition, moves[g], scores[g], noise[g], win, points)
            back_up(tree, leaf, win, points)
            if leaf > 0:
                game.done += 1
            game.leaf = NOTHING
        while True:
            if game.size == 0:
                # Before a search: forced moves and chance are played, the end is noted.
                while True:
                    game.moves += settle(game.position, edition)
                    if game.position.phase != DEAL:
                        break
                    deal_at_random(game.position, game.source)
                if game.position.phase == OVER:
                    _finish(game, edition, history[g], samples, results, desk, setting)
                    if setting.match:
                        game.over = 1
                        break
                    number = edition_of[below(game.source, len(edition_of))]
                    start_game(game, editions[number], sights[number], number, draw(game.source))
                    edition = editions[game.edition]
                    continue
                kind = game.kind[game.position.turn]
                if kind == RIVAL:
                    game.waits = 1
                    break
                if setting.match:
                    game.plan = kind
                else:
                    full = below(game.source, 1 << 20) < setting.full_share * (1 << 20)
                    game.plan = 0 if full else 1
                start[0] = game.position
                game.size = plant(tree, start)
                game.done = 0
                game.leaf = 0
                tree[0].pending = 1
            else:
                plan = game.plan
                root = tree[0]
                considered = min(np.int64(setting.considered[plan]), np.int64(root.children))
                if game.done >= setting.simulations[plan]:
                    if not setting.match and game.plies < MAX_PLIES:
                        _keep(game, tree, history[g, game.plies], logits, setting)
                        game.plies += 1
                    best = best_at_root(tree, logits)
                    play(game.position, edition, root.code[best])
                    game.moves += 1
                    game.size = 0
                    desk.simulations += game.done
                    continue
                edge = choose_at_root(tree, plans[plan, considered, game.done], logits)
                leaf, size = descend(tree, game.size, edge, edition, game.source)
                game.size = size
                if tree[leaf].state == END:
                    win, points = final_value(tree[leaf].position, edition)
                    back_up(tree, leaf, win, points)
                    game.done += 1
                    continue
                game.leaf = leaf
            view(tree[game.leaf].position, edition, sights[game.edition], words[g], numbers[g])
            if game.leaf == 0 and setting.noise:
                words[g, SEED] = draw(game.source) >> np.uint64(33) | np.uint64(1)
            nets[g] = game.kind[tree[0].position.turn]
            asking += 1
            desk.asked += 1
            break
    return asking


@compiled
def play_rival(games: Any, index: int, editions: Any, code: int) -> None:
    """Plays the move of a rival."""
    game = games[index]
    play(game.position, editions[game.edition], code)
    game.moves += 1
    game.waits = 0
