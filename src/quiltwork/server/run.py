"""Running the server: `quiltwork serve`, and `quiltwork` alone."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

from quiltwork.errors import QuiltworkError
from quiltwork.server.logs import set_up_logs
from quiltwork.server.settings import Settings

_NEW_OBJECTS = 20_000
"""so many more objects than before let the collector look for garbage: more than a burst of moves needs at once"""


def run(
    host: str = "127.0.0.1",
    port: int = 8765,
    database_url: str = "",
    open_browser: bool = False,
    *,
    public_url: str = "",
    editions: Sequence[Path] = (),
    workers: int = 1,
    log_level: str = "info",
    trust_proxy: bool = False,
) -> None:
    """Serves until interrupted.

    Port 0, or a taken port when the browser is opened, means a free one. A server that listens beyond this machine
    tells its address in the local network, which is then used in links for friends.
    """
    from quiltwork.server.store import check_database

    listening = listen(host, port, any_port=open_browser)
    port = listening.getsockname()[1]
    everywhere = host in ("0.0.0.0", "::")
    address = f"http://{'127.0.0.1' if everywhere else host}:{port}/"
    if everywhere and not public_url:
        public_url = f"http://{_own_address()}:{port}/"
    settings = Settings(
        host=host,
        port=port,
        database_url=database_url,
        public_url=public_url,
        editions=tuple(Path(path) for path in editions),
        engine_workers=workers,
        trust_proxy=trust_proxy,
    )
    check_database(settings.resolved_database_url)
    set_up_logs(log_level)
    print(f"Quiltwork is at {public_url or address}", file=sys.stderr, flush=True)
    if open_browser:
        threading.Thread(target=_open_when_up, args=(address,), daemon=True).start()
    serve(settings, listening)


def serve(settings: Settings, listening: socket.socket) -> None:
    """Serves with these settings on a socket that listens already, until interrupted."""
    import uvicorn

    from quiltwork import Position
    from quiltwork.server.app import create_app
    from quiltwork.server.view import options

    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=settings.message_bytes,
        ws_per_message_deflate=False,
        proxy_headers=settings.trust_proxy,
        forwarded_allow_ips="*" if settings.trust_proxy else None,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    # Loads the compiled kernel, so that what follows finds all that stays.
    options(Position.initial())
    _shorten_collections()
    uvicorn.Server(config).run(sockets=[listening])


def _shorten_collections() -> None:
    """Keeps Python's garbage collector from halting every game at once.

    What is loaded now stays for ever and need not be looked through again, which took 200 ms each time. What a
    move leaves behind is freed without the collector, which then has little to find.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])


def listen(host: str, port: int, *, any_port: bool = False) -> socket.socket:
    """A socket that listens; raises QuiltworkError where the port is taken, unless any port will do."""
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
