"""Two processes serve the same games: what one stores the other tells, and what one leaves the other takes up."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed

from quiltwork import QuiltworkError
from quiltwork.agents.warm import STRONG
from quiltwork.server.answers import Refusal
from quiltwork.server.app import create_app
from quiltwork.server.cluster.jobs import Job, JobKind
from quiltwork.server.engine import Engine
from quiltwork.server.holding import hold
from quiltwork.server.run import run as serve
from quiltwork.server.settings import Role, Settings
from server.conftest import Seat, bearer, create, new_key
from server.postgres import cluster, frozen, new_database
from server.process import Process, until

COMPUTER = [{"kind": "human"}, {"kind": "computer", "opponent": "pin"}]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with cluster() as url:
        yield url


@pytest.fixture
def shared(server: str, settings: Settings) -> Settings:
    return replace(settings, database_url=new_database(server), storage_timeout=5.0)


@pytest.fixture
def pair(shared: Settings) -> Iterator[tuple[TestClient, TestClient]]:
    """Two processes for pages, of which none thinks."""
    web = replace(shared, role=Role.WEB)
    with TestClient(create_app(web)) as one, TestClient(create_app(web)) as two:
        yield one, two


def soon(true: Callable[[], Any], seconds: float = 20.0) -> None:
    """Waits until something is true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def moves(client: TestClient, token: str) -> list[str]:
    return [step["move"] for step in client.get("/api/game", headers=bearer(token)).json()["moves"]]


def test_two_players_of_one_game_may_sit_at_different_processes(pair: tuple[TestClient, TestClient]) -> None:
    one, two = pair
    made = create(one)
    with one.websocket_connect("/ws") as here, two.websocket_connect("/ws") as there:
        ann, bob = Seat(here, made["token"]), Seat(there, made["invite"])
        while not (ann.seats and ann.seats[1]["online"]):
            ann.until("presence")
        assert ann.move("+1")["type"] == "done"
        bob.until("state")
        assert [step["move"] for step in bob.state["moves"]] == ["+1"]
        assert bob.move("+2")["type"] == "done"
        ann.until("state")
        ann.send("takeback")
        bob.until("state")
        assert bob.state["request"] == {"player": 1, "what": "takeback"}
        assert bob.send("accept")["type"] == "done"
        ann.until("state")
        assert ann.state["position"].split()[2] == "0/5/-"
        bob.send("resign")
        ann.until("state")
        ann.send("rematch")
        bob.until("state")
        bob.send("rematch")
        while not ann.state["rematch"]:
            ann.until("state")
        assert ann.state["rematch"].split(".")[0] == bob.state["rematch"].split(".")[0]
    assert moves(one, ann.state["rematch"]) == moves(two, bob.state["rematch"]) == []


def test_who_goes_is_seen_elsewhere(pair: tuple[TestClient, TestClient]) -> None:
    one, two = pair
    made = create(one)
    with one.websocket_connect("/ws") as here:
        ann = Seat(here, made["token"])
        with two.websocket_connect("/ws") as there:
            Seat(there, made["invite"])
            while not (ann.seats and ann.seats[1]["online"]):
                ann.until("presence")
        while ann.seats[1]["online"] or not ann.seats[1]["joined"]:
            ann.until("presence")


def test_the_same_message_at_both_processes_counts_once(pair: tuple[TestClient, TestClient]) -> None:
    made = create(pair[0])
    seat = {**bearer(made["token"]), "Idempotency-Key": "the-same-key"}
    for client in pair:
        view = client.get("/api/game", headers=bearer(made["token"])).json()
        assert view["version"] == (0 if client is pair[0] else 1)
        done = client.post("/api/game/moves", json={"version": 0, "move": "+1"}, headers=seat)
        assert done.json() == {"version": 1}
    assert [moves(client, made["token"]) for client in pair] == [["+1"], ["+1"]]


def test_of_two_messages_at_once_the_second_is_stale(pair: tuple[TestClient, TestClient]) -> None:
    one, two = pair
    made = create(one, shared=True, seats=[{"kind": "human"}, {"kind": "human"}])
    hall = two.app.state.hall  # type: ignore[attr-defined]
    assert moves(two, made["token"]) == []
    # As if the news were still on its way.
    hall.cluster._hear = lambda payload: None
    for client, status in ((one, 200), (two, 409)):
        seat = {**bearer(made["token"]), "Idempotency-Key": new_key()}
        table = hall._tables[made["game"]]
        assert table.state.version == 0
        answer = client.post("/api/game/moves", json={"version": 0, "move": "+1"}, headers=seat)
        assert answer.status_code == status
    assert moves(two, made["token"]) == ["+1"]


