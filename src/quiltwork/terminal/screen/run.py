"""Starts the game full screen."""

from __future__ import annotations

from dataclasses import replace

from quiltwork.agents.preparation import Preparation
from quiltwork.editions import DEFAULT_EDITION, available_editions, load_edition
from quiltwork.game import Game
from quiltwork.speech import Speech
from quiltwork.telling import Telling
from quiltwork.terminal import storage
from quiltwork.terminal.screen.app import QuiltworkApp
from quiltwork.terminal.screen.dialogs import Choice, StartDialog
from quiltwork.terminal.start import Wishes
from quiltwork.terminal.table import Table
from quiltwork.themes import load_theme, theme_of


def app_of(
    wishes: Wishes, *, dark: bool = True, colour: bool = True, preparation: Preparation | None = None
) -> QuiltworkApp:
    """The program, ready to run; it asks what to play unless the wishes say it.

    Who needs an agent that is still compiled waits for the preparation.
    """

    def begin(choice: Choice) -> tuple[Table, Telling]:
        if choice.edition is None:
            kept = storage.kept()
            return wishes.table(kept if kept is not None else wishes.game())
        chosen = replace(wishes, edition=choice.edition, against=choice.opponent, load=None)
        return chosen.table(chosen.game())

    def offer(speech: Speech) -> StartDialog:
        kept = storage.kept()
        return StartDialog(
            speech,
            _editions(wishes),
            _opponents(speech),
            waiting=None if kept is None else speech.say("screen.waiting", edition=_named(kept)),
            opponent=wishes.against or "level:5",
        )

    decided = wishes.load or wishes.fresh or wishes.against
    if wishes.load:
        game = wishes.game()
        return QuiltworkApp(
            lambda choice: wishes.table(game) if choice.edition is None else begin(choice),
            offer,
            _speech(wishes),
            choice=Choice(None, None),
            dark=dark,
            colour=colour,
            preparation=preparation,
        )
    choice = Choice(wishes.edition or DEFAULT_EDITION, wishes.against) if decided else None
    return QuiltworkApp(
        begin, offer, _speech(wishes), choice=choice, dark=dark, colour=colour, preparation=preparation
    )


def _speech(wishes: Wishes) -> Speech:
    edition = load_edition(wishes.edition or DEFAULT_EDITION)
    return Speech(edition, load_theme(wishes.theme) if wishes.theme else theme_of(edition), wishes.language)


def _editions(wishes: Wishes) -> list[tuple[str, str]]:
    names = list(available_editions())
    if wishes.edition and wishes.edition not in names:
        names.insert(0, wishes.edition)
    return [(name, load_edition(name).title) for name in names]


def _opponents(speech: Speech) -> list[tuple[str, str]]:
    from quiltwork.agents.levels import load_levels

    levels = load_levels().all.values()
    people = ("", speech.say("screen.two_people"))
    return [people, *((f"level:{each.level}", f"{each.level:>2}  {each.name}") for each in levels)]


def _named(game: Game) -> str:
    return f"{game.edition.title}, {game.tags.get('Player1', '1')} – {game.tags.get('Player2', '2')}"
