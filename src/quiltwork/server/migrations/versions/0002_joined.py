"""Who has ever sat down at a table."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "joined",
        sa.Column("game", sa.String(12), sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
    )


def downgrade() -> None:
    op.drop_table("joined")