def test_a_clock_that_runs_does_not_begin_anew_at_another_process(pair: tuple[TestClient, TestClient]) -> None:
    one, two = pair
    made = create(one, clock={"kind": "live", "seconds": 60})
    with one.websocket_connect("/ws") as here:
        ann = Seat(here, made["token"])
        ann.move("+1")
        time.sleep(1.0)
        with two.websocket_connect("/ws") as there:
            bob = Seat(there, made["invite"])
            assert bob.state["clock"]["running"] == 2
            assert bob.state["clock"]["remaining"][1] < 59.2


def test_news_that_was_missed_is_read_later(pair: tuple[TestClient, TestClient]) -> None:
    one, two = pair
    made = create(one)
    with two.websocket_connect("/ws") as there:
        bob = Seat(there, made["invite"])
        away = two.app.state.hall.cluster  # type: ignore[attr-defined]
        hear, away._hear = away._hear, lambda payload: None
        with one.websocket_connect("/ws") as here:
            assert Seat(here, made["token"]).move("+1")["type"] == "done"
        time.sleep(0.5)
        away._hear = hear
        two.portal.call(_look, away)  # type: ignore[union-attr]
        bob.until("state")
        assert [step["move"] for step in bob.state["moves"]] == ["+1"]


async def _look(process: Any) -> None:
    process._look_everywhere()


def test_limits_hold_for_all_processes_together(shared: Settings) -> None:
    few = replace(shared, games_per_minute=3, role=Role.WEB)
    body = {"seats": [{"kind": "human"}, {"kind": "human", "remote": True}]}
    with TestClient(create_app(few)) as one, TestClient(create_app(few)) as two:
        codes = [client.post("/api/games", json=body).status_code for client in (one, two, one, two)]
    assert codes == [201, 201, 201, 429]


def test_records_and_jobs_are_limited_for_all_processes_together(shared: Settings) -> None:
    few = replace(shared, records_per_minute=3, engine_share=2, role=Role.WEB)
    record = '[Edition "patchwork"]\n[Deal "1"]\n\n1: +1'
    with TestClient(create_app(few)) as one, TestClient(create_app(few)) as two:
        clients = (one, two, one, two)
        read = [client.post("/api/records", json={"record": record}).status_code for client in clients]
        kept = [
            waits(client, Job(f"game {number}", 1, JobKind.MOVE, "ann")) for number, client in enumerate(clients)
        ]
    assert read == [200, 200, 200, 429]
    assert kept == [True, True, False, False]


def waits(client: TestClient, job: Job) -> bool:
    """Whether a job is taken into the queue."""
    jobs = client.app.state.hall.cluster.jobs  # type: ignore[attr-defined]
    try:
        client.portal.call(jobs.put, job)  # type: ignore[union-attr]
    except Refusal as refusal:
        return refusal.code != "busy"
    return True


def test_all_processes_together_think_for_people_first_and_for_each_visitor_alike(
    pair: tuple[TestClient, TestClient],
) -> None:
    one, two = pair
    for number in range(3):
        assert waits(one, Job(f"show {number}", 1, JobKind.MOVE, "eve", people=False))
        assert waits(two, Job(f"ann {number}", 1, JobKind.MOVE, "ann"))
    assert waits(one, Job("bob", 1, JobKind.MOVE, "bob"))
    taken = []
    for number in range(7):
        jobs = pair[number % 2].app.state.hall.cluster.jobs  # type: ignore[attr-defined]
        taken.append(pair[number % 2].portal.call(jobs.take))  # type: ignore[union-attr]
    assert [job.game for job in taken] == ["ann 0", "bob", "ann 1", "ann 2", "show 0", "show 1", "show 2"]
    assert all(0 < job.waited < 600 for job in taken)


def test_spectators_are_counted_over_all_processes(pair: tuple[TestClient, TestClient]) -> None:
    one, two = pair
    made = create(one)
    with one.websocket_connect("/ws") as here, two.websocket_connect("/ws") as there:
        eve = Seat(here, made["watch"])
        Seat(there, made["watch"])
        while eve.until("presence")["watchers"] < 2:
            pass
        text = one.get("/metrics").text
    assert "quiltwork_connections_open 1\n" in text


