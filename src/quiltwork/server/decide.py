"""Decisions: which events a message causes, or why it is refused. Nothing is changed here."""

from __future__ import annotations

from random import Random

from quiltwork import IllegalMove, NotationError, Phase, Replenish
from quiltwork.server.answers import Refusal
from quiltwork.server.events import Event, Kind, Made
from quiltwork.server.state import GameState
from quiltwork.server.tokens import Role

REMATCH = "rematch"
TAKEBACK = "takeback"


def decide_move(
    state: GameState, player: int, text: str, key: str | None, at: float, chance: Random
) -> list[Event]:
    """A move, and the dealing of the reserve where the move lets it in."""
    if state.result:
        raise Refusal("over", "The game is over.")
    if player != state.turn:
        raise Refusal("not-your-turn", "It is the other player's turn.")
    position = state.position
    try:
        move = position.read(text)
        if isinstance(move, Replenish):
            raise Refusal("illegal", "The reserve is dealt by the server.")
        after = position.play(move)
    except (NotationError, IllegalMove) as error:
        raise Refusal("illegal", f"{error}.") from None
    events = [Event(Kind.MOVE, player, at, {"move": str(move)}, key, Made(position, move, after))]
    if after.phase is Phase.DEAL:
        order = state.dealt or str(after.deal(chance))
        events.append(Event(Kind.MOVE, 0, at, {"move": order}))
    return events


def decide(
    state: GameState, role: Role, what: str, key: str, at: float, chance: Random, move: str = ""
) -> list[Event]:
    """What the holder of a role causes by a message of the given kind."""
    if not role.seats:
        raise Refusal("watching", "Spectators cannot move.", 403)
    player = _acting(state, role)
    match what:
        case "move":
            return decide_move(state, player, move, key, at, chance)
        case "takeback":
            return _takeback(state, player, key, at)
        case "resign":
            if state.result:
                raise Refusal("over", "The game is over.")
            return [Event(Kind.RESIGN, player, at, key=key)]
        case "rematch":
            return _rematch(state, player, key, at)
        case "accept":
            return _accept(state, player, key, at)
        case "decline":
            if state.request is None:
                raise Refusal("no-request", "There is nothing to answer.")
            return [Event(Kind.DECLINE, player, at, key=key)]
    raise Refusal("unknown-message", f"There is no message {what!r}.")


def _acting(state: GameState, role: Role) -> int:
    if role is Role.BOTH:
        return state.turn or 1
    return role.seats[0]


def _takeback(state: GameState, player: int, key: str, at: float) -> list[Event]:
    target = state.takeback_target(player)
    if target is None:
        raise Refusal("nothing-to-take-back", "There is no move to take back.")
    if state.result and (state.between_people or state.rematch):
        raise Refusal("over", "The game is over.")
    if not state.between_people:
        return [Event(Kind.TAKEBACK, player, at, {"to": target}, key)]
    if state.request and state.request.player != player and state.request.what == TAKEBACK:
        return _accept(state, player, key, at)
    return [Event(Kind.REQUEST, player, at, {"what": TAKEBACK, "to": target}, key)]


def _rematch(state: GameState, player: int, key: str, at: float) -> list[Event]:
    if not state.result:
        raise Refusal("not-over", "A rematch begins when the game is over.")
    if state.rematch:
        raise Refusal("has-rematch", "The rematch has begun already.")
    waits = state.request and state.request.player != player and state.request.what == REMATCH
    if state.between_people and not waits:
        return [Event(Kind.REQUEST, player, at, {"what": REMATCH}, key)]
    return [Event(Kind.REMATCH, player, at, {"game": ""}, key)]


def _accept(state: GameState, player: int, key: str, at: float) -> list[Event]:
    request = state.request
    if request is None or request.player == player:
        raise Refusal("no-request", "There is nothing to answer.")
    if request.what == TAKEBACK:
        return [Event(Kind.TAKEBACK, player, at, {"to": request.to}, key)]
    return [Event(Kind.REMATCH, player, at, {"game": ""}, key)]
