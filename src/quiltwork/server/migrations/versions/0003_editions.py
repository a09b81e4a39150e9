"""The edition that each game was begun with."""

import json
from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_BATCH = 500


def upgrade() -> None:
    op.create_table(
        "edition",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
    )
    # In words, as SQLite adds a reference only together with its column.
    op.execute("ALTER TABLE game ADD COLUMN edition VARCHAR(64) REFERENCES edition (hash)")
    _keep_editions(op.get_bind())


def _keep_editions(connection: sa.Connection) -> None:
    """Writes down the editions of all games as they are now; a game whose file is gone goes without."""
    from quiltwork.editions.content import fingerprint
    from quiltwork.server.database import keep_editions
    from quiltwork.server.editions import named_edition

    games: dict[tuple[str, str], list[str]] = defaultdict(list)
    for game, text in connection.execute(sa.text("SELECT id, setup FROM game")):
        setup = json.loads(text)
        games[setup.get("edition", ""), setup.get("start", "").partition(" ")[0]].append(game)
    update = sa.text("UPDATE game SET edition = :edition WHERE id = :game")
    for (identifier, name), found in games.items():
        edition = named_edition(identifier, name)
        if edition is None:
            continue
        keep_editions(connection, [edition])
        for begin in range(0, len(found), _BATCH):
            rows = [{"edition": fingerprint(edition), "game": game} for game in found[begin : begin + _BATCH]]
            connection.execute(update, rows)


def downgrade() -> None:
    op.drop_column("game", "edition")
    op.drop_table("edition")
