"""Running the server: `quiltwork serve`, and `quiltwork` alone."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import time
import webbrowser
from contextlib import closing, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.request import urlopen

from quiltwork.errors import QuiltworkError
from quiltwork.server.logs import set_up_logs
from quiltwork.server.settings import Role, Settings

if TYPE_CHECKING:
    from quiltwork.server.preparation import Preparation

_NEW_OBJECTS = 20_000
"""new objects that start the garbage collector: more than a burst of moves needs at once"""


_SWITCH = 0.0005
"""seconds after which a thread that reads a record lets the event loop go on: a tenth of Python's own"""


def run(settings: Settings, *, open_browser: bool = False, log_level: str = "info", prepare: bool = False) -> None:
    """Serves until interrupted.

    Port 0, or a taken port when the browser is opened, means a free one. A server that listens beyond this machine
    tells its address in the local network, which is then used in links for friends. With `prepare` a new machine
    compiles what is needed while the page is up already.
    """
    from quiltwork.agents import warm
    from quiltwork.server.database import check_database, serves_many
    from quiltwork.server.holding import Held, hold
    from quiltwork.server.preparation import Preparation
    from quiltwork.server.proxies import TrustedProxies

    several = serves_many(settings.database_url) if settings.database_url else False
    with listen(settings.host, settings.port, any_port=open_browser, later=several) as listening:
        port = listening.getsockname()[1]
        everywhere = settings.host in ("0.0.0.0", "::")
        address = f"http://{'127.0.0.1' if everywhere else settings.host}:{port}/"
        public_url = settings.public_url
        if everywhere and not public_url:
            public_url = f"http://{_own_address()}:{port}/"
        settings = replace(settings, port=port, public_url=public_url)
        check_database(settings.resolved_database_url)
        if settings.role is not Role.ALL and not serves_many(settings.resolved_database_url):
            raise QuiltworkError(
                f"the role {settings.role.value} is for one of several processes, which need PostgreSQL"
            )
        try:
            held = hold(settings.resolved_database_url, public_url or address)
        except Held as other:
            if not (open_browser and other.address):
                raise
            print(f"Quiltwork is running already at {other.address}", file=sys.stderr, flush=True)
            webbrowser.open(other.address)
            return
        if settings.trust_proxy:
            TrustedProxies.parse(settings.trust_proxy)
        set_up_logs(log_level)
        print(f"Quiltwork is at {public_url or address}", file=sys.stderr, flush=True)
        if open_browser:
            threading.Thread(target=_open_when_up, args=(address,), daemon=True).start()
        with held or nullcontext():
            serve(settings, listening, Preparation() if prepare and not warm.is_ready() else None)


def serve(settings: Settings, listening: socket.socket, preparation: Preparation | None = None) -> None:
    """Serves with these settings on a socket that listens already, until interrupted."""
    import uvicorn

    from quiltwork import Position
    from quiltwork.agents.warm import RULES
    from quiltwork.server.app import create_app
    from quiltwork.server.connections import ACCEPTED_AT_ONCE, Connections, limits_of
    from quiltwork.server.database import serves_many
    from quiltwork.server.protocol import Server, http_protocol, socket_protocol
    from quiltwork.server.view import options

    app = create_app(settings, preparation)

    def leave() -> None:
        app.state.leaving = True

    # Only where others serve the same games a proxy has somewhere to send visitors.
    others = settings.role is not Role.ENGINE and serves_many(settings.resolved_database_url)
    connections = Connections(limits_of(settings), app.state.metrics)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        http=http_protocol(connections),
        ws=socket_protocol(connections),
        backlog=ACCEPTED_AT_ONCE,
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    if preparation is None or preparation.has_done(RULES):
        # Loads the compiled kernel, so that what follows finds all that stays.
        options(Position.initial())
    _shorten_collections()
    sys.setswitchinterval(_SWITCH)
    try:
        Server(config, settings.drain if others else 0.0, leave).run(sockets=[listening])
    finally:
        if preparation is not None:
            preparation.close()


def _shorten_collections() -> None:
    """Keeps Python's garbage collector from halting every game at once.

    What is loaded now stays for ever and need not be looked through again, which took 200 ms each time. What a
    move leaves behind is freed without the collector, which then has little to find.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])


def listen(host: str, port: int, *, any_port: bool = False, later: bool = False) -> socket.socket:
    """A socket that listens; raises QuiltworkError where the port is taken, unless any port will do.

    With `later` it listens when the server is up: until then visitors are refused, so that a proxy tries another.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        if not any_port:
            listening.close()
            raise QuiltworkError(f"cannot listen on {host} port {port}: {error.strerror}") from None
        listening.bind((host, 0))
    if not later:
        listening.listen(512)
    return listening


def _own_address() -> str:
    """The address of this machine in its network; no packet is sent to find it."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _open_when_up(address: str) -> None:
    for _ in range(200):
        try:
            with urlopen(f"{address}health", timeout=1):
                break
        except OSError:
            time.sleep(0.1)
    webbrowser.open(address)
