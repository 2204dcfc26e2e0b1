"""The first tables, and the brain's own slice."""

import secrets
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make every table, and `_system`."""
    op.create_table(
        "agents",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("display", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("registered_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "id"),
    )
    op.create_table(
        "aliases",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("alias", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "alias"),
    )
    op.create_table(
        "cards",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.Column("ref", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("slice", "proposal", "place"),
    )
    op.create_table(
        "channels",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("team", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("trust", sa.Text(), nullable=True),
        sa.Column("external", sa.Boolean(), nullable=False),
        sa.Column("guests", sa.Boolean(), nullable=False),
        sa.Column("fell_at", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "team", "channel"),
    )
    op.create_table(
        "events",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("prev", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=True),
        sa.Column("salt", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("slice", "seq"),
    )
    op.create_index("events_by_id", "events", ["slice", "event_id"], unique=True)
    op.create_table(
        "grants",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("writer_key", sa.Text(), nullable=False),
        sa.Column("writer", sa.Text(), nullable=False),
        sa.Column("surface", sa.Text(), nullable=False),
        sa.Column("team", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=True),
        sa.Column("granted_by", sa.Text(), nullable=False),
        sa.Column("given_at", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.Column("ended_why", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("slice", "id"),
    )
    op.create_index("grants_by_writer", "grants", ["slice", "agent", "writer_key"], unique=False)
    op.create_table(
        "idempotency",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("principal", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=True),
        sa.Column("turn", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "principal", "request_id"),
    )
    op.create_index("idempotency_by_time", "idempotency", ["slice", "at"], unique=False)
    op.create_index("idempotency_by_turn", "idempotency", ["slice", "turn"], unique=False)
    op.create_table(
        "keeper_lease",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "name"),
    )
    op.create_table(
        "links",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "target", "slug"),
        sqlite_with_rowid=False,
    )
    op.create_index("links_by_page", "links", ["slice", "slug"], unique=False)
    op.create_table(
        "page_versions",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("content", sa.Text(), nullable=True),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("agent", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("approver", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("undoes", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("slice", "slug", "version"),
    )
    op.create_index("page_versions_by_time", "page_versions", ["slice", "at"], unique=False)
    op.create_table(
        "pages",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("doc", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("title_key", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("agent", sa.Text(), nullable=True),
        sa.Column("behalf", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("approver", sa.Text(), nullable=True),
        sa.Column("terms", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("deleted_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("slice", "slug"),
    )
    op.create_index("pages_by_agent", "pages", ["slice", "agent"], unique=False)
    op.create_index("pages_by_doc", "pages", ["slice", "doc"], unique=True)
    op.create_index("pages_by_title", "pages", ["slice", "title_key"], unique=False)
    op.create_table(
        "people",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("team", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("gone_at", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "team", "user"),
    )
    op.create_table(
        "policy",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice", "name"),
    )
    op.create_table(
        "proposals",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("destination", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("op", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("requester", sa.Text(), nullable=True),
        sa.Column("requested_by", sa.Text(), nullable=True),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("pages", sa.Text(), nullable=False),
        sa.Column("diff", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.Column("asked_before", sa.Boolean(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("raised", sa.Boolean(), nullable=False),
        sa.Column("superseded_by", sa.Text(), nullable=True),
        sa.Column("decided_by", sa.Text(), nullable=True),
        sa.Column("decided_at", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("grant_id", sa.Text(), nullable=True),
        sa.Column("turn", sa.Text(), nullable=True),
        sa.Column("history", sa.Text(), nullable=False),
        sa.Column("changed", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.Text(), nullable=False),
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
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("docs", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("slice"),
    )
    op.create_table(
        "terms",
        sa.Column("slice", sa.Text(), nullable=False),
        sa.Column("term", sa.Text(), nullable=False),
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
