"""Tokens: who holds one may sit in a seat of a game, or watch it.

A token is `<game>.<role>.<generation>.<mac>`. The mac is made with the server's secret, so tokens need no table,
cannot be guessed, and a forged one is refused before any look into the database. The generation of a seat grows
each time it changes hands (see `seats.py`); tokens of generation 0 leave it out. An `i` behind it marks an
invitation, which lets someone take the seat and is then used up.
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from hashlib import sha256

_FORM = re.compile(r"^([A-Za-z0-9]{12})\.(p1|p2|p12|w)(?:\.([0-9]{1,3})(i?))?\.([A-Za-z0-9_-]{27})$")
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"


class Role(Enum):
    """What a token allows."""

    PLAYER_1 = "p1"
    PLAYER_2 = "p2"
    BOTH = "p12"
    """two people on one device"""
    WATCH = "w"

    def __init__(self, text: str) -> None:
        self.seats: tuple[int, ...] = {"p1": (1,), "p2": (2,), "p12": (1, 2), "w": ()}[text]
        """the players for whom the holder may move"""


@dataclass(frozen=True)
class Pass:
    """A token that was found genuine."""

    game: str
    role: Role
    generation: int = 0
    invites: bool = False
    """whether it only lets its holder take the seat"""


def new_secret() -> bytes:
    return secrets.token_bytes(32)


def new_game_id() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(12))


class Tokens:
    """Makes and checks the tokens of one server."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self.text = lru_cache(maxsize=4096)(self._text)
        """the token of a pass, cached: the same few are sent with every state"""

    def make(self, game: str, role: Role, generation: int = 0, *, invites: bool = False) -> str:
        """The token that lets its holder do something at a game."""
        return self.text(Pass(game, role, generation, invites))

    def _text(self, found: Pass) -> str:
        named = f"{found.game}.{found.role.value}"
        if found.generation or found.invites:
            named += f".{found.generation}{'i' if found.invites else ''}"
        mac = hmac.new(self._secret, named.encode(), sha256).digest()[:20]
        return f"{named}.{urlsafe_b64encode(mac).decode().rstrip('=')}"

    def check(self, token: str) -> Pass | None:
        """What the token allows, or None where this server never made it."""
        form = _FORM.match(token)
        if form is None:
            return None
        found = Pass(form[1], Role(form[2]), int(form[3] or 0), bool(form[4]))
        return found if hmac.compare_digest(self._text(found), token) else None
