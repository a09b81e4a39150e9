"""A game line by line: draws, asks, tells what a move will do, plays it. For pipes and screen readers, too."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import fill

from quiltwork.editions import Patch
from quiltwork.errors import IllegalMove, NotationError, QuiltworkError, Reason
from quiltwork.game import Game
from quiltwork.move import Advance, LayPatch, Move, Player, TakePatch
from quiltwork.position import Position
from quiltwork.position_setup import Phase
from quiltwork.render.text import position_text, quilt_text
from quiltwork.speech import Speech, capital
from quiltwork.telling import Telling
from quiltwork.terminal import placing, storage, study
from quiltwork.terminal.rules import rules_paragraphs
from quiltwork.terminal.start import Wishes
from quiltwork.terminal.table import Table

HELP = (
    ("1, 2, 3", "choice"),
    ("5c@d4r1", "move"),
    ("+", "advance"),
    ("s@e5  e5", "special"),
    ("show", "show"),
    ("rules", "rules"),
    ("moves [5c]", "moves"),
    ("score", "score"),
    ("text", "text"),
    ("hint", "hint"),
    ("review", "review"),
    ("undo, redo", "undo"),
    ("save FILE", "save"),
    ("resign", "resign"),
    ("quit", "quit"),
    ("help", "help"),
)
YES = ("y", "yes", "j", "ja")
NO = ("n", "no", "nein", "x")


class Session:
    """One game and the lines about it. Input and output are given, so that tests can play too."""

    def __init__(
        self,
        table: Table,
        telling: Telling,
        *,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
        hint: Callable[[Position, Speech], str] | None = None,
        review: Callable[[Game, Speech], str] | None = None,
        colour: bool = False,
        width: int = 96,
        confirm: bool = True,
    ) -> None:
        self.table = table
        self.telling = telling
        self.ask = ask
        self.tell = tell
        self.hint = hint
        self.review = review
        self.colour = colour
        self.width = width
        self.confirm = confirm

    @property
    def position(self) -> Position:
        return self.table.position

    @property
    def speech(self) -> Speech:
        return self.telling.speech

    def say(self, key: str, **figures: int | str) -> str:
        return self.speech.say(key, **figures)

    def run(self) -> None:
        """Plays until the game ends or somebody leaves; the game is kept after every move."""
        self.show()
        self.tell("\n" + self.say("plain.begin"))
        try:
            while not self.table.over:
                if not self.turn():
                    break
        except (EOFError, KeyboardInterrupt):
            self.tell("")
        self.table.keep()
        if storage.is_finished(self.table.game):
            self.farewell()
        else:
            self.tell(self.say("plain.kept"))

    def turn(self) -> bool:
        """One move or one question; False if the player leaves."""
        if self.position.phase is Phase.DEAL:
            dealt = self.table.deal()
            assert dealt is not None
            self.tell(f"{self.say('did.deal')} {' '.join(dealt.order)}")
            return True
        if self.table.thinker is not None:
            before = self.position
            move = self.table.thinker(before)
            self.table.play(move)
            self.tell(f"\n{self.telling.did(before, move)} [{move}]")
            if self.table.thinker is None:
                self.show()
            return True
        assert self.position.turn is not None
        given = self.ask(f"\n{self.telling.name(self.position.turn)}> ").strip()
        try:
            return self.obey(given)
        except QuiltworkError as error:
            self.tell(str(error))
            return True

    def obey(self, given: str) -> bool:
        """Does what the player typed; False to leave."""
        word, _, rest = given.lower().partition(" ")
        match word:
            case "":
                pass
            case "help" | "?" | "h":
                self.tell("\n".join(f"  {typed:<12}{self.say(f'plain.help.{key}')}" for typed, key in HELP))
            case "show":
                self.show()
            case "rules":
                told = (f"{head}\n{fill(text, self.width)}" for head, text in rules_paragraphs(self.speech))
                self.tell("\n\n".join(told))
            case "moves":
                self.list_moves(rest.strip())
            case "score":
                self.tell(self.scores())
            case "text":
                self.tell(self.position.text)
            case "hint":
                if self.hint is not None:
                    self.tell(self.hint(self.position, self.speech))
            case "review":
                self.look_back()
            case "undo":
                self.undo()
            case "redo":
                self.redo()
            case "save":
                self.save(given[len("save") :].strip())
            case "resign":
                return self.resign()
            case "quit" | "exit" | "q":
                return False
            case _:
                try:
                    self.choose(given)
                except (NotationError, IllegalMove) as error:
                    raise QuiltworkError(self.refusal(given, error)) from error
        return True

    def refusal(self, given: str, error: NotationError | IllegalMove) -> str:
        """Why a move was not played; the library's own sentence is English."""
        if self.speech.language == "en":
            return str(error)
        if isinstance(error, NotationError):
            return f"{self.say('plain.not_understood', text=given)} {self.say('plain.begin')}"
        choices = self.position.choices()
        match error.reason:
            case Reason.PHASE:
                return self.telling.turn(self.position)
            case Reason.CHOICE if not given.startswith(("+", "s")):
                return self.say("plain.choices", count=len(choices))
            case Reason.COST:
                return next(
                    f"{capital(self.speech.patch(patch.code))}: {self.telling.why_not(self.position, patch)}"
                    for patch in choices
                    if given.strip().lower().startswith(patch.code)
                )
        return self.say("preview.blocked")

    def look_back(self) -> None:
        """Says what each move has cost; between two people only when the game is over."""
        if self.review is None or not self.table.game.moves:
            raise QuiltworkError(self.say("plain.nothing_to_review"))
        if not self.table.may_review:
            raise QuiltworkError(self.say("screen.review_waits"))
        self.tell(self.say("plain.reviewing"))
        self.tell(self.review(self.table.game, self.speech))

    # Moves

    def choose(self, given: str) -> None:
        """A move by notation, by the number of a choice, or a cell for a special patch."""
        position = self.position
        held = position.held if position.phase is Phase.LAY else None
        if held is not None and given.lower() in ("1", held.code):
            self.lay(held)
        elif position.phase is Phase.TURN and given.isdecimal():
            choices = position.choices()
            if not 1 <= int(given) <= len(choices):
                raise QuiltworkError(self.say("plain.choices", count=len(choices)))
            self.lift(choices[int(given) - 1])
        elif position.phase is Phase.SPECIAL and "@" not in given:
            self.offer(position.move(f"s@{given}"))
        else:
            self.offer(position.move(given))

    def lift(self, patch: Patch) -> None:
        """Begins to take a patch: it must be affordable and fit."""
        why = self.telling.why_not(self.position, patch)
        if why is not None:
            raise QuiltworkError(f"{patch.code}: {why}")
        moves = [m for m in self.position.legal_moves() if isinstance(m, TakePatch) and m.patch == patch.code]
        if moves[0].placement is None:
            self.offer(moves[0])
        else:
            self.lay(patch)

    def lay(self, patch: Patch) -> None:
        """Lays a patch step by step."""
        position, edition = self.position, self.position.edition
        assert position.turn is not None
        quilt = position.setup.players[position.turn - 1].quilt
        kind = LayPatch if position.phase is Phase.LAY else TakePatch
        lifted = placing.Lifted(patch, placing.first_place(patch, position.legal_moves()))
        self.tell(self.say("plain.placing"))
        while True:
            move = kind(patch.code, lifted.placement)
            fits = position.why_illegal(move) is None
            self.tell(
                quilt_text(edition, quilt, self.speech.theme, self.colour, preview=lifted.cells)
                + "\n"
                + self.say(
                    "say.fits" if fits else "say.does_not_fit",
                    patch=capital(self.speech.patch(patch.code)),
                    place=str(lifted.placement),
                )
            )
            given = self.ask(f"{patch.code}> ").strip().lower()
            if given in ("x", "cancel", "back"):
                return
            if given in ("", "sew", "ok"):
                if fits:
                    self.offer(move)
                    return
                continue
            for word in given.split():
                after = placing.changed(lifted, edition, word)
                if after is None:
                    self.tell(self.say("plain.not_understood", text=word) + " " + self.say("plain.placing"))
                    break
                lifted = after

    def offer(self, move: Move) -> None:
        """Tells what a legal move will do, and plays it if the player agrees."""
        self.tell(f"{move}: {' · '.join(self.telling.preview(self.position, move))}")
        if self.confirm and not self.agrees(f"{self.question(move)} [Enter, n]", default=True):
            self.tell(self.say("plain.not_played"))
            return
        self.table.play(move)
        self.show()

    def question(self, move: Move) -> str:
        match move:
            case Advance():
                verb = "bar.advance"
            case TakePatch(_, None):
                verb = "bar.take"
            case _ if str(move) == "s@-":
                verb = "bar.remove"
            case _:
                verb = "bar.sew"
        return f"{self.say(verb)}?"

    def agrees(self, question: str, *, default: bool) -> bool:
        answer = self.ask(f"{question} ").strip().lower()
        return answer not in NO if default else answer in YES

    def list_moves(self, code: str) -> None:
        moves = self.position.legal_moves()
        chosen = [str(m) for m in moves if not code or str(m).startswith(code)]
        self.tell(" ".join(chosen) if chosen else self.say("plain.none"))

    # Going back, keeping, ending

    def undo(self) -> None:
        undone = self.table.undo()
        if not undone:
            raise QuiltworkError(self.say("refused.nothing-to-take-back"))
        self.tell(self.say("plain.undone", moves=" ".join(map(str, undone))))
        self.show()

    def redo(self) -> None:
        redone = self.table.redo()
        if not redone:
            raise QuiltworkError(self.say("screen.nothing_to_redo"))
        self.tell(self.say("plain.redone", moves=" ".join(map(str, redone))))
        self.show()

    def save(self, name: str) -> None:
        if not name:
            raise QuiltworkError(self.say("plain.save_name"))
        path = Path(name).expanduser()
        if path.exists() and not self.agrees(
            f"{self.say('screen.overwrite', file=str(path))} [y/N]", default=False
        ):
            self.tell(self.say("plain.not_saved"))
            return
        storage.write(self.table.game, path)
        self.tell(f"{self.say('screen.saved', file=str(path))}; quiltwork terminal --load {path}")

    def resign(self) -> bool:
        loser = self.table.you or self.position.turn
        assert loser is not None
        if self.agrees(f"{self.say('menu.resign_sure')} [y/N]", default=False):
            self.table.resign(loser)
        return True

    def farewell(self) -> None:
        if self.table.resigned is None:
            self.tell(self.scores())
        self.tell(self.telling.result(self.position, self.table.resigned))
        if self.review and self.confirm and self.table.game.moves:
            try:
                if self.agrees(f"{self.say('plain.review')} [y/N]", default=False):
                    self.look_back()
            except (EOFError, KeyboardInterrupt):
                self.tell("")

    # The picture

    def show(self) -> None:
        outcome = self.position.outcome()
        self.tell(
            "\n"
            + position_text(
                self.position.setup,
                self.speech.theme,
                self.colour,
                self.width,
                names=self.telling.names,
                winner=outcome.winner if outcome else None,
                language=self.speech.language,
            )
        )

    def scores(self) -> str:
        return "\n".join(self.telling.score(self.position, player) for player in Player)


