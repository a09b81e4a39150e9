"""Environments for reinforcement learning and bots.

    observation    what is seen: planes and scalars, described once
    actions        the action integers and their notation, both ways
    kernel         the compiled part
    batched        thousands of games as one array: `BatchedGames`
    one_game       one game, for adapters that step from Python
    opponents      who answers in the single-agent environments
    picture        a position as an array of pixels
    quiltwork_v0   PettingZoo (extra `rl`)
    gym            Gymnasium (extra `rl`): `single`, one game, and `vector`, over the batch
    openspiel      OpenSpiel (extra `openspiel`)

The protocol of the CodinGame arena is `quiltwork.programs.codingame`, since its bots are agents.
The adapters import their libraries only when they are themselves imported.
"""

from __future__ import annotations

from quiltwork.envs.actions import ACTION_VERSION, action_count, action_of, describe, notation_of, why_illegal
from quiltwork.envs.batched import BatchedGames, Observation, OnIllegal, Reward, SavedGames, Step
from quiltwork.envs.observation import OBSERVATION_VERSION, ObservationLayout, observation_layout
from quiltwork.envs.opponents import Opponent, opponent_of

__all__ = [
    "ACTION_VERSION",
    "OBSERVATION_VERSION",
    "BatchedGames",
    "Observation",
    "ObservationLayout",
    "OnIllegal",
    "Opponent",
    "Reward",
    "SavedGames",
    "Step",
    "action_count",
    "action_of",
    "describe",
    "notation_of",
    "observation_layout",
    "opponent_of",
    "why_illegal",
]
