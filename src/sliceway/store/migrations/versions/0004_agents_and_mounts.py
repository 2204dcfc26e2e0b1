"""What became of agents and their minds; the folders that are mounted as reference."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None
adds_only = False

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make both tables; nothing that stands is changed."""
    op.create_table(
        "agent_acts",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("act", TEXT, nullable=False),
        sa.Column("mind", TEXT, nullable=False),
        sa.Column("agent", TEXT, nullable=True),
        sa.Column("into_agent", TEXT, nullable=True),
        sa.Column("details", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
        sa.Column("done_at", TEXT, nullable=True),
        sa.Column("undone_at", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("slice", "id"),
    )
    op.create_table(
        "mounts",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("mount", TEXT, nullable=False),
        sa.Column("folder", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
        sa.Column("removed_at", TEXT, nullable=True),
        sa.Column("report", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("slice", "mount"),
    )
