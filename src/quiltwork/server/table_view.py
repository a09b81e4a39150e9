"""The view of a whole game: the table, its seats, what may be done, and the moves that the viewer has not seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from quiltwork import Game
from quiltwork.server.opponents import load_opponents
from quiltwork.server.setups import Computer, Human, LiveClock
from quiltwork.server.state import GameState, Step
from quiltwork.server.tokens import Role, Tokens
from quiltwork.server.view import Told, snapshot

Json = dict[str, Any]


def step_view(step: Step) -> Json:
    """A move as the list of moves shows it."""
    return {
        "player": step.player,
        "move": step.move,
        "from": step.origin,
        "to": step.landing,
        "income": step.income,
        "specials": step.specials,
        "tile": step.tile,
    }


def seat_views(state: GameState, online: Mapping[int, int], joined: Collection[int]) -> list[Json]:
    """Who sits where, and who is there."""
    found = []
    for player, seat in enumerate(state.setup.seats, 1):
        computer = isinstance(seat, Computer)
        name = load_opponents().all[seat.opponent].name if isinstance(seat, Computer) else seat.name
        found.append(
            {
                "kind": seat.kind,
                "name": state.names[player - 1] or name,
                "opponent": seat.opponent if isinstance(seat, Computer) else None,
                "remote": isinstance(seat, Human) and seat.remote,
                "named": state.names[player - 1] is not None,
                "online": computer or online.get(player, 0) > 0,
                "joined": computer or player in joined or any(s.player == player for s in state.steps),
            }
        )
    return found


def table_view(
    game: str,
    state: GameState,
    role: Role,
    tokens: Tokens,
    seats: list[Json],
    *,
    known: int,
    now: float,
    thinking: bool,
    hints: bool,
    told: Told | None = None,
) -> Json:
    """What the holder of a role is told; `known` is the number of moves that the viewer has."""
    position = state.position
    told = told or Told(position)
    mine = state.turn in role.seats
    view = {
        "type": "state",
        "game": game,
        "version": state.version,
        "edition": state.setup.edition,
        "edition_title": position.edition.title,
        "theme": state.setup.theme,
        "deal": state.setup.deal,
        "shared": state.setup.shared,
        "you": list(role.seats),
        "seats": seats,
        **told.snapshot,
        "ring": ring(state),
        "options": told.options if mine else None,
        "moves_from": known,
        "moves": [step_view(step) for step in state.steps[known:]],
        "result": _result(state),
        "request": {"player": state.request.player, "what": state.request.what} if state.request else None,
        "rematch": _rematch_token(state, role, tokens),
        "clock": _clock(state, now),
        "thinking": thinking,
        "can": _can(state, role, hints),
        "links": _links(game, state, role, tokens),
    }
    if state.result:
        view["turn"] = None
    return view


def ring(state: GameState) -> list[str]:
    """The circle as it was laid out, so that patches keep their places on the table."""
    dealt = next((index for index in range(len(state.steps), 0, -1) if state.steps[index - 1].player == 0), 0)
    return [patch.code for patch in state.position_after(dealt).circle]


def _result(state: GameState) -> Json | None:
    if state.result is None:
        return None
    scores = [player_score(state, player) for player in (1, 2)]
    return {"winner": state.result.winner, "by": state.result.by, "scores": scores}


def player_score(state: GameState, player: int) -> int:
    from quiltwork import Player

    return state.position.score(Player(player)).total


def _rematch_token(state: GameState, role: Role, tokens: Tokens) -> str | None:
    if not state.rematch:
        return None
    swapped = {Role.PLAYER_1: Role.PLAYER_2, Role.PLAYER_2: Role.PLAYER_1}
    return tokens.make(state.rematch, swapped.get(role, role))


def _clock(state: GameState, now: float) -> Json | None:
    if state.setup.clock is None:
        return None
    return {
        "kind": "live" if isinstance(state.setup.clock, LiveClock) else "days",
        "remaining": [state.time_left(player, now) for player in (1, 2)],
        "running": state.turn if state.since is not None else 0,
    }


def _can(state: GameState, role: Role, hints: bool) -> dict[str, bool]:
    seated = bool(role.seats)
    player = role.seats[0] if role.seats else 0
    back = seated and state.takeback_target(player) is not None
    return {
        "takeback": back and not state.rematch and not (state.result and state.between_people),
        "resign": seated and state.result is None,
        "rematch": seated and state.result is not None and not state.rematch,
        "hint": hints and seated and not state.between_people and state.result is None,
    }


def _links(game: str, state: GameState, role: Role, tokens: Tokens) -> Json:
    links: Json = {"watch": tokens.make(game, Role.WATCH), "invite": None}
    if len(role.seats) == 1 and state.between_people:
        other = Role.PLAYER_2 if role is Role.PLAYER_1 else Role.PLAYER_1
        # Only who set the table invites; the friend's seat is the remote one.
        seat = state.setup.seats[other.seats[0] - 1]
        if not isinstance(seat, Computer) and seat.remote:
            links["invite"] = tokens.make(game, other)
    return links


def history_view(state: GameState) -> Json:
    """Every position of a game, to step through."""
    return {
        "edition": state.setup.edition,
        "record": record_text(state),
        "snapshots": [snapshot(state.position_after(moves)) for moves in range(len(state.steps) + 1)],
        "moves": [step_view(step) for step in state.steps],
    }


def record_text(state: GameState, date: str | None = None) -> str:
    """The game as a record."""
    seats = enumerate(seat_views(state, {}, set()), 1)
    names = [seat["name"] or f"Player {player}" for player, seat in seats]
    tags = {"Player1": names[0], "Player2": names[1]}
    if date:
        tags["Date"] = date
    game = Game(state.start, tags)
    for step in state.steps:
        game.play(step.move)
    if state.result and state.result.by != "score":
        game.tags.update(Winner=str(state.result.winner), Termination=state.result.by)
    return game.text