def play(wishes: Wishes, *, colour: bool, confirm: bool) -> None:
    """Plays at the standard streams: the game that waits, the one that was asked for, or a new one."""
    kept = storage.kept()
    game = None
    if kept is not None and not wishes.fresh and not wishes.load:
        table, telling = wishes.table(kept)
        print(telling.speech.say("plain.waiting", edition=kept.edition.title, count=len(kept.end.line())))
        try:
            answer = input(telling.speech.say("plain.go_on") + " [Enter, n] ").strip().lower()
        except EOFError:
            answer = ""
        game = None if answer in NO else kept
        if game is not None:
            game.node = game.end
    if game is None:
        game = wishes.game()
        deal = game.tags.get("Deal")
        table, telling = wishes.table(game)
        if deal is not None:
            print(f"{game.edition.title}, {telling.speech.say('menu.deal', deal=deal)}")
    Session(
        table,
        telling,
        ask=input,
        tell=print,
        hint=_hint,
        review=_review,
        colour=colour,
        width=max(60, shutil.get_terminal_size((96, 24)).columns),
        confirm=confirm,
    ).run()


def _hint(position: Position, speech: Speech) -> str:
    """The hint, and where it would lie."""
    from quiltwork.analysis.move_picture import move_picture

    found, move = study.hint(position)
    picture = move_picture(position, move)
    return f"{found.sentence(speech)} [{move}]" + (f"\n{picture}" if picture else "")


def _review(game: Game, speech: Speech) -> str:
    from quiltwork.analysis.review.report import review_table

    return review_table(study.review(game), speech.language)
