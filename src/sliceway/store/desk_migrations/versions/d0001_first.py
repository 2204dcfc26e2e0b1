"""The desk's first tables."""

import sqlalchemy as sa
from alembic import op

revision = "d0001"
down_revision: str | None = None
branch_labels: str | None = None
depends_on: str | None = None


def _queued(name: str, group: str, *more: "sa.Column[str]") -> None:
    """Make a table of items that are taken one after another within their group."""
    op.create_table(
        name,
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("key", sa.String(300), nullable=False, unique=True),
        sa.Column(group, sa.String(300), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("payload", sa.Text),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due_at", sa.String(30), nullable=False),
        sa.Column("holder", sa.String(80)),
        sa.Column("lease_until", sa.String(30)),
        sa.Column("ended_at", sa.String(30)),
        *more,
    )
    op.create_index(f"{name}_by_state", name, ["state", "ended_at"])
    op.create_index(f"{name}_by_{group}", name, [group, "state", "seq"])


def upgrade() -> None:
    """Make every table of the desk."""
    _queued(
        "inbox",
        "queue",
        sa.Column("received_at", sa.String(30), nullable=False),
        sa.Column("error", sa.String(500)),
    )
    _queued("owed", "lane")
    op.create_table(
        "locks",
        sa.Column("team", sa.String(40), primary_key=True),
        sa.Column("channel", sa.String(40), primary_key=True),
        sa.Column("thread", sa.String(40), primary_key=True),
        sa.Column("owner_group", sa.String(40), nullable=False),
        sa.Column("owner_user", sa.String(40), nullable=False),
        sa.Column("lock", sa.Text, nullable=False),
        sa.Column("since", sa.String(30), nullable=False),
        sa.Column("idle_until", sa.String(30), nullable=False),
    )
    op.create_table(
        "turns",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("thread", sa.String(160), nullable=False),
        sa.Column("person", sa.String(100), nullable=False),
        sa.Column("turn", sa.String(300), nullable=False, unique=True),
        sa.Column("at", sa.String(30), nullable=False),
    )
    op.create_index("turns_by_thread", "turns", ["thread", "person", "seq"])
    op.create_table(
        "leases",
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("holder", sa.String(80), nullable=False),
        sa.Column("until", sa.String(30), nullable=False),
    )
    op.create_table(
        "cursors",
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("value", sa.String(200), nullable=False),
    )
