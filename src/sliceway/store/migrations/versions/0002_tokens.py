"""Tokens, and which token each event came by."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None
adds_only = False

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table of tokens; let the ledger be asked by token."""
    op.create_table(
        "tokens",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("agent", TEXT, nullable=True),
        sa.Column("teams", TEXT, nullable=False),
        sa.Column("acts_for", sa.Boolean(), nullable=False),
        sa.Column("decides", sa.Boolean(), nullable=False),
        sa.Column("slices", TEXT, nullable=False),
        sa.Column("hash", TEXT, nullable=False),
        sa.Column("created_at", TEXT, nullable=False),
        sa.Column("expires_at", TEXT, nullable=True),
        sa.Column("rotated_at", TEXT, nullable=True),
        sa.Column("revoked_at", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("slice", "id"),
    )
    op.add_column("events", sa.Column("token", TEXT, nullable=True))
    held = sa.text("token IS NOT NULL")
    op.create_index(
        "events_by_token", "events", ["slice", "token"], unique=False, sqlite_where=held, postgresql_where=held
    )
    _fill()


def _fill() -> None:
    """Write the token of each event that names one in its author."""
    connection = op.get_bind()
    found = connection.execute(sa.text('SELECT slice, seq, author FROM events WHERE author LIKE \'%"token_id":"%\''))
    for slice_name, seq, author in found.all():
        connection.execute(
            sa.text("UPDATE events SET token = :token WHERE slice = :slice AND seq = :seq"),
            {"token": json.loads(author).get("token_id"), "slice": slice_name, "seq": seq},
        )
