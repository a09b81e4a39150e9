"""Games, their events, and the server's secret."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
    )
    op.create_table(
        "event",
        sa.Column("game", sa.String(12), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("player", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("key", sa.String(64), nullable=True),
        sa.UniqueConstraint("game", "key", name="event_key_once"),
    )
    op.create_table(
        "secret",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("secret")
    op.drop_table("event")
    op.drop_table("game")
