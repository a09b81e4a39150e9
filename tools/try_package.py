"""Builds wheel and sdist, installs the wheel into a new environment outside the tree, and plays through it.

    python tools/try_package.py

A game over HTTP against `level:3`, one in the terminal, and the analysis of a position. The sdist must hold every
file that git has, so that its own tests run. Ends with status 1 and a sentence at the first thing that fails.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from quiltwork import Game, Player, Position

ROOT = Path(__file__).resolve().parent.parent
NOT_IN_SDIST = re.compile(r"^(\.ci/|\.github/|\.gitignore|\.pre-commit-config\.yaml)")


class Failed(Exception):
    """Something that a user of the package would meet."""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="quiltwork-package-") as folder:
        home = Path(folder)
        try:
            wheel, sdist = build(home / "dist")
            compare_with_git(sdist)
            check_description(sdist)
            quiltwork = install(wheel, home / "venv")
            print(f"{wheel.name}: {wheel.stat().st_size // 1024} KB, installed in a new environment")
            analyse(quiltwork, home)
            play_in_terminal(quiltwork, home)
            play_over_http(quiltwork, home)
        except Failed as failure:
            print(f"package: {failure}", file=sys.stderr)
            return 1
    return 0


def build(dist: Path) -> tuple[Path, Path]:
    run([sys.executable, "-m", "hatchling", "build", "-d", str(dist)], ROOT)
    return next(dist.glob("*.whl")), next(dist.glob("*.tar.gz"))


def compare_with_git(sdist: Path) -> None:
    if not (ROOT / ".git").exists():
        return
    tracked = run(["git", "ls-files"], ROOT).splitlines()
    wanted = {file for file in tracked if not NOT_IN_SDIST.match(file) and (ROOT / file).is_file()}
    with tarfile.open(sdist) as archive:
        packed = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    if missing := sorted(wanted - packed):
        raise Failed(f"the sdist lacks {len(missing)} files of the repository: {', '.join(missing[:5])} ...")


def check_description(sdist: Path) -> None:
    """What a package index shows has no link or picture that leads nowhere there."""
    with tarfile.open(sdist) as archive:
        name = next(name for name in archive.getnames() if name.endswith("/PKG-INFO"))
        member = archive.extractfile(name)
        text = member.read().decode() if member else ""
    if broken := re.findall(r"\]\((?!https?:|#)[^)]*\)", text):
        raise Failed(f"the description of the package has relative links: {', '.join(broken[:5])}")


def install(wheel: Path, folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(binaries / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--require-hashes", "-r", str(ROOT / "requirements" / "base.txt")], folder)
    run([*pip, "--no-deps", str(wheel)], folder)
    return binaries / "quiltwork"


def analyse(quiltwork: Path, home: Path) -> None:
    position = run([str(quiltwork), "new", "--deal", "7"], home).strip()
    told = run([str(quiltwork), "analyse", position, "--simulations", "200"], home)
    if not told.strip():
        raise Failed("`analyse` said nothing about the start of a game")
    print("analyse: a position is analysed")


def play_in_terminal(quiltwork: Path, home: Path) -> None:
    """Two people, whose moves are known beforehand, so that they can be typed in one go."""
    game, rng = Game.new("patchwork", deal=7), random.Random(7)
    moves = []
    while game.position.turn is not None:
        moves.append(str(rng.choice(game.position.legal_moves())))
        game.play(moves[-1])
    command = [str(quiltwork), "terminal", "--new", "--deal", "7", "--quick"]
    told = run(command, home, "\n".join([*moves, "quit", ""]))
    for player in Player:
        if str(abs(game.position.score(player).total)) not in told[-3000:]:
            raise Failed(f"the game in the terminal did not end as it should; its last lines:\n{told[-600:]}")
    print(f"terminal: a game of {len(moves)} moves")


def play_over_http(quiltwork: Path, home: Path) -> None:
    log = home / "server.log"
    with log.open("w") as stderr:
        database = f"sqlite:///{home / 'games.db'}"
        command = [str(quiltwork), "serve", "--port", "0", "--database", database]
        server = subprocess.Popen(command, cwd=home, env=environment(home), stderr=stderr)
    try:
        address = wait_for_address(log, server)
        moves = play_game(address)
        print(f"serve: a game of {moves} moves over HTTP against level:3")
    finally:
        server.terminate()
        server.wait(20)


def wait_for_address(log: Path, server: subprocess.Popen[bytes]) -> str:
    for _ in range(1800):
        if found := re.search(r"Quiltwork is at (\S+)", log.read_text(encoding="utf-8")):
            try:
                urlopen(f"{found[1]}health", timeout=5)
                return found[1]
            except (HTTPError, URLError):
                pass
        if server.poll() is not None:
            break
        time.sleep(0.1)
    raise Failed(f"the server did not come up:\n{log.read_text(encoding='utf-8')[-600:]}")


def play_game(address: str) -> int:
    """Takes the first legal move until the game is over; answers how many moves it had."""
    level = next(level for level in ask(address, "/api/about")["opponents"] if level["level"] == 3)
    seats = [{"kind": "human"}, {"kind": "computer", "opponent": level["id"]}]
    token = ask(address, "/api/games", {"edition": "express", "seats": seats})["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    for number in range(10_000):
        state = ask(address, "/api/game", headers=bearer)
        if state["result"]:
            return int(state["moves_from"]) + len(state["moves"])
        if state["turn"] != 1 or not state["options"]:
            time.sleep(0.1)
            continue
        move = str(Position.parse(state["position"]).legal_moves()[0])
        body = {"version": state["version"], "move": move}
        ask(address, "/api/game/moves", body, {**bearer, "Idempotency-Key": f"move-{number:08}"})
    raise Failed("the game over HTTP did not end")


def ask(address: str, path: str, body: dict[str, Any] | None = None, headers: dict[str, str] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(
        f"{address.rstrip('/')}{path}", data, {"Content-Type": "application/json", **(headers or {})}
    )
    try:
        with urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise Failed(f"{path}: {error.code} {error.read().decode()[:300]}") from None


def environment(home: Path) -> dict[str, str]:
    """This one without its Python paths, and with a cache of its own, as on a new machine."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "QUILTWORK"))}
    return {**kept, "QUILTWORK_CACHE_DIR": str(home / "cache"), "XDG_DATA_HOME": str(home / "data")}


def run(command: list[str], folder: Path, text: str = "") -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), input=text, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(
            f"{' '.join(command[:4])} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-800:]}"
        )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
