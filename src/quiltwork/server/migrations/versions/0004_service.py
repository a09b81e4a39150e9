"""When some server was last alive on this database."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    service = op.create_table(
        "service",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("up_since", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.bulk_insert(service, [{"name": "games", "up_since": 0.0, "seen": 0.0}])


def downgrade() -> None:
    op.drop_table("service")
