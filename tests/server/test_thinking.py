"""Who is thought for first, how much may wait, and how long it takes."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from quiltwork.server.answers import Refusal
from quiltwork.server.app import create_app
from quiltwork.server.cluster.jobs import Job, JobKind, Limits, MemoryJobs
from quiltwork.server.settings import Settings
from server.conftest import Seat, create, run


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


def test_a_long_wait_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_jobs: MemoryJobs) -> Job:
        await asyncio.Event().wait()
        raise AssertionError

    async def long(_jobs: MemoryJobs, _key: str) -> float:
        return 12.3

    monkeypatch.setattr(MemoryJobs, "take", never)
    monkeypatch.setattr(MemoryJobs, "wait_of", long)
    with TestClient(create_app(replace(settings))) as client:
        made = create(client, seats=[{"kind": "human"}, {"kind": "computer", "opponent": "pin"}])
        with client.websocket_connect("/ws") as socket:
            ann = Seat(socket, made["token"])
            ann.move("+1")
            assert ann.until("wait")["seconds"] == 12.3
