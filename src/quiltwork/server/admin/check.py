"""`serve --check`: the settings, the database and the limits of this machine, and what is wrong with them."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path

import sqlalchemy as sa

from quiltwork.errors import QuiltworkError
from quiltwork.server.database import GAME, open_engine, parse_url
from quiltwork.server.proxies import TrustedProxies
from quiltwork.server.settings import Settings

_LEAST_FILES = 4_096
_LEAST_DISK = 500_000_000


@dataclass(frozen=True)
class Finding:
    """A line of the check; `wrong` says what to do about it."""

    name: str
    value: str
    wrong: str | None = None


def check(settings: Settings) -> list[Finding]:
    """All that is worth knowing before a server is started; nothing is changed."""
    return [*_settings(settings), *_database(settings.resolved_database_url), *_machine()]


def _settings(settings: Settings) -> Iterator[Finding]:
    for each in fields(settings):
        if each.name != "database_url":
            yield Finding(each.name.replace("_", "-"), _shown(getattr(settings, each.name)))
    open_to_all = settings.host in ("0.0.0.0", "::")
    if settings.trust_proxy:
        try:
            TrustedProxies.parse(settings.trust_proxy)
        except QuiltworkError as error:
            yield Finding("proxies", settings.trust_proxy, str(error))
    elif settings.public_url.startswith("https:"):
        yield Finding(
            "proxies",
            "none",
            "an https address needs a proxy in front, and --trust-proxy to see visitors' addresses",
        )
    if settings.public_url and not re.match(r"https?://[^/\s]+", settings.public_url):
        yield Finding(
            "address", settings.public_url, "links begin with it: it should begin with https:// or http://"
        )
    if open_to_all and settings.metrics_public:
        yield Finding("metrics", "public", "strangers can read /metrics; keep them out in the proxy")


def _database(url: str) -> Iterator[Finding]:
    parsed = parse_url(url)
    yield Finding("database", parsed.render_as_string(hide_password=True))
    file = Path(str(parsed.database)) if parsed.get_backend_name() == "sqlite" else None
    if file is not None and not file.exists():
        yield Finding("schema", "a new database will be made")
        return
    if file is not None:
        mode = stat.S_IMODE(file.stat().st_mode)
        wrong = f"others can read the secret of all links: chmod 600 {file}" if mode & 0o077 else None
        yield Finding("file mode", f"{mode:o}", wrong)
    try:
        engine = open_engine(url)
        with engine.connect() as connection:
            yield from _schema(connection)
        engine.dispose()
    except (sa.exc.SQLAlchemyError, ModuleNotFoundError) as error:
        yield Finding("connection", "failed", str(getattr(error, "orig", None) or error).splitlines()[0])
        return
    if file is not None:
        free = shutil.disk_usage(file.parent).free
        yield Finding("free disk", f"{free // 1_000_000:,} MB", "little is left" if free < _LEAST_DISK else None)


def _schema(connection: sa.Connection) -> Iterator[Finding]:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    from quiltwork.server import database

    config = Config()
    config.set_main_option("script_location", (Path(database.__file__).parent / "migrations").as_posix())
    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    if not sa.inspect(connection).has_table("alembic_version"):
        yield Finding("schema", "empty; it is made at the start")
        return
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    if found not in known:
        yield Finding("schema", str(found), "it is from a newer version of Quiltwork: update the program")
        return
    behind = known.index(found)
    yield Finding("schema", f"{found}{f', {behind} behind; brought up to date at the start' if behind else ''}")
    count = connection.execute(sa.select(sa.func.count()).select_from(GAME)).scalar_one()
    yield Finding("games", f"{count:,}")


def _machine() -> Iterator[Finding]:
    yield Finding("cores", str(os.cpu_count()))
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wrong = None
    if most != resource.RLIM_INFINITY and most < _LEAST_FILES:
        wrong = f"each connection needs one; allow {_LEAST_FILES} (ulimit -Hn, or LimitNOFILE= in a systemd unit)"
    yield Finding("open files", "unlimited" if most == resource.RLIM_INFINITY else f"{most:,}", wrong)


def _shown(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value) if value not in ("", None) else "none"
