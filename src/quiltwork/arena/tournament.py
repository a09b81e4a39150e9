"""A tournament: every agent against every other, and ratings from all games together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from quiltwork.arena.match import Match
from quiltwork.arena.statistics import ELO_LIMIT, Z95

_SCALE = 400 / math.log(10)


@dataclass(frozen=True)
class Rating:
    """An agent's place in the table; Elo is relative to the mean of all."""

    agent: str
    elo: float
    interval: float
    """half of the 95 % interval"""
    games: int
    score: float
    points: float
    empty_spaces: float


def pairings_of(agents: Sequence[str]) -> list[tuple[str, str]]:
    """Every two agents once."""
    return list(combinations(agents, 2))


def ratings(agents: Sequence[str], matches: Sequence[Match]) -> list[Rating]:
    """The table of a tournament, the best first: the ratings that make its results most likely."""
    count = len(agents)
    place = {agent: i for i, agent in enumerate(agents)}
    wins = np.zeros((count, count))
    for match in matches:
        i, j = place[match.pairing.first], place[match.pairing.second]
        won = sum(match.wins)
        wins[i, j] += won
        wins[j, i] += match.games - won
    elo, half = _most_likely(wins)
    table = []
    for i, agent in enumerate(agents):
        games = int(wins[i].sum() + wins[:, i].sum())
        table.append(
            Rating(
                agent=agent,
                elo=float(elo[i]),
                interval=float(half[i]),
                games=games,
                score=float(wins[i].sum() / games) if games else 0.0,
                points=_mean(agent, matches, "points"),
                empty_spaces=_mean(agent, matches, "empty_spaces"),
            )
        )
    return sorted(table, key=lambda rating: -rating.elo)


def _mean(agent: str, matches: Sequence[Match], name: str) -> float:
    values = []
    for match in matches:
        sides = (match.pairing.first, match.pairing.second)
        if agent in sides and match.games:
            values.append((match.mean(name, sides.index(agent)), match.games))
    games = sum(n for _, n in values)
    return sum(value * n for value, n in values) / games if games else 0.0


def _most_likely(
    wins: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Bradley-Terry ratings by Newton's method, and half of their 95 % intervals, in Elo."""
    count = len(wins)
    # Half a win each way keeps the rating of who won or lost everything finite.
    played = (wins + wins.T) > 0
    wins = wins + 0.5 * played
    games = wins + wins.T
    rating = np.zeros(count)
    information = np.eye(count)
    for _ in range(200):
        expected = 1 / (1 + np.exp(rating[None, :] - rating[:, None]))
        gradient = (wins - games * expected).sum(axis=1)
        weight = games * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.pinv(information) @ gradient
        step = np.clip(step, -1.0, 1.0)
        rating = rating + step - (rating + step).mean()
        if np.abs(step).max() < 1e-9:
            break
    spread = np.sqrt(np.clip(np.diag(np.linalg.pinv(information)), 0, None))
    return np.clip(rating * _SCALE, -2 * ELO_LIMIT, 2 * ELO_LIMIT), Z95 * spread * _SCALE
