"""The view of a whole game: the table, its seats, what may be done, and the moves that the viewer has not seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from quiltwork import Game
from quiltwork.agents.levels import load_levels
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
    """The seats, and which of them are connected."""
    found = []
    for player, seat in enumerate(state.setup.seats, 1):
        computer = isinstance(seat, Computer)
        name = load_levels().all[seat.opponent].name if isinstance(seat, Computer) else seat.name
        found.append(
            {
                "kind": seat.kind,
                "name": state.names[player - 1] or name,
                "opponent": seat.opponent if isinstance(seat, Computer) else None,
                "remote": isinstance(seat, Human) and seat.remote,
                "named": state.names[player - 1] is not None,
                "online": computer or online.get(player, 0) > 0,
                "joined": computer
                or player in joined
                or state.seats.is_taken(player)
                or any(s.player == player for s in state.steps),
            }
        )
    return found


@dataclass(eq=False, slots=True)
class View:
    """What a connection was sent: the public view, and the view of its role."""

    common: Json
    own: Json

    def lighten(self) -> None:
        """Drops the options, most of the memory of an idle game; they are sent again when needed."""
        if self.own["options"] is not None:
            self.own["options"] = _FORGOTTEN

    def whole(self, state: GameState) -> Json:
        """The message that tells all of it."""
        return {"type": "state", **self.common, **self.own, **moves_view(state, 0)}

    def change_from(self, told: View, state: GameState, known: int) -> Json:
        """The message for a connection that has an earlier view and that many moves."""
        new = changes(told.common, self.common)
        if "players" in new:
            both = zip(told.common["players"], self.common["players"], strict=True)
            new["players"] = [changes(old, player) for old, player in both]
        own = changes(told.own, self.own)
        return {"type": "change", "from": told.common["version"], **new, **own, **moves_view(state, known)}


_FORGOTTEN: Json = {}
_ALWAYS = ("version", "clock")
"""sent with every change; a clock runs on in between"""


def changes(old: Json, new: Json) -> Json:
    """The entries that differ."""
    return {key: value for key, value in new.items() if key in _ALWAYS or value != old[key]}


def moves_view(state: GameState, known: int) -> Json:
    """The moves after the first so many."""
    return {"moves_from": known, "moves": [step_view(step) for step in state.steps[known:]]}


def common_view(
    game: str, state: GameState, seats: list[Json], told: Told, *, now: float, thinking: bool, wait: float
) -> Json:
    """The public view."""
    view = {
        "game": game,
        "version": state.version,
        "edition": state.setup.edition,
        "edition_title": state.position.edition.title,
        "theme": state.setup.theme,
        "deal": state.setup.deal,
        "shared": state.setup.shared,
        "seats": seats,
        **told.snapshot,
        "ring": state.ring,
        "result": _result(state),
        "request": {"player": state.request.player, "what": state.request.what} if state.request else None,
        "clock": _clock(state, now),
        "thinking": thinking,
        "wait": round(wait, 1) or None,
    }
    if state.result:
        view["turn"] = None
    return view


def own_view(
    game: str, state: GameState, seats: list[Json], told: Told, role: Role, tokens: Tokens, *, hints: bool
) -> Json:
    """The view of a role; only the player to move gets the options."""
    return {
        "you": list(role.seats),
        "options": told.options if state.turn in role.seats else None,
        "rematch": _rematch_token(state, role, tokens),
        "can": _can(state, role, hints),
        "links": _links(game, state, role, tokens, seats),
    }


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


def _links(game: str, state: GameState, role: Role, tokens: Tokens, seats: list[Json]) -> Json:
    """Links to give away: to watch, to invite the friend, to go on playing on another device."""
    links: Json = {"watch": tokens.make(game, Role.WATCH), "invite": None, "move": None}
    if role.seats:
        links["move"] = tokens.make(game, role, state.seats.generation(role), invites=True)
    guest = untaken_seat(state, role, seats)
    if guest:
        links["invite"] = tokens.make(game, guest, state.seats.generation(guest), invites=True)
    return links


def untaken_seat(state: GameState, role: Role, seats: list[Json]) -> Role | None:
    """The seat to which the holder of a role may invite a friend; None when it is taken."""
    opposite = {Role.PLAYER_1: Role.PLAYER_2, Role.PLAYER_2: Role.PLAYER_1}.get(role)
    if opposite is None or not state.between_people:
        return None
    seat = seats[opposite.seats[0] - 1]
    return opposite if seat["remote"] and not seat["joined"] else None


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
