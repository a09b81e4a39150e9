"""Other programs as agents: what they do wrong is told as what it was, and never hurts us."""

from __future__ import annotations

import pickle
import sys
import time
from pathlib import Path

import pytest

from quiltwork import Advance, Position
from quiltwork.agents import Limits, agent_of
from quiltwork.programs import external, program
from quiltwork.programs.external import ExternalAgent
from quiltwork.programs.program import AgentFault, CannotStart, Fault, Program

BOT = f"cmd:{sys.executable} {Path(__file__).parent / 'bots.py'}"
START = Position.initial("patchwork", deal=1)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "GRACE_SECONDS", 1.0)


@pytest.mark.parametrize("kind", ["good", "late"])
def test_a_good_bot_plays(kind: str) -> None:
    agent = agent_of(f"{BOT} {kind}")
    assert agent.think(START, Limits(seconds=0.1)).best.move == Advance(1)
    assert agent.think(START, Limits(simulations=5)).best.move == Advance(1)
    agent.close()


@pytest.mark.parametrize(
    ("kind", "fault", "sentence"),
    [
        ("crash", Fault.CRASH, "it ended with exit code 3"),
        ("garbage", Fault.GARBAGE, "expected one JSON object a line, found 'hello, I am a bot'"),
        ("list", Fault.GARBAGE, "expected a JSON object, found a list"),
        ("illegal", Fault.ILLEGAL_MOVE, "9z"),
        ("empty", Fault.GARBAGE, "its answer has no moves[0].move"),
        ("refuse", Fault.REFUSAL, "I do not like this"),
        ("flood", Fault.FLOOD, "a line of more than 1,000,000 bytes"),
        ("chatter", Fault.FLOOD, "more than 10,000 lines without an answer"),
    ],
)
def test_a_bad_bot_is_told_as_what_it_did(kind: str, fault: Fault, sentence: str) -> None:
    agent = agent_of(f"{BOT} {kind}")
    with pytest.raises(AgentFault) as caught:
        agent.think(START, Limits(seconds=0.1))
    assert caught.value.fault is fault
    assert sentence in caught.value.sentence


def test_a_bot_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "START_SECONDS", 1.0)
    with pytest.raises(AgentFault, match="hang: no answer in time"):
        agent_of(f"{BOT} hang").think(START, Limits(seconds=0.1))


def test_a_program_that_does_not_exist_cannot_be_started() -> None:
    with pytest.raises(CannotStart, match="no-such-bot: cannot be started: No such file"):
        agent_of("cmd:./no-such-bot").think(START, Limits(seconds=0.1))


def test_a_program_that_ends_unasked_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "SETTLE_SECONDS", 10.0)
    with pytest.raises(
        CannotStart, match=r"exit code 2 before it was asked; its stderr ends with .*can't open file"
    ):
        Program("python no-such-file.py", [sys.executable, "no-such-file.py"]).settle()


def test_the_stderr_of_a_bot_is_kept_and_its_last_line_quoted() -> None:
    agent = ExternalAgent(f"{BOT} complain".removeprefix("cmd:"))
    with pytest.raises(AgentFault, match="exit code 1; its stderr ends with 'ValueError: I cannot go on'"):
        agent.think(START, Limits(seconds=0.1))
    assert agent.stderr.startswith("thinking hard\nTraceback")


def test_a_bot_tells_several_lines_and_what_is_wrong_in_them_is_left_out() -> None:
    agent = agent_of(f"{BOT} lines")
    analysis = agent.think(START, Limits(simulations=5, lines=3))
    agent.close()
    assert [str(ranked.move) for ranked in analysis.moves] == ["+1", str(START.legal_moves()[1])]
    assert (analysis.best.win, analysis.best.points, analysis.simulations) == (0.75, 3.5, 42)
    assert [str(move) for move in analysis.best.line] == ["+1", "+2"]


def test_after_a_fault_the_program_is_started_anew() -> None:
    agent = agent_of(f"{BOT} crash")
    for _ in range(2):
        with pytest.raises(AgentFault, match="exit code 3"):
            agent.think(START, Limits(seconds=0.1))


def test_a_fault_travels_between_processes() -> None:
    fault = AgentFault("./bot", Fault.HANG, "no answer in time")
    copy = pickle.loads(pickle.dumps(fault))
    assert (str(copy), copy.fault) == (str(fault), Fault.HANG)


def test_what_a_program_wrote_before_it_ended_is_read_though_nothing_can_be_written_to_it() -> None:
    program = Program("bot", [sys.executable, "-c", "print('HELLO')"])
    program._popen.wait(30)
    program.write("a request")
    assert program.read(time.monotonic() + 30) == b"HELLO"
    with pytest.raises(AgentFault, match="crash: it ended with exit code 0"):
        program.read(time.monotonic() + 30)
    program.end()
