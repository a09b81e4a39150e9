"""A game at the terminal: draws, asks, tells what a move will do, plays it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quiltwork.edition import Patch
from quiltwork.errors import QuiltworkError
from quiltwork.events import Laid
from quiltwork.game import Game
from quiltwork.move import LayPatch, Move, Player, Replenish, TakePatch
from quiltwork.position import Position, Shuffler
from quiltwork.render.text import position_text, quilt_text
from quiltwork.setup import Phase
from quiltwork.terminal import placing, storage
from quiltwork.theme import Theme

HELP = """\
Make a move
  1, 2, 3         choose a patch and lay it step by step
  5c@d4r1         or name the move: patch, cell of its top left corner, turns (r1 r2 r3), flipped (f)
  +               advance in front of the other player
  s@e5            place a special patch (s@- removes it, where that is allowed); or just the cell: e5
Look
  show            draw the table again        moves [5c]   list the legal moves (of a patch)
  score           the score now               text         the position in notation
  hint            what a good player would do
Go back, keep, end
  undo, redo      take moves back, and forth again
  save FILE       write the record            quit         leave; the game is kept for next time
  resign          give up                     help         this list"""

Thinker = Callable[[Position], Move]


class Session:
    """One game, its players, and the screen. Input and output are given, so that tests can play too."""

    def __init__(
        self,
        game: Game,
        theme: Theme,
        *,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
        rng: Shuffler,
        names: tuple[str, str] = ("Player 1", "Player 2"),
        thinkers: dict[Player, Thinker] | None = None,
        hint: Callable[[Position], str] | None = None,
        colour: bool = False,
        width: int = 96,
        confirm: bool = True,
    ) -> None:
        self.game = game
        self.theme = theme
        self.ask = ask
        self.tell = tell
        self.rng = rng
        self.names = names
        self.thinkers = thinkers or {}
        self.hint = hint
        self.colour = colour
        self.width = width
        self.confirm = confirm

    @property
    def position(self) -> Position:
        return self.game.position

    def run(self) -> None:
        """Plays until the game ends or somebody leaves; the game is kept after every move."""
        self.show()
        self.tell("\nType a move, or `help`.")
        try:
            while self.position.turn is not None and "Termination" not in self.game.tags:
                if not self.turn():
                    break
        except (EOFError, KeyboardInterrupt):
            self.tell("")
        storage.keep(self.game)
        if storage.is_finished(self.game):
            self.farewell()
        else:
            self.tell("The game is kept; `quiltwork terminal` goes on with it.")

    def turn(self) -> bool:
        """One move or one question; False if the player leaves."""
        position = self.position
        if position.phase is Phase.DEAL:
            self.play(position.deal(self.rng))
            return True
        assert position.turn is not None
        thinker = self.thinkers.get(position.turn)
        if thinker is not None:
            move = thinker(position)
            self.tell(f"\n{self.name(position.turn)} plays {self.foretell(move)}")
            self.play(move)
            if self.position.turn not in self.thinkers:
                self.show()
            return True
        given = self.ask(f"\n{self.name(position.turn)}> ").strip()
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
                self.tell(HELP)
            case "show":
                self.show()
            case "moves":
                self.list_moves(rest.strip())
            case "score":
                self.tell(self.scores())
            case "text":
                self.tell(self.position.text)
            case "hint":
                self.tell(self.hint(self.position) if self.hint else "There is nobody to ask for a hint here.")
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
                self.choose(given)
        return True

    # Moves

    def choose(self, given: str) -> None:
        """A move by notation, by the number of a choice, or a cell for a special patch."""
        position = self.position
        if (
            position.phase is Phase.LAY
            and position.held is not None
            and given.lower() in ("1", position.held.code)
        ):
            self.lay(position.held)
        elif position.phase is Phase.TURN and given.isdigit():
            choices = position.choices()
            if not 1 <= int(given) <= len(choices):
                raise QuiltworkError(
                    f"There are {len(choices)} patches to choose from; `help` tells what you can type."
                )
            self.lift(choices[int(given) - 1])
        elif position.phase is Phase.SPECIAL and "@" not in given:
            self.offer(position.move(f"s@{given}"))
        else:
            self.offer(position.move(given))

    def lift(self, patch: Patch) -> None:
        """Begins to take a patch: it must be affordable and fit."""
        moves = [m for m in self.position.legal_moves() if isinstance(m, TakePatch) and m.patch == patch.code]
        if not moves:
            assert self.position.turn is not None
            buttons = self.position.player(self.position.turn).buttons
            short = patch.buttons - buttons
            words = self.theme.words_in("en").button
            if short > 0:
                raise QuiltworkError(f"You need {short} more {words.one if short == 1 else words.many}.")
            raise QuiltworkError(f"{patch.code} fits nowhere on your quilt.")
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
        self.tell(placing.HELP)
        while True:
            move = kind(patch.code, lifted.placement)
            illegality = position.why_illegal(move)
            self.tell(quilt_text(edition, quilt, self.theme, self.colour, preview=lifted.cells))
            self.tell(f"{move}: {illegality or 'legal'}")
            given = self.ask("place> ").strip().lower()
            if given in ("x", "cancel", "back"):
                return
            if given in ("", "sew", "ok"):
                if illegality is None:
                    self.offer(move)
                    return
                continue
            for word in given.split():
                after = placing.changed(lifted, edition, word)
                if after is None:
                    self.tell(f"{word!r} says nothing here: {placing.HELP}")
                    break
                lifted = after

    def offer(self, move: Move) -> None:
        """Tells what a legal move will do, and plays it if the player agrees."""
        self.tell(self.foretell(move))
        if self.confirm and self.ask("Sew it? [Enter = yes, n = no] ").strip().lower() in ("n", "no", "x"):
            self.tell("Put back.")
            return
        self.play(move)
        self.show()

    def play(self, move: Move) -> None:
        if isinstance(move, Replenish):
            self.tell(f"The reserve enters the circle: {' '.join(move.order)}")
        self.game.truncate()
        self.game.play(move)
        storage.keep(self.game)

    def foretell(self, move: Move) -> str:
        """What a move does, in sentences, with the score before and after."""
        position = self.position
        assert position.turn is not None
        told = [
            str(event).replace("player 1", self.names[0]).replace("player 2", self.names[1])
            for event in position.explain(move)
            if not isinstance(event, Laid)
        ]
        before, after = position.score(position.turn), position.play(move).score(position.turn)
        told.append(f"score {before.total} -> {after.total}")
        return f"{move}: " + "; ".join(told)

    def list_moves(self, code: str) -> None:
        moves = self.position.legal_moves()
        chosen = [str(m) for m in moves if not code or str(m).startswith(code)]
        self.tell(" ".join(chosen) if chosen else "None.")

    # Going back, keeping, ending

    def undo(self) -> None:
        """Takes back the last move of a person, with the deals and the computer's moves after it."""
        undone: list[Move] = []
        while (move := self.game.undo()) is not None:
            undone.append(move)
            turn = self.position.turn
            if not isinstance(move, Replenish) and turn is not None and turn not in self.thinkers:
                break
        if not undone:
            raise QuiltworkError("There is nothing to take back.")
        self.tell(f"Taken back: {' '.join(map(str, reversed(undone)))}")
        self.show()

    def redo(self) -> None:
        move = self.game.redo()
        if move is None:
            raise QuiltworkError("There is nothing to play again.")
        self.tell(f"Played again: {move}")
        self.show()

    def save(self, name: str) -> None:
        if not name:
            raise QuiltworkError("save needs a file name, such as `save mine.quilt`.")
        path = Path(name).expanduser()
        if path.exists() and self.ask(f"{path} exists. Write over it? [y/N] ").strip().lower() not in ("y", "yes"):
            self.tell("Not saved.")
            return
        storage.write(self.game, path)
        self.tell(f"Saved as {path}; `quiltwork terminal --load {path}` goes on with it.")

    def resign(self) -> bool:
        loser = self.position.turn
        assert loser is not None
        if self.ask(f"{self.name(loser)} gives up? [y/N] ").strip().lower() not in ("y", "yes"):
            return True
        self.game.truncate()
        self.game.tags["Termination"] = "resign"
        self.game.tags["Winner"] = str(int(loser.opponent))
        return True

    def farewell(self) -> None:
        outcome = self.position.outcome()
        if outcome is None:
            winner = Player(int(self.game.tags["Winner"]))
            self.tell(f"{self.name(winner.opponent)} gave up: {self.name(winner)} wins.")
            return
        self.tell(self.scores())
        tie = " by reaching the last space first" if outcome.by_tie_break else ""
        self.tell(f"{self.name(outcome.winner)} wins{tie}!")

    # The screen

    def name(self, player: Player) -> str:
        return self.names[player - 1]

    def show(self) -> None:
        outcome = self.position.outcome()
        self.tell(
            "\n"
            + position_text(
                self.position.setup,
                self.theme,
                self.colour,
                self.width,
                names=self.names,
                winner=outcome.winner if outcome else None,
            )
        )

    def scores(self) -> str:
        lines = []
        words = self.theme.words_in("en").button
        for player in Player:
            score = self.position.score(player)
            tile = f" + {score.tile} for the special tile" if score.tile else ""
            lines.append(
                f"{self.name(player)}: {score.buttons} {words.one if score.buttons == 1 else words.many}{tile} "
                f"- {-score.empty_points} for {score.empty_spaces} empty spaces = {score.total}"
            )
        return "\n".join(lines)
