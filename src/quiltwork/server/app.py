"""The application: REST, websocket and the page, put together."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import ceil
from time import monotonic
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from quiltwork import QuiltworkError, __version__
from quiltwork.agents.levels import load_levels
from quiltwork.agents.warm import QUICK, STRONG, stage_of
from quiltwork.server.admin.retention import Retention, prune_database
from quiltwork.server.answers import Refusal, Unavailable
from quiltwork.server.api import router
from quiltwork.server.clock import now
from quiltwork.server.cluster import Cluster
from quiltwork.server.cluster.alone import Alone
from quiltwork.server.cluster.shared import Shared
from quiltwork.server.edition_view import themes_css
from quiltwork.server.engine import Engine
from quiltwork.server.hall import Hall
from quiltwork.server.headers import SecurityHeaders, content_security_policy
from quiltwork.server.limits import BodyLimit, Buckets, RequestLimit
from quiltwork.server.metrics import Metrics
from quiltwork.server.page import PageFiles, index_html
from quiltwork.server.preparation import Preparation, WaitForRules
from quiltwork.server.proxies import TrustedProxies, Visitors
from quiltwork.server.settings import Role, Settings
from quiltwork.server.socket import Sockets
from quiltwork.server.store import Store
from quiltwork.server.study import Study
from quiltwork.server.study.api import router as study_router
from quiltwork.server.study.puzzles import router as puzzle_router
from quiltwork.server.thinking import Thinking

Json = dict[str, Any]
LOG = logging.getLogger("quiltwork.server")
_PRUNING = 3600.0
_AWAY = 60.0
"""seconds for which a server that starts waits for its database"""
_LOOK_AGAIN = 1.0
_HERE = ("127.0.0.1", "::1", "testclient")
_LOCAL_NAME = re.compile(r"(127\.0\.0\.1|\[::1\]|localhost|testserver)(:\d+)?")
_OF_PROXIES = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
_PAGES = 50
"""seconds' worth of requests that may come at once: a school class opens the page behind one router"""


def create_app(settings: Settings | None = None, preparation: Preparation | None = None) -> FastAPI:
    """An ASGI application with everything in it; games are in the settings' database."""
    chosen = settings or Settings()
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        hall = await _open_when_reachable(app, chosen, metrics)
        app.state.hall = hall
        store, cluster = hall.store, hall.cluster
        study = app.state.study = Study(chosen, store, hall.editions)
        metrics.gauge("tables_open", lambda: hall.tables_open)
        metrics.gauge("connections_open", lambda: hall.connections_open)
        metrics.gauge("engine_waiting", lambda: cluster.jobs.waiting)
        background = [asyncio.create_task(hall.put_away_forever())]
        if chosen.role is not Role.ENGINE and (chosen.keep_finished or chosen.keep_unfinished):
            background.append(asyncio.create_task(_prune(chosen)))
        if chosen.role is not Role.WEB:
            background.append(asyncio.create_task(_think(app, chosen, hall, metrics, preparation)))
        if chosen.role is not Role.ENGINE and chosen.engine_warm_up:
            background.append(asyncio.create_task(_when_compiled(preparation, study.warm_up)))
        LOG.info("server is up", extra={"database": store.name})
        try:
            yield
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            hall.close()
            await cluster.close()
            await study.close()
            store.close()

    app = FastAPI(
        title="Quiltwork",
        version=__version__,
        summary="The game server of Quiltwork. Games in progress are told over the websocket at /ws.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.behind_proxy = bool(chosen.trust_proxy)
    app.state.leaving = False
    app.state.warming = chosen.role is Role.ENGINE and chosen.engine_warm_up
    app.state.metrics = metrics
    app.state.requests = Buckets(chosen.requests_per_second, 10 * chosen.requests_per_second)
    _answer_refusals(app)
    _add_watching(app, chosen, metrics, preparation)
    if chosen.role is not Role.ENGINE:
        _add_games(app)
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6)
    app.add_middleware(BodyLimit, limit=chosen.body_bytes)
    app.add_middleware(SecurityHeaders, policy=content_security_policy(index_html()))
    if chosen.role is not Role.ENGINE:
        app.add_middleware(Sockets, of_visitor=chosen.connections_per_address)
    if preparation is not None:
        app.add_middleware(WaitForRules, preparation=preparation)
    rate = chosen.files_per_second
    app.add_middleware(RequestLimit, rate=rate, burst=_PAGES * rate, metrics=metrics)
    trusted = TrustedProxies.parse(chosen.trust_proxy) if chosen.trust_proxy else TrustedProxies()
    app.add_middleware(Visitors, trusted=trusted)
    return app


async def _open_when_reachable(app: FastAPI, settings: Settings, metrics: Metrics) -> Hall:
    """Opens the games; waits for a database that is down for a while, or busy."""
    patience = monotonic() + _AWAY
    while True:
        try:
            return await _open(settings, metrics)
        except (OperationalError, Unavailable):
            if app.state.leaving or monotonic() > patience:
                raise
            LOG.warning("the database is not there yet")
            await asyncio.sleep(_LOOK_AGAIN)