def test_how_old_news_of_other_processes_is_gets_counted(pair: tuple[TestClient, TestClient]) -> None:
    one, two = pair
    made = create(one)
    with one.websocket_connect("/ws") as here, two.websocket_connect("/ws") as there:
        ann, bob = Seat(here, made["token"]), Seat(there, made["watch"])
        ann.move("+1")
        bob.until("state")
        soon(lambda: "quiltwork_news_seconds_count 1\n" in two.get("/metrics").text)


def test_an_engine_elsewhere_plays_and_advises(shared: Settings) -> None:
    with ExitStack() as stack:
        web = stack.enter_context(TestClient(create_app(replace(shared, role=Role.WEB))))
        made = create(web, seats=COMPUTER)
        socket = stack.enter_context(web.websocket_connect("/ws"))
        ann = Seat(socket, made["token"])
        ann.move("+1")
        engine = stack.enter_context(TestClient(create_app(replace(shared, role=Role.ENGINE))))
        while ann.state["options"] is None:
            ann.until("state")
        assert [step["player"] for step in ann.state["moves"]].count(2) >= 1
        assert ann.send("hint")["hint"]["sure"]
        assert (engine.get("/health").status_code, engine.get("/api/about").status_code) == (200, 404)


def test_the_job_of_a_dead_engine_is_taken_up(shared: Settings) -> None:
    with ExitStack() as stack:
        web = stack.enter_context(TestClient(create_app(replace(shared, role=Role.WEB))))
        made = create(web, seats=COMPUTER)
        ann = Seat(stack.enter_context(web.websocket_connect("/ws")), made["token"])
        ann.move("+1")
        jobs = web.app.state.hall.cluster.jobs  # type: ignore[attr-defined]
        job: Job = web.portal.call(jobs.take)  # type: ignore[union-attr]
        assert (job.game, job.kind) == (made["game"], JobKind.MOVE)
        # Nobody renews the lease.
        jobs._mine.clear()
        stack.enter_context(TestClient(create_app(replace(shared, role=Role.ENGINE))))
        started = time.monotonic()
        while ann.state["options"] is None:
            ann.until("state")
        assert time.monotonic() - started < 60


