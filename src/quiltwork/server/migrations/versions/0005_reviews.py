"""What reviews of games found."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "review",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(12), nullable=True, index=True),
        sa.Column("made", sa.Float, nullable=False, index=True),
        sa.Column("content", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("review")
