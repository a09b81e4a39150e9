"""Records of games: tags, a blank line, moves."""

from __future__ import annotations

import re

from oracle.edition import read_edition, split_codes
from oracle.notation import text
from oracle.rules import Seat, State, legal_moves, play, score, winner


def initial(edition_name: str, circle: str) -> State:
    """Setup, all rulebooks: buttons for each, tokens on the start, player 1's on top, patches in a circle."""
    edition = read_edition(edition_name)
    codes = split_codes(circle)
    assert sorted(codes) == sorted(edition.circle)
    assert codes[-1] == edition.start_patch
    seat = Seat(space=0, buttons=edition.start_buttons)
    return State(edition, 0, (seat, seat), tile=None, circle=codes, reserve=frozenset(edition.reserve))


def replay(record: str) -> list[State]:
    """Every position of one plain record, checked move by move and against its score and winner."""
    head, _, moves = record.strip().partition("\n\n")
    tags = dict(re.findall(r'\[(\w+) "(.*)"\]', head))
    states = [initial(tags["Edition"], tags["Circle"])]
    for token in moves.split():
        state = states[-1]
        if token in ("1:", "2:"):
            assert state.mover == int(token[0]) - 1, f"{token} in {text(state)}"
            continue
        assert token in legal_moves(state) or is_deal(state, token), f"{token} in {text(state)}"
        states.append(play(state, token))
    final = states[-1]
    assert f"{score(final, 0)}:{score(final, 1)}" == tags["Score"]
    decided = winner(final)
    assert decided is not None
    assert str(decided + 1) == tags["Winner"]
    return states


def is_deal(state: State, token: str) -> bool:
    return (
        state.reserve_is_to_be_dealt
        and token.startswith("=")
        and sorted(split_codes(token[1:])) == sorted(state.reserve)
    )
