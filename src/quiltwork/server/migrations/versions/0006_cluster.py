"""What processes share: who is alive, who sits where, what is to be thought about, who asked how often."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "process",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("role", sa.String(8), nullable=False),
        sa.Column("workers", sa.Integer, nullable=False),
        sa.Column("pace", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
    )
    op.create_table(
        "presence",
        sa.Column("game", sa.String(12), primary_key=True),
        sa.Column("process", sa.String(16), primary_key=True, index=True),
        sa.Column("one", sa.Integer, nullable=False),
        sa.Column("two", sa.Integer, nullable=False),
        sa.Column("watchers", sa.Integer, nullable=False),
    )
    op.create_table(
        "job",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(12), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("visitor", sa.String(32), nullable=False),
        sa.Column("people", sa.Boolean, nullable=False),
        sa.Column("nonce", sa.String(16), nullable=False),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("put", sa.Double, nullable=False),
        sa.Column("worker", sa.String(16), nullable=True),
        sa.Column("lease", sa.Double, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text, nullable=True),
    )
    op.create_table(
        "allowance",
        sa.Column("what", sa.String(16), primary_key=True),
        sa.Column("visitor", sa.String(32), primary_key=True),
        sa.Column("level", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
    )


def downgrade() -> None:
    for table in ("allowance", "job", "presence", "process"):
        op.drop_table(table)
