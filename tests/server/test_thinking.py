"""Who is thought for first, how much may wait, and how long it takes."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from quiltwork.server.answers import Refusal
from quiltwork.server.app import create_app
from quiltwork.server.cluster.jobs import Job, JobKind, Limits, MemoryJobs
from quiltwork.server.engine import Engine, EngineFailure
from quiltwork.server.settings import Settings
from quiltwork.server.table import Table
from server.conftest import Seat, bearer, create, run

PIN = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]


def job(game: str, visitor: str, people: bool = True) -> Job:
    return Job(game, 1, JobKind.MOVE, visitor, people)


def order_of(*waiting: Job, workers: int = 1) -> list[str]:
    """The games in the order in which a free worker takes their jobs."""

    async def take() -> list[str]:
        jobs = MemoryJobs(Limits(100, 100), workers)
        for each in waiting:
            await jobs.put(each)
        return [(await jobs.take()).game for _ in waiting]

    return run(take())


def test_people_are_thought_for_before_computers_that_play_each_other() -> None:
    computers = [job(f"computers {n}", "ann", people=False) for n in range(5)]
    assert order_of(*computers, job("person", "bob"))[0] == "person"


def test_who_has_many_games_does_not_keep_others_waiting() -> None:
    many = [job(f"many {n}", "ann") for n in range(5)]
    assert order_of(*many, job("one", "bob"), job("other", "eve")).index("other") == 2


def test_who_comes_later_does_not_go_before_all_who_wait() -> None:
    async def take() -> list[str]:
        jobs = MemoryJobs(Limits(100, 100), 1)
        for each in [job(f"ann {n}", "ann") for n in range(4)]:
            await jobs.put(each)
        first = [(await jobs.take()).game for _ in range(2)]
        for each in [job(f"bob {n}", "bob") for n in range(4)]:
            await jobs.put(each)
        return first + [(await jobs.take()).game for _ in range(6)]

    assert run(take()) == ["ann 0", "ann 1", "ann 2", "bob 0", "ann 3", "bob 1", "bob 2", "bob 3"]


def test_a_job_is_wanted_once_and_told_how_long_it_waits() -> None:
    async def wait() -> tuple[int, float, float]:
        jobs = MemoryJobs(Limits(100, 100), 2)
        for each in (job("a", "ann"), job("a", "ann"), job("b", "bob"), job("c", "eve")):
            await jobs.put(each)
        for _ in range(200):
            jobs.note(2.0)
        return jobs.waiting, await jobs.wait_of(job("c", "eve").key), await jobs.wait_of("nothing")

    waiting, seconds, none = run(wait())
    assert (waiting, none) == (3, 0.0)
    assert seconds == pytest.approx(3 * 2.0 / 2)


@pytest.mark.parametrize(("limits", "visitors"), [(Limits(3, 100), "abcd"), (Limits(100, 3), "aaaa")])
def test_more_than_may_wait_is_refused_with_the_time_to_come_back(limits: Limits, visitors: str) -> None:
    async def put() -> None:
        jobs = MemoryJobs(limits, 1)
        for number, visitor in enumerate(visitors):
            await jobs.put(job(str(number), visitor))

    with pytest.raises(Refusal) as refused:
        run(put())
    assert refused.value.code == "busy"
    assert refused.value.retry is not None


def test_a_job_that_rests_is_put_but_once_and_tried_again() -> None:
    async def rest() -> tuple[int, int, int]:
        jobs = MemoryJobs(Limits(100, 100), 1)
        await jobs.put(job("a", "ann"))
        resting = asyncio.create_task(jobs.put_back(await jobs.take(), tried=False))
        await asyncio.sleep(0)
        await jobs.put(job("a", "ann"))
        waiting = jobs.waiting
        await resting
        again = await jobs.take()
        await jobs.finish(again)
        return waiting, jobs.waiting, again.attempts

    assert run(rest()) == (1, 0, 1)


def test_no_job_is_lost_where_playing_it_fails(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    play, failures = Table.play, iter([RuntimeError("the table broke")])

    async def fails_once(table: Table, version: int, move: str) -> bool:
        if (failure := next(failures, None)) is not None:
            raise failure
        return await play(table, version, move)

    monkeypatch.setattr(Table, "play", fails_once)
    assert answer_of_the_computer(settings)[0]["player"] == 2


def test_the_computer_is_asked_again_where_asking_fails(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, failures = MemoryJobs.put, iter([RuntimeError("the queue broke")])

    async def fails_once(jobs: MemoryJobs, wanted: Job) -> None:
        if (failure := next(failures, None)) is not None:
            raise failure
        await put(jobs, wanted)

    monkeypatch.setattr(MemoryJobs, "put", fails_once)
    assert answer_of_the_computer(settings)[0]["player"] == 2


def answer_of_the_computer(settings: Settings) -> list[dict[str, Any]]:
    """What the easiest computer moves after a first move."""
    with TestClient(create_app(settings)) as client:
        made = create(client, seats=PIN)
        with client.websocket_connect("/ws") as socket:
            ann = Seat(socket, made["token"])
            ann.move("+1")
            deadline = time.monotonic() + 30
            moves: list[dict[str, Any]] = []
            while len(moves) < 2:
                moves = client.get("/api/game", headers=bearer(made["token"])).json()["moves"]
                assert time.monotonic() < deadline, "the computer did not move"
                time.sleep(0.1)
            return moves[1:]


def test_a_hint_that_cannot_be_had_says_to_ask_again(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise EngineFailure("no answer")

    async def never(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(Engine, "advise", fail)
    failed = refused_hint(settings)
    assert (failed["code"], failed["message"]) == (
        "engine-failed",
        "The engine did not answer; ask again in a moment.",
    )
    busy = refused_hint(replace(settings, engine_share=0))
    monkeypatch.setattr(MemoryJobs, "ask", never)
    late = refused_hint(settings)
    for refused in (busy, late):
        assert (refused["code"], refused["message"]) == ("busy", "The engine is busy; ask again in a moment.")
    # The page would take that for a server that is away, and send the message again by itself.
    assert not any("retry" in refused for refused in (failed, busy, late))


def refused_hint(settings: Settings) -> dict[str, Any]:
    with TestClient(create_app(settings)) as client:
        made = create(client, seats=PIN)
        with client.websocket_connect("/ws") as socket:
            return Seat(socket, made["token"]).send("hint")


def test_a_long_wait_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_jobs: MemoryJobs) -> Job:
        await asyncio.Event().wait()
        raise AssertionError

    async def long(_jobs: MemoryJobs, _key: str) -> float:
        return 12.3

    monkeypatch.setattr(MemoryJobs, "take", never)
    monkeypatch.setattr(MemoryJobs, "wait_of", long)
    with TestClient(create_app(replace(settings))) as client:
        made = create(client, seats=PIN)
        with client.websocket_connect("/ws") as socket:
            ann = Seat(socket, made["token"])
            ann.move("+1")
            assert ann.until("wait")["seconds"] == 12.3
