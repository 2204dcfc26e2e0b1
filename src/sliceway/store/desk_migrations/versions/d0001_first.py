"""The desk's first tables."""

import sqlalchemy as sa
from alembic import op

revision = "d0001"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None
adds_only = False


def _queued(name: str, group: str, *more: "sa.Column[str]") -> None:
    """Make a table of items that are taken one after another within their group."""
    op.create_table(
        name,
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("key", sa.Text, nullable=False, unique=True),
        sa.Column(group, sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("payload", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", sa.Text, nullable=False),
        sa.Column("holder", sa.Text),
        sa.Column("lease_until", sa.Text),
        sa.Column("ended_at", sa.Text),
        *more,
    )
    op.create_index(f"{name}_by_state", name, ["state", "ended_at"])
    op.create_index(f"{name}_by_{group}", name, [group, "state", "seq"])


def upgrade() -> None:
    """Make every table of the desk."""
    _queued(
        "inbox",
        "queue",
        sa.Column("received_at", sa.Text, nullable=False),
        sa.Column("error", sa.Text),
    )
    _queued("owed", "lane")
    op.create_table(
        "locks",
        sa.Column("team", sa.Text, primary_key=True),
        sa.Column("channel", sa.Text, primary_key=True),
        sa.Column("thread", sa.Text, primary_key=True),
        sa.Column("owner_group", sa.Text, nullable=False),
        sa.Column("owner_user", sa.Text, nullable=False),
        sa.Column("lock", sa.Text, nullable=False),
        sa.Column("since", sa.Text, nullable=False),
        sa.Column("idle_until", sa.Text, nullable=False),
    )
    op.create_table(
        "turns",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("thread", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=False, unique=True),
        sa.Column("at", sa.Text, nullable=False),
    )
    op.create_index("turns_by_thread", "turns", ["thread", "person", "seq"])
    op.create_table(
        "leases",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("until", sa.Text, nullable=False),
    )
    op.create_table(
        "cursors",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
