"""Look-ups by id or turn begin with whose it is, so that a foreign one is not even touched (BR4)."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None
adds_only = False


def upgrade() -> None:
    """Put the owner before the id and the turn in the indexes of proposals, grants and first answers."""
    for table in ("proposals", "idempotency"):
        op.drop_index(f"{table}_by_turn", table_name=table)
        op.create_index(f"{table}_by_turn", table, ["slice", "agent", "turn"], unique=False)
    op.create_index("proposals_by_agent", "proposals", ["slice", "agent", "id"], unique=False)
    op.create_index("proposals_by_requester", "proposals", ["slice", "requester", "id"], unique=False)
    op.create_index("grants_by_agent", "grants", ["slice", "agent", "id"], unique=False)
