"""Engines: our agents and other programs through one class, waited for, followed and stopped, with and without asyncio."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from quiltwork import (
    AgentFault,
    Analysis,
    CannotStart,
    Engine,
    EngineTimeout,
    IllegalMove,
    Position,
    QuiltworkError,
)
from quiltwork.programs import external

BOT = f"cmd:{sys.executable} {Path(__file__).parent / 'agents' / 'bots.py'}"
OWN = f"cmd:{sys.executable} -m quiltwork analyse --stdio --threads 1"
START = Position.initial("patchwork", deal=1)
OVER = Position.parse("patchwork - 53!/7/- 53/0/- - 2a")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "GRACE_SECONDS", 2.0)


@pytest.mark.parametrize("name", ["greedy", "level:2", "search", f"{BOT} good"])
def test_our_agents_and_programs_are_swapped_by_name(name: str) -> None:
    with Engine(name) as engine:
        assert engine.choose(START, simulations=50) in START.legal_moves()
        assert engine.analyse(START, simulations=50, only=["+"]).best.move == START.move("+")


def test_the_protocol_of_our_own_program_tells_what_the_agent_tells() -> None:
    with Engine("search", seed=0) as ours, Engine(OWN) as program:
        expected = ours.analyse(START, simulations=200, lines=4)
        program.analyse(START, simulations=1)
        found = program.analyse(START, simulations=200, lines=4)
    assert len(found.moves) == 4
    assert {type(ranked.move) for ranked in found.moves} == {type(ranked.move) for ranked in expected.lines(4)}
    assert all(ranked.line[0] == ranked.move for ranked in found.moves)


@pytest.mark.parametrize("name", ["search", f"{BOT} endless"])
def test_an_infinite_analysis_ends_with_its_block(name: str) -> None:
    with Engine(name) as engine:
        with engine.start(START, infinite=True) as thinking:
            first = next(iter(thinking))
            assert first.partial
            assert not thinking.done
        assert thinking.done
        assert not thinking.result().partial
        assert engine.choose(START, simulations=5) in START.legal_moves()


def test_the_final_analysis_is_the_last_one_of_the_loop() -> None:
    with Engine("search") as engine:
        thinking = engine.start(START, simulations=300)
        told = list(thinking)
    assert told[-1] is thinking.result() is thinking.latest
    assert told[-1].simulations == 300


def test_asyncio_awaits_follows_and_stops() -> None:
    async def play() -> tuple[Analysis, Analysis, Analysis]:
        async with Engine("search") as engine, Engine(f"{BOT} endless") as program:
            one, two = await asyncio.gather(
                engine.start(START, simulations=100), program.start(START, simulations=100)
            )
            async with engine.start(START, infinite=True) as thinking:
                async for analysis in thinking:
                    assert analysis.partial
                    break
            return one, two, await thinking

    one, two, three = asyncio.run(play())
    assert one.simulations == 100
    assert two.best.move == START.move("+")
    assert not three.partial


def test_a_task_that_is_cancelled_stops_the_engine() -> None:
    async def play() -> bool:
        async with Engine("search") as engine:
            thinking = engine.start(START, infinite=True)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(asyncio.shield(thinking._wait()), 0.1)
            waiting = asyncio.ensure_future(thinking._wait())
            await asyncio.sleep(0)
            waiting.cancel()
            return not (await thinking).partial

    assert asyncio.run(play())


def test_a_timeout_ends_a_program_that_hangs_and_the_next_question_starts_it_anew() -> None:
    with Engine(f"{BOT} hang", timeout=0.5) as engine:
        for _ in range(2):
            with pytest.raises(EngineTimeout, match=r"no answer within 0\.5 seconds"):
                engine.analyse(START, simulations=1)


def test_a_timeout_stops_our_own_agent() -> None:
    with Engine("search") as engine:
        with pytest.raises(EngineTimeout):
            engine.analyse(START, seconds=600.0, timeout=0.2)
        assert engine.choose(START, simulations=5) in START.legal_moves()


def test_waiting_for_a_result_may_end_while_the_engine_goes_on() -> None:
    with Engine("search") as engine, engine.start(START, infinite=True) as thinking:
        with pytest.raises(EngineTimeout, match="no final answer within"):
            thinking.result(timeout=0.05)
        assert not thinking.done


def test_what_a_program_wrote_to_its_stderr_is_there_after_its_end() -> None:
    with Engine(f"{BOT} complain") as engine, pytest.raises(AgentFault, match="I cannot go on"):
        engine.analyse(START)
    assert "thinking hard" in engine.stderr


def test_an_error_ends_the_loop() -> None:
    with Engine(f"{BOT} garbage") as engine, pytest.raises(AgentFault, match="garbage"):
        list(engine.start(START, seconds=0.1))


def test_wrong_questions_are_refused_before_anybody_thinks() -> None:
    with Engine("greedy") as engine:
        with pytest.raises(QuiltworkError, match="the game is over"):
            engine.start(OVER)
        with pytest.raises(IllegalMove):
            engine.start(START, only=["2a@a1" if START.circle[0].code != "2a" else "5c@a1"])
        with pytest.raises(QuiltworkError, match="only must be a list of moves, not the text"):
            engine.start(START, only="+")
        with pytest.raises(QuiltworkError, match="lines must be"):
            engine.start(START, lines=0)
        with pytest.raises(QuiltworkError, match="infinite limit"):
            engine.start(START, infinite=True, seconds=1.0)
        with pytest.raises(QuiltworkError, match="timeout must be above 0"):
            engine.start(START, timeout=0)
        with pytest.raises(TypeError, match="expected a Position, found str"):
            engine.start(START.text)  # type: ignore[arg-type]
    with pytest.raises(QuiltworkError, match="is closed"):
        engine.start(START)
    with pytest.raises(CannotStart), Engine("cmd:./no-such-program") as engine:
        engine.analyse(START)


def test_a_program_that_forgets_an_infinite_analysis_can_end() -> None:
    source = (
        "from quiltwork import Engine, Position\n"
        "thinking = Engine('search').start(Position.initial(deal=1), infinite=True)\n"
        "next(iter(thinking))\nprint('end')\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
