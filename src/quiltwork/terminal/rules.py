"""The rules of an edition in short paragraphs."""

from __future__ import annotations

from collections.abc import Iterator

from quiltwork.speech import Speech, capital


def rules_paragraphs(speech: Speech) -> Iterator[tuple[str, str]]:
    """Each heading with its text; what an edition does not have is left out."""
    edition, say = speech.edition, speech.say
    patch = next((p for p in edition.patches.values() if p.income), next(iter(edition.patches.values())))
    tile, reserve = edition.special_tile, edition.reserve_enters_when_left
    figures: dict[str, dict[str, int] | None] = {
        "goal": {"penalty": abs(edition.points_per_empty_space)},
        "turn": {},
        "take": {"choices": edition.choices},
        "patch": {
            "cost": patch.buttons,
            "time": patch.time,
            "income": patch.income,
            "cells": len(patch.cells),
        },
        "advance": {},
        "income": {"marks": len(edition.income_spaces)},
        "special": {"marks": len(edition.special_patch_spaces)} if edition.special_patch_spaces else None,
        "tile": {"size": tile.square, "points": tile.points} if tile else None,
        "reserve": None if reserve is None else {"left": reserve},
        "end": {"last": edition.last_space},
    }
    for key, filled in figures.items():
        if filled is not None:
            text = say(f"rules.{key}", **filled)
            if key == "special" and edition.special_patch_may_be_removed:
                text += " " + say("rules.special.remove")
            yield capital(say(f"rules.{key}.head")), text
    yield say("rules.source.head"), say(f"rules.source.{edition.source.confidence.value}")
