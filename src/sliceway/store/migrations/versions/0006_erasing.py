"""What erasing leaves behind, and the indexes that find what is due to be erased."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None
adds_only = False

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the tables of what was erased; let deleted pages and ended proposals be found by their age."""
    op.create_table(
        "erased",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("mark", TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "mark"),
    )
    op.create_table(
        "erasures",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("what", TEXT, nullable=False),
        sa.Column("target", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("counts", TEXT, nullable=False),
        sa.Column("author", TEXT, nullable=False),
        sa.Column("begun_at", TEXT, nullable=False),
        sa.Column("done_at", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("slice", "id"),
    )
    for name, table, columns, where in (
        ("erasures_open", "erasures", ["slice", "state"], "state <> 'scrubbed'"),
        ("pages_deleted", "pages", ["slice", "deleted_at"], "deleted_at IS NOT NULL"),
        ("proposals_with_text", "proposals", ["slice", "state", "changed_at"], "pages <> '[]'"),
    ):
        held = sa.text(where)
        op.create_index(name, table, columns, unique=False, sqlite_where=held, postgresql_where=held)