async def _open(settings: Settings, metrics: Metrics) -> Hall:
    store = await asyncio.to_thread(Store, settings.resolved_database_url, settings.storage_timeout)
    try:
        cluster: Cluster = Shared(settings, store, metrics) if store.serves_many else Alone(settings, store)
        hall = Hall(settings, store, cluster, metrics)
        await cluster.start(hall)
    except BaseException:
        store.close()
        raise
    return hall


async def _prune(settings: Settings) -> None:
    """Deletes what is kept no longer, now and every hour, until it is cancelled."""
    retention = Retention(settings.keep_finished, settings.keep_unfinished)
    url, kept = settings.resolved_database_url, dict[str, float]()
    while True:
        try:
            deleted = await asyncio.to_thread(prune_database, url, retention, now(), kept)
            LOG.info("old games deleted", extra={"games": deleted})
        except (SQLAlchemyError, QuiltworkError) as error:
            LOG.warning("old games cannot be deleted", extra={"reason": str(error).splitlines()[0]})
        await asyncio.sleep(_PRUNING)


async def _when_compiled(preparation: Preparation | None, work: Callable[[], Awaitable[None]]) -> None:
    if preparation is not None:
        await preparation.reached(STRONG)
    await work()


async def _think(
    app: FastAPI, settings: Settings, hall: Hall, metrics: Metrics, preparation: Preparation | None
) -> None:
    """Thinks for the computer opponents until it is cancelled."""
    engine = Engine(settings.engine_workers, settings.engine_timeout, metrics, preparation)
    thinking = Thinking(hall.cluster.jobs, engine, hall.table, settings.computer_pace, metrics)
    levels = load_levels()
    easy = next(level for level in levels.all.values() if stage_of(level.agent) == QUICK)
    hard = (levels.all[levels.default], levels.all[levels.hint])

    async def load_the_rest() -> None:
        await engine.warm_up(STRONG, hard)
        app.state.warming = False

    try:
        if settings.engine_warm_up and hall.cluster.shared:
            # Others may be warm already: they get what needs more than is loaded here.
            engine.cold = {QUICK, STRONG}
            await engine.warm_up(QUICK, [easy])
        async with asyncio.TaskGroup() as group:
            group.create_task(thinking.serve())
            if settings.engine_warm_up:
                group.create_task(load_the_rest())
    finally:
        thinking.close()
        engine.close()


def _add_watching(app: FastAPI, settings: Settings, metrics: Metrics, preparation: Preparation | None) -> None:
    """What those ask who look after a server."""

    @app.get("/health", summary="Whether the server is alive")
    async def health() -> Json:
        return {"status": "ok", "version": __version__}

    @app.get("/ready", summary="Whether moves can be stored", responses={503: {}})
    async def ready() -> JSONResponse:
        if app.state.leaving:
            return JSONResponse({"status": "leaving"}, 503)
        if app.state.warming:
            return JSONResponse({"status": "warming"}, 503)
        works = await app.state.hall.cluster.is_ready()
        return JSONResponse({"status": "ready" if works else "storage"}, 200 if works else 503)

    @app.get("/api/preparation", summary="How far compiling on a new machine is; the stage is null at the end")
    async def get_preparation() -> Json:
        return preparation.progress if preparation else {"stage": None, "done": 0, "total": 0}

    text = {"content": {"text/plain": {"schema": {"type": "string"}}}}

    @app.get(
        "/metrics",
        summary="Counters in the Prometheus text format",
        response_class=Response,
        responses={200: text},
    )
    async def get_metrics(request: Request) -> PlainTextResponse:
        if not (settings.metrics_public or _is_local(request)):
            raise Refusal("not-here", "The metrics are for this machine only.", 403)
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")


def _add_games(app: FastAPI) -> None:
    """The games, and the page to play them."""
    app.include_router(router)
    app.include_router(study_router)
    app.include_router(puzzle_router)

    @app.get("/themes.css", include_in_schema=False)
    async def get_themes() -> Response:
        hall: Hall = app.state.hall
        return Response(
            themes_css(tuple(hall.themes.values())), media_type="text/css", headers={"Cache-Control": "no-cache"}
        )

    @app.get("/", include_in_schema=False)
    async def page() -> HTMLResponse:
        return HTMLResponse(index_html(), headers={"Cache-Control": "no-cache"})

    app.mount("/", PageFiles())


def _is_local(request: Request) -> bool:
    """Whether the request comes from this machine, not from behind an untrusted proxy on it.

    A proxy that adds no header leaves the name that the visitor typed, as `docs/hosting.md` asks of it.
    """
    host = request.client.host if request.client else ""
    proxied = any(name in request.headers for name in _OF_PROXIES) and not request.app.state.behind_proxy
    return host in _HERE and _LOCAL_NAME.fullmatch(request.headers.get("host", "")) is not None and not proxied


def _answer_refusals(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    async def refused(_request: Request, refusal: Refusal) -> JSONResponse:
        headers = {"Retry-After": f"{ceil(refusal.retry)}"} if refusal.retry else {}
        if refusal.status == 429:
            headers["Connection"] = "close"
        return JSONResponse({"code": refusal.code, "message": refusal.sentence}, refusal.status, headers=headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return JSONResponse({"code": "bad-request", "message": f"{where or 'request'}: {first['msg']}."}, 422)

    @app.exception_handler(HTTPException)
    async def failed(_request: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse(
            {"code": "http", "message": f"{error.detail}."}, error.status_code, headers=error.headers
        )
