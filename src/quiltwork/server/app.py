"""The application: REST, websocket and the page, put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.websockets import WebSocket

from quiltwork import __version__
from quiltwork.server.answers import Refusal
from quiltwork.server.api import router
from quiltwork.server.edition_view import themes_css
from quiltwork.server.engine import Engine
from quiltwork.server.hall import Hall
from quiltwork.server.headers import SecurityHeaders, content_security_policy
from quiltwork.server.limits import BodyLimit, Buckets
from quiltwork.server.metrics import Metrics
from quiltwork.server.opponents import load_opponents
from quiltwork.server.page import PageFiles, index_html
from quiltwork.server.settings import Settings
from quiltwork.server.socket import serve_socket
from quiltwork.server.store import Store

LOG = logging.getLogger("quiltwork.server")


def create_app(settings: Settings | None = None) -> FastAPI:
    """An ASGI application with everything in it; games are in the settings' database."""
    chosen = settings or Settings()
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(chosen.resolved_database_url)
        engine = Engine(chosen.engine_workers, chosen.engine_queue, chosen.engine_timeout, metrics)
        hall = Hall(chosen, store, engine, metrics)
        app.state.hall = hall
        metrics.gauge("tables_open", lambda: hall.tables_open)
        metrics.gauge("connections_open", lambda: hall.connections_open)
        metrics.gauge("engine_waiting", lambda: engine.waiting)
        opponents = load_opponents()
        first = (opponents.all[opponents.default], opponents.all[opponents.hint])
        background = [asyncio.create_task(hall.put_away_forever())]
        if chosen.engine_warm_up:
            background.append(asyncio.create_task(engine.warm_up(first)))
        LOG.info("server is up", extra={"database": store.name})
        try:
            yield
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            hall.close()
            engine.close()
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
    app.state.requests = Buckets(chosen.requests_per_second, 10 * chosen.requests_per_second)
    app.state.new_games = Buckets(chosen.games_per_minute / 60, chosen.games_per_minute)
    _answer_refusals(app)
    app.include_router(router)

    @app.websocket("/ws")
    async def socket(websocket: WebSocket) -> None:
        await serve_socket(websocket, app.state.hall)

    @app.get("/health", summary="Whether the server can do its work")
    async def health() -> JSONResponse:
        alive = await app.state.hall.store.is_alive()
        content = {"status": "ok" if alive else "failing", "database": alive, "version": __version__}
        return JSONResponse(content, 200 if alive else 503)

    text = {"content": {"text/plain": {"schema": {"type": "string"}}}}

    @app.get(
        "/metrics",
        summary="Counters in the Prometheus text format",
        response_class=Response,
        responses={200: text},
    )
    async def get_metrics() -> PlainTextResponse:
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

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
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6)
    app.add_middleware(BodyLimit, limit=chosen.body_bytes)
    app.add_middleware(SecurityHeaders, policy=content_security_policy(index_html()))
    return app


def _answer_refusals(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    async def refused(_request: Request, refusal: Refusal) -> JSONResponse:
        return JSONResponse({"code": refusal.code, "message": refusal.sentence}, refusal.status)

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
