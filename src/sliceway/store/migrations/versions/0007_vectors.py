"""Vectors of pages, and the queue of what is to be embedded: every live page, at first."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None
adds_only = False

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table of vectors; let slices name their model, and pages say whether they have vectors."""
    op.create_table(
        "vectors",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.Column("event_id", TEXT, nullable=False),
        sa.Column("passage", sa.Integer(), nullable=False),
        sa.Column("model", TEXT, nullable=False),
        sa.Column("before", sa.Integer(), nullable=True),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "doc", "event_id", "passage"),
    )
    op.add_column("slices", sa.Column("embedder", TEXT, nullable=True))
    op.add_column("slices", sa.Column("vectors", TEXT, nullable=True))
    op.add_column("pages", sa.Column("embedded", sa.Integer(), nullable=True))
    waiting = sa.text("embedded IS NULL AND deleted_at IS NULL")
    op.create_index(
        "pages_to_embed", "pages", ["slice", "doc"], unique=False, sqlite_where=waiting, postgresql_where=waiting
    )
