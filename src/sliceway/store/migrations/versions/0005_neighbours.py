"""Which page stands before which; the index is to be made again, with neighbours and by what the analyser knows."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None
adds_only = False
reindexes = True

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table of neighbours. Whoever takes the steps fills it with the whole index, after the last of them."""
    op.create_table(
        "neighbours",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.Column("folder", TEXT, nullable=True),
        sa.Column("after", TEXT, nullable=True),
        sa.Column("before", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("slice", "doc"),
        sqlite_with_rowid=False,
    )
    op.create_index("neighbours_by_folder", "neighbours", ["slice", "folder", "doc"], unique=False)
    held = sa.text("after IS NOT NULL")
    op.create_index(
        "neighbours_by_after", "neighbours", ["slice", "after"], unique=False, sqlite_where=held, postgresql_where=held
    )
    op.create_index("neighbours_by_before", "neighbours", ["slice", "before", "doc"], unique=False)
