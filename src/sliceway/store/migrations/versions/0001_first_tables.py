"""The first tables, and the brain's own slice."""

import secrets
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None
adds_only = False

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make every table, and `_system`."""
    op.create_table(
        "agents",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("display", TEXT, nullable=True),
        sa.Column("source", TEXT, nullable=True),
        sa.Column("registered_at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "id"),
    )
    op.create_table(
        "aliases",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("alias", TEXT, nullable=False),
        sa.Column("agent", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "alias"),
    )
    op.create_table(
        "cards",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("proposal", TEXT, nullable=False),
        sa.Column("place", TEXT, nullable=False),
        sa.Column("holder", TEXT, nullable=False),
        sa.Column("until", TEXT, nullable=False),
        sa.Column("ref", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("slice", "proposal", "place"),
    )
    op.create_table(
        "channels",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("team", TEXT, nullable=False),
        sa.Column("channel", TEXT, nullable=False),
        sa.Column("trust", TEXT, nullable=True),
        sa.Column("external", sa.Boolean(), nullable=False),
        sa.Column("guests", sa.Boolean(), nullable=False),
        sa.Column("fell_at", TEXT, nullable=True),
        sa.Column("at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "team", "channel"),
    )
    op.create_table(
        "events",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("event_id", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
        sa.Column("author", TEXT, nullable=False),
        sa.Column("prev", TEXT, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("hash", TEXT, nullable=False),
        sa.Column("payload", TEXT, nullable=True),
        sa.Column("salt", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("slice", "seq"),
    )
    op.create_index("events_by_id", "events", ["slice", "event_id"], unique=True)
    op.create_table(
        "grants",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("agent", TEXT, nullable=False),
        sa.Column("writer_key", TEXT, nullable=False),
        sa.Column("writer", TEXT, nullable=False),
        sa.Column("surface", TEXT, nullable=False),
        sa.Column("team", TEXT, nullable=False),
        sa.Column("channel", TEXT, nullable=False),
        sa.Column("thread", TEXT, nullable=True),
        sa.Column("granted_by", TEXT, nullable=False),
        sa.Column("given_at", TEXT, nullable=False),
        sa.Column("until", TEXT, nullable=False),
        sa.Column("proposal", TEXT, nullable=False),
        sa.Column("ended_at", TEXT, nullable=True),
        sa.Column("ended_why", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("slice", "id"),
    )
    op.create_index("grants_by_writer", "grants", ["slice", "agent", "writer_key"], unique=False)
    op.create_table(
        "idempotency",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("principal", TEXT, nullable=False),
        sa.Column("request_id", TEXT, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("answer", TEXT, nullable=False),
        sa.Column("agent", TEXT, nullable=True),
        sa.Column("turn", TEXT, nullable=True),
        sa.Column("at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "principal", "request_id"),
    )
    op.create_index("idempotency_by_time", "idempotency", ["slice", "at"], unique=False)
    op.create_index("idempotency_by_turn", "idempotency", ["slice", "turn"], unique=False)
    op.create_table(
        "keeper_lease",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("holder", TEXT, nullable=False),
        sa.Column("until", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "name"),
    )
    op.create_table(
        "links",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("target", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "target", "slug"),
        sqlite_with_rowid=False,
    )
    op.create_index("links_by_page", "links", ["slice", "slug"], unique=False)
    op.create_table(
        "page_versions",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("action", TEXT, nullable=False),
        sa.Column("title", TEXT, nullable=True),
        sa.Column("content", TEXT, nullable=True),
        sa.Column("summary", TEXT, nullable=True),
        sa.Column("tags", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=True),
        sa.Column("after", TEXT, nullable=True),
        sa.Column("agent", TEXT, nullable=True),
        sa.Column("author", TEXT, nullable=False),
        sa.Column("approver", TEXT, nullable=True),
        sa.Column("at", TEXT, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("event_id", TEXT, nullable=False),
        sa.Column("undoes", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("slice", "slug", "version"),
    )
    op.create_index("page_versions_by_time", "page_versions", ["slice", "at"], unique=False)
    op.create_table(
        "pages",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("slug", TEXT, nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("title_key", TEXT, nullable=False),
        sa.Column("content", TEXT, nullable=False),
        sa.Column("summary", TEXT, nullable=True),
        sa.Column("tags", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=True),
        sa.Column("after", TEXT, nullable=True),
        sa.Column("agent", TEXT, nullable=True),
        sa.Column("behalf", TEXT, nullable=True),
        sa.Column("author", TEXT, nullable=False),
        sa.Column("approver", TEXT, nullable=True),
        sa.Column("terms", sa.Integer(), nullable=False),
        sa.Column("created_at", TEXT, nullable=False),
        sa.Column("updated_at", TEXT, nullable=False),
        sa.Column("event_id", TEXT, nullable=False),
        sa.Column("deleted_at", TEXT, nullable=True),
        sa.PrimaryKeyConstraint("slice", "slug"),
    )
    op.create_index("pages_by_agent", "pages", ["slice", "agent"], unique=False)
    op.create_index("pages_by_doc", "pages", ["slice", "doc"], unique=True)
    op.create_index("pages_by_title", "pages", ["slice", "title_key"], unique=False)
    op.create_table(
        "people",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("team", TEXT, nullable=False),
        sa.Column("user", TEXT, nullable=False),
        sa.Column("gone_at", TEXT, nullable=True),
        sa.Column("at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "team", "user"),
    )
    op.create_table(
        "policy",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("value", TEXT, nullable=False),
        sa.Column("source", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "name"),
    )
    op.create_table(
        "proposals",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("id", TEXT, nullable=False),
        sa.Column("destination", TEXT, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("op", TEXT, nullable=False),
        sa.Column("agent", TEXT, nullable=False),
        sa.Column("requester", TEXT, nullable=True),
        sa.Column("requested_by", TEXT, nullable=True),
        sa.Column("origin", TEXT, nullable=False),
        sa.Column("author", TEXT, nullable=False),
        sa.Column("thread", TEXT, nullable=False),
        sa.Column("pages", TEXT, nullable=False),
        sa.Column("diff", TEXT, nullable=False),
        sa.Column("digest", TEXT, nullable=False),
        sa.Column("created_at", TEXT, nullable=False),
        sa.Column("expires_at", TEXT, nullable=False),
        sa.Column("asked_before", sa.Boolean(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("raised", sa.Boolean(), nullable=False),
        sa.Column("superseded_by", TEXT, nullable=True),
        sa.Column("decided_by", TEXT, nullable=True),
        sa.Column("decided_at", TEXT, nullable=True),
        sa.Column("reason", TEXT, nullable=True),
        sa.Column("grant_id", TEXT, nullable=True),
        sa.Column("turn", TEXT, nullable=True),
        sa.Column("history", TEXT, nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("changed_at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice", "id"),
    )
    op.create_index("proposals_by_change", "proposals", ["slice", "changed"], unique=False)
    op.create_index("proposals_by_digest", "proposals", ["slice", "digest"], unique=False)
    waiting = sa.text("state IN ('draft', 'pending')")
    op.create_index(
        "proposals_waiting",
        "proposals",
        ["slice", "expires_at"],
        unique=False,
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
    op.create_index("proposals_by_turn", "proposals", ["slice", "turn"], unique=False)
    op.create_table(
        "slices",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("head", TEXT, nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("docs", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("created_at", TEXT, nullable=False),
        sa.Column("updated_at", TEXT, nullable=False),
        sa.PrimaryKeyConstraint("slice"),
    )
    op.create_table(
        "terms",
        sa.Column("slice", TEXT, nullable=False),
        sa.Column("term", TEXT, nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.Column("tf", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "term", "doc"),
        sqlite_with_rowid=False,
    )
    op.create_index("terms_by_doc", "terms", ["slice", "doc"], unique=False)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    op.execute(
        sa.text(
            "INSERT INTO slices (slice, seq, head, key, docs, length, created_at, updated_at)"
            " VALUES ('_system', 0, :head, :key, 0, 0, :now, :now)"
        ).bindparams(head="0" * 64, key=secrets.token_bytes(32), now=now)
    )
