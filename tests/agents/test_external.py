"""Other programs as agents: what they do wrong is told as what it was, and never hurts us."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from quiltwork import Advance, Position
from quiltwork.agents import Limits, agent_of, external
from quiltwork.agents.external import AgentFault, Fault

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
        ("garbage", Fault.GARBAGE, "expected a JSON object, found 'hello, I am a bot'"),
        ("list", Fault.GARBAGE, "expected a JSON object, found list"),
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


def test_a_program_that_does_not_exist_is_a_crash() -> None:
    with pytest.raises(AgentFault, match="crash: it cannot be started"):
        agent_of("cmd:./no-such-bot").think(START, Limits(seconds=0.1))


def test_after_a_fault_the_program_is_started_anew() -> None:
    agent = agent_of(f"{BOT} crash")
    for _ in range(2):
        with pytest.raises(AgentFault, match="exit code 3"):
            agent.think(START, Limits(seconds=0.1))


def test_a_fault_travels_between_processes() -> None:
    fault = AgentFault("./bot", Fault.HANG, "no answer in time")
    copy = pickle.loads(pickle.dumps(fault))
    assert (str(copy), copy.fault) == (str(fault), Fault.HANG)
