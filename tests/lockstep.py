"""The library and the oracle side by side: the same texts, moves, scores and winners."""

from __future__ import annotations

import oracle
from oracle import State
from quiltwork import Move, Player, Position

Pair = tuple[Position, State]


def pair(text: str) -> Pair:
    """A position as both read it."""
    return Position.parse(text), oracle.parse(text)


def same(position: Position, state: State) -> dict[str, Move]:
    """The legal moves of a position by notation; fails unless both see the same position and the same moves."""
    assert position.text == oracle.text(state)
    for player in Player:
        assert position.score(player).total == oracle.score(state, player - 1), position.text
    outcome = position.outcome()
    assert (None if outcome is None else outcome.winner - 1) == oracle.winner(state), position.text
    moves = position.legal_moves()
    by_text = {str(move): move for move in moves}
    assert len(by_text) == len(moves), position.text
    assert by_text.keys() == set(oracle.legal_moves(state)), position.text
    return by_text


def same_successors(position: Position, state: State) -> list[Pair]:
    """The positions after every move or deal, as both reach them; fails unless their texts are the same."""
    pairs = []
    moves = same(position, state) | {deal: position.move(deal) for deal in oracle.deals(state)}
    for text, move in moves.items():
        after, state_after = position.play(move), oracle.play(state, text)
        assert after.text == oracle.text(state_after), f"{position.text} {text}"
        pairs.append((after, state_after))
    return pairs