def test_an_engine_that_is_not_warm_plays_what_it_can_and_leaves_the_rest_to_others(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm = threading.Event()

    async def warm_up(engine: Engine, stage: str, _opponents: object) -> None:
        while stage == STRONG and not warm.is_set():
            await asyncio.sleep(0.02)
        engine.cold.discard(stage)

    monkeypatch.setattr(Engine, "warm_up", warm_up)
    with ExitStack() as stack:
        web = stack.enter_context(TestClient(create_app(replace(shared, role=Role.WEB))))
        cold = replace(shared, role=Role.ENGINE, engine_warm_up=True)
        engine = stack.enter_context(TestClient(create_app(cold)))
        hard, easy = (
            Seat(stack.enter_context(web.websocket_connect("/ws")), create(web, seats=seats)["token"])
            for seats in ([{"kind": "human"}, {"kind": "computer", "opponent": "bobbin"}], COMPUTER)
        )
        hard.move("+1")
        easy.move("+1")
        while easy.state["options"] is None:
            easy.until("state")
        jobs = web.app.state.hall.cluster.jobs  # type: ignore[attr-defined]

        async def take() -> Job:
            job: Job = await asyncio.wait_for(jobs.take(), 10)
            await jobs.put_back(job, tried=False)
            return job

        job = web.portal.call(take)  # type: ignore[union-attr]
        assert (job.game, job.attempts) == (hard.state["game"], 1)
        ready = engine.get("/ready")
        assert (ready.status_code, ready.json()) == (503, {"status": "warming"})
        warm.set()
        while hard.state["options"] is None:
            hard.until("state")
        assert engine.get("/ready").status_code == 200


def test_a_flag_falls_though_the_process_of_the_player_to_move_has_died(shared: Settings, tmp_path: Path) -> None:
    one, two = (Process(tmp_path / name, shared.database_url, role="web") for name in ("one", "two"))
    try:
        made = one.create(clock={"kind": "live", "seconds": 10})
        with one.sit(made["token"]) as ann, two.sit(made["invite"]) as bob:
            version = until(ann, "state")["version"]
            until(bob, "state")
            ann.send(json.dumps({"type": "move", "version": version, "key": new_key(), "move": "+1"}))
            while (state := until(bob, "state"))["clock"]["running"] != 2:
                pass
            two.kill()
            while state["result"] is None:
                state = until(ann, "state")
        assert (state["result"]["winner"], state["result"]["by"]) == (1, "time")
    finally:
        one.kill()
        two.kill()


def test_after_a_freeze_the_clock_begins_anew_and_the_next_move_counts(shared: Settings) -> None:
    with TestClient(create_app(replace(shared, role=Role.WEB))) as client:
        made = create(client, clock={"kind": "live", "seconds": 10})
        with client.websocket_connect("/ws") as one, client.websocket_connect("/ws") as two:
            ann, bob = Seat(one, made["token"]), Seat(two, made["invite"])
            ann.move("+1")
            with frozen(shared.database_url):
                time.sleep(8.0)
            time.sleep(3.5)
            bob.until("state")
            bob.until("state")
            assert bob.state["result"] is None
            assert bob.move("+2")["type"] == "done"


def test_a_server_that_is_told_to_end_sends_its_pages_to_another(shared: Settings, tmp_path: Path) -> None:
    one, two = (Process(tmp_path / name, shared.database_url, role="web") for name in ("one", "two"))
    try:
        made = one.create()
        with one.sit(made["token"]) as ann, two.sit(made["invite"]) as bob:
            until(bob, "state")
            until(ann, "state")
            version = until(ann, "state")["version"]
            message = {"type": "move", "version": version, "key": new_key(), "move": "+1"}
            ann.send(json.dumps(message))
            status = one.end()
            with pytest.raises(ConnectionClosed) as closed:
                until(ann, "nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
            with two.sit(made["token"]) as again:
                until(again, "state")
                again.send(json.dumps(message))
                assert until(again, "done")["version"] == version + 1
            assert [step["move"] for step in until(bob, "state")["moves"]] == ["+1"]
        assert status in (0, -signal.SIGTERM)
        assert "Traceback" not in one.log.read_text()
    finally:
        one.kill()
        two.kill()


def test_a_server_that_is_told_to_end_serves_until_proxies_know(shared: Settings, tmp_path: Path) -> None:
    process = Process(tmp_path, shared.database_url, role="web", drain=600.0)
    try:
        process.ask_to_end()
        soon(lambda: process.ask("/ready") == (503, {"status": "leaving"}))
        made = process.create()
        with process.sit(made["token"]) as ann:
            until(ann, "state")
            # Asked once more it does not wait.
            process.ask_to_end()
            with pytest.raises(ConnectionClosed) as closed:
                until(ann, "nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    finally:
        process.kill()


def test_a_second_server_on_the_same_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    held = hold(url, "http://127.0.0.1:1/")
    assert held is not None
    other_name = tmp_path / "link.sqlite3"
    other_name.symlink_to(tmp_path / "games.sqlite3")
    for same in (url, f"sqlite:///{other_name}"):
        with pytest.raises(QuiltworkError, match=r"served already, at http://127\.0\.0\.1:1/"):
            serve(Settings(port=0, database_url=same))
    held.close()
    again = hold(url, "")
    assert again is not None
    again.close()


def test_a_role_needs_postgresql(tmp_path: Path) -> None:
    with pytest.raises(QuiltworkError, match="PostgreSQL"):
        serve(Settings(port=0, database_url=f"sqlite:///{tmp_path / 'games.sqlite3'}", role=Role.ENGINE))


def test_shutting_down_hands_jobs_and_seats_to_the_others(
    pair: tuple[TestClient, TestClient], shared: Settings
) -> None:
    with TestClient(create_app(replace(shared, role=Role.WEB))) as third:
        made = create(third, seats=COMPUTER)
        with third.websocket_connect("/ws") as socket:
            Seat(socket, made["token"]).move("+1")
            jobs = third.app.state.hall.cluster.jobs  # type: ignore[attr-defined]
            third.portal.call(jobs.take)  # type: ignore[union-attr]
    started = time.monotonic()

    async def take() -> Job:
        return await asyncio.wait_for(pair[0].app.state.hall.cluster.jobs.take(), 4)  # type: ignore[attr-defined]

    assert pair[0].portal.call(take).game == made["game"]  # type: ignore[union-attr]
    assert time.monotonic() - started < 2
