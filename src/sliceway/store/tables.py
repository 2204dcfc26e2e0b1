"""The brain's tables, one metadata for both engines.

The slice is the first column of every key (BR15). Every text column says whether it holds content, so that an
erasure walks them all (BR10): content is what people and agents wrote, or what is derived from it.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, Integer, LargeBinary, MetaData, PrimaryKeyConstraint, Table, Text, text

metadata = MetaData()

TEXT = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that sorts by its bytes on every engine, whatever language the database was made for."""


def _text(name: str, *, nullable: bool = False) -> Column[str]:
    """Return a text column that holds ids, times and words of ours."""
    return Column(name, TEXT, nullable=nullable, info={"content": False})


def _content(name: str, *, nullable: bool = False, empty: str = "") -> Column[str]:
    """Return a text column that holds content.

    :param empty: what stands there in a row that outlives its content, where it is not nothing at all.
    """
    return Column(name, TEXT, nullable=nullable, info={"content": True, "empty": None if nullable else empty})


def _number(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=nullable)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


_HAS_TEXT = text("pages <> '[]'")
_DELETED = text("deleted_at IS NOT NULL")
_OPEN = text("state <> 'scrubbed'")

slices = Table(
    "slices", metadata,
    _text("slice"), _number("seq"), _text("head"), Column("key", LargeBinary, nullable=False),
    _number("docs"), _number("length"), _text("created_at"), _text("updated_at"), _text("embedder", nullable=True),
    _text("vectors", nullable=True),
    PrimaryKeyConstraint("slice"),
)  # fmt: skip
"""One row a slice: the head of its chain, the key of its digests, and what ranking counts (pages, terms in them).
`embedder` is the model that its vectors are of; `vectors` is another word each time that any of them changes, None
where there is none."""

events = Table(
    "events", metadata,
    _text("slice"), _number("seq"), _text("event_id"), _text("kind"), _text("at"), _text("author"), _text("prev"),
    _text("digest"), _text("hash"), _content("payload", nullable=True), Column("salt", LargeBinary, nullable=True),
    _text("token", nullable=True),
    PrimaryKeyConstraint("slice", "seq"),
    Index("events_by_id", "slice", "event_id", unique=True),
    Index(
        "events_by_token", "slice", "token",
        sqlite_where=text("token IS NOT NULL"), postgresql_where=text("token IS NOT NULL"),
    ),
)  # fmt: skip
"""The ledger. Rows are added, never changed; an erasure empties payload and salt alone. `token` repeats the author's
token, so that what one did is found without reading everything."""

pages = Table(
    "pages", metadata,
    _text("slice"), _text("slug"), _number("doc"), _number("version"), _content("title"),
    _content("title_key"), _content("content"), _content("summary", nullable=True), _content("tags"),
    _content("kind", nullable=True), _text("after", nullable=True), _text("agent", nullable=True),
    _text("behalf", nullable=True), _text("author"), _text("approver", nullable=True), _number("terms"),
    _text("created_at"), _text("updated_at"), _text("event_id"), _text("deleted_at", nullable=True),
    _number("embedded", nullable=True),
    PrimaryKeyConstraint("slice", "slug"),
    Index("pages_by_doc", "slice", "doc", unique=True),
    Index("pages_by_title", "slice", "title_key"),
    Index("pages_by_agent", "slice", "agent"),
    Index(
        "pages_to_embed", "slice", "doc",
        sqlite_where=text("embedded IS NULL AND deleted_at IS NULL"),
        postgresql_where=text("embedded IS NULL AND deleted_at IS NULL"),
    ),
    Index("pages_deleted", "slice", "deleted_at", sqlite_where=_DELETED, postgresql_where=_DELETED),
)  # fmt: skip
"""The current version of each page. `doc` is its short number in the postings: the sequence of its first event.
`agent` and `behalf` repeat the author for filters; `title_key` is the title folded; `terms` is its length for
ranking. A deleted page keeps its row with the text it had, so that a version number never returns. `embedded` is how
many passages of this version have vectors, None while it has none: the index of those is the queue of what to embed."""

page_versions = Table(
    "page_versions", metadata,
    _text("slice"), _text("slug"), _number("version"), _text("action"), _content("title", nullable=True),
    _content("content", nullable=True), _content("summary", nullable=True), _content("tags"),
    _content("kind", nullable=True), _text("after", nullable=True), _text("agent", nullable=True), _text("author"),
    _text("approver", nullable=True), _text("at"), _number("seq"), _text("event_id"), _text("undoes", nullable=True),
    PrimaryKeyConstraint("slice", "slug", "version"),
    Index("page_versions_by_time", "slice", "at"),
)  # fmt: skip
"""Every version of every page; a deletion is a version without title and content."""

links = Table(
    "links", metadata,
    _text("slice"), _text("target"), _text("slug"),
    PrimaryKeyConstraint("slice", "target", "slug"),
    Index("links_by_page", "slice", "slug"),
    sqlite_with_rowid=False,
)  # fmt: skip
"""Which live page of a slice points at which slug."""

terms = Table(
    "terms", metadata,
    _text("slice"), _content("term"), _number("doc"), _number("tf"), _number("length"),
    PrimaryKeyConstraint("slice", "term", "doc"),
    Index("terms_by_doc", "slice", "doc"),
    sqlite_with_rowid=False,
)  # fmt: skip
"""The postings: how often a term stands in a live page, with the page's length, so that ranking reads one table."""

vectors = Table(
    "vectors", metadata,
    _text("slice"), _number("doc"), _text("event_id"), _number("passage"), _text("model"),
    _number("before", nullable=True), Column("vector", LargeBinary, nullable=False, info={"content": True}),
    PrimaryKeyConstraint("slice", "doc", "event_id", "passage"),
)  # fmt: skip
"""Where each passage of a live page points, as numbers of 32 bits. `event_id` is the version that it is of; `before` is
the page that this one followed in its conversation. An index that follows from the pages and the model: what is missing
is made in the background."""

neighbours = Table(
    "neighbours", metadata,
    _text("slice"), _number("doc"), _text("folder", nullable=True), _text("after", nullable=True),
    _number("before", nullable=True),
    PrimaryKeyConstraint("slice", "doc"),
    Index("neighbours_by_folder", "slice", "folder", "doc"),
    Index(
        "neighbours_by_after", "slice", "after",
        sqlite_where=text("after IS NOT NULL"), postgresql_where=text("after IS NOT NULL"),
    ),
    Index("neighbours_by_before", "slice", "before", "doc"),
    sqlite_with_rowid=False,
)  # fmt: skip
"""A row for each live page: the folder of its slug, the page it says it follows, and which page stands before it in
its conversation, by number. Whose words lend it weight follows from this; no word of another page stands here."""

proposals = Table(
    "proposals", metadata,
    _text("slice"), _text("id"), _text("destination"), _number("revision"), _text("state"), _text("op"),
    _text("agent"), _text("requester", nullable=True), _text("requested_by", nullable=True), _text("origin"),
    _text("author"), _text("thread"), _content("pages", empty="[]"), _content("diff", empty="[]"),
    _content("digest"), _text("created_at"), _text("expires_at"),
    _flag("asked_before"), _flag("quiet"), _flag("raised"), _text("superseded_by", nullable=True),
    _text("decided_by", nullable=True), _text("decided_at", nullable=True), _content("reason", nullable=True),
    _text("grant_id", nullable=True), _text("turn", nullable=True), _content("history", empty="[]"), _number("changed"),
    _text("changed_at"),
    PrimaryKeyConstraint("slice", "id"),
    Index("proposals_by_change", "slice", "changed"),
    Index(
        "proposals_waiting", "slice", "expires_at",
        sqlite_where=text("state IN ('draft', 'pending')"), postgresql_where=text("state IN ('draft', 'pending')"),
    ),
    Index("proposals_by_digest", "slice", "digest"),
    Index("proposals_by_turn", "slice", "agent", "turn"),
    Index("proposals_by_agent", "slice", "agent", "id"),
    Index("proposals_by_requester", "slice", "requester", "id"),
    Index("proposals_with_text", "slice", "state", "changed_at", sqlite_where=_HAS_TEXT, postgresql_where=_HAS_TEXT),
)  # fmt: skip
"""Writes that wait. A draft is a row of its owner's slice (AP23); `destination` is where it would land. `changed` is
the sequence of the last event about it: the feed's order. `requester` is whom the limits count for: the requesting
person's slice name, or `agent:ID` for an agent that speaks for itself. `author` signs the pages when they are written;
`history` holds the steps of its life."""

grants = Table(
    "grants", metadata,
    _text("slice"), _text("id"), _text("agent"), _text("writer_key"), _text("writer"), _text("surface"),
    _text("team"), _text("channel"), _text("thread", nullable=True), _text("granted_by"), _text("given_at"),
    _text("until"), _text("proposal"), _text("ended_at", nullable=True), _text("ended_why", nullable=True),
    PrimaryKeyConstraint("slice", "id"),
    Index("grants_by_writer", "slice", "agent", "writer_key"),
    Index("grants_by_agent", "slice", "agent", "id"),
)  # fmt: skip
"""Standing yeses (AP15)."""

cards = Table(
    "cards", metadata,
    _text("slice"), _text("proposal"), _text("place"), _text("holder"), _text("until"), _text("ref", nullable=True),
    PrimaryKeyConstraint("slice", "proposal", "place"),
)  # fmt: skip
"""Who may post the card of a proposal in a place, and where it stands (AP3)."""

idempotency = Table(
    "idempotency", metadata,
    _text("slice"), _text("principal"), _text("request_id"), _content("digest"), _content("answer", empty="null"),
    _text("agent", nullable=True), _text("turn", nullable=True), _text("at"),
    PrimaryKeyConstraint("slice", "principal", "request_id"),
    Index("idempotency_by_turn", "slice", "agent", "turn"),
    Index("idempotency_by_time", "slice", "at"),
)  # fmt: skip
"""First answers to writes, kept 7 days (BR6); `turn` finds what a turn already did."""

policy = Table(
    "policy", metadata,
    _text("slice"), _text("name"), _text("value"), _text("source"), _text("at"),
    PrimaryKeyConstraint("slice", "name"),
)  # fmt: skip
"""The fields of the policy, in `_system`; `source` is `settings` where a server copied them at boot, else `set`."""

channels = Table(
    "channels", metadata,
    _text("slice"), _text("team"), _text("channel"), _text("trust", nullable=True), _flag("external"),
    _flag("guests"), _text("fell_at", nullable=True), _text("at"),
    PrimaryKeyConstraint("slice", "team", "channel"),
)  # fmt: skip
"""Trust that managers set, and what gateways saw of channels, in `_system`."""

people = Table(
    "people", metadata,
    _text("slice"), _text("team"), _text("user"), _text("gone_at", nullable=True), _text("at"),
    PrimaryKeyConstraint("slice", "team", "user"),
)  # fmt: skip
"""Who was seen deactivated, in `_system`."""

agents = Table(
    "agents", metadata,
    _text("slice"), _text("id"), _text("display", nullable=True), _text("source", nullable=True),
    _text("registered_at"),
    PrimaryKeyConstraint("slice", "id"),
)  # fmt: skip
"""The agents of this brain, in `_system`."""

aliases = Table(
    "aliases", metadata,
    _text("slice"), _text("alias"), _text("agent"), _text("at"),
    PrimaryKeyConstraint("slice", "alias"),
)  # fmt: skip
"""Earlier slices of an agent, one owner each, in `_system` (ID12). One that was let go of has an empty `agent`."""

agent_acts = Table(
    "agent_acts", metadata,
    _text("slice"), _text("id"), _text("act"), _text("mind"), _text("agent", nullable=True),
    _text("into_agent", nullable=True), _text("details"), _text("at"), _text("done_at", nullable=True),
    _text("undone_at", nullable=True),
    PrimaryKeyConstraint("slice", "id"),
)  # fmt: skip
"""What became of an agent or of its mind, in `_system` (ID12): `alias`, `rename`, `merge` or `retire`. `details` holds
what the reverse needs, ids alone. A merge without `done_at` is under way; `undone_at` says that it was taken back."""

mounts = Table(
    "mounts", metadata,
    _text("slice"), _text("mount"), _content("folder"), _text("at"), _text("removed_at", nullable=True),
    _content("report", nullable=True),
    PrimaryKeyConstraint("slice", "mount"),
)  # fmt: skip
"""Folders that are mounted as reference, in `_system`, by the slice that each is (FR1). `report` is what the last look
at the folder could not take; it follows from no event."""

tokens = Table(
    "tokens", metadata,
    _text("slice"), _text("id"), _text("kind"), _text("agent", nullable=True), _text("teams"), _flag("acts_for"),
    _flag("decides"), _text("slices"), _text("hash"), _text("created_at"), _text("expires_at", nullable=True),
    _text("rotated_at", nullable=True), _text("revoked_at", nullable=True),
    PrimaryKeyConstraint("slice", "id"),
)  # fmt: skip
"""What callers are known by, in `_system` (BR2): rights, and the hash of the secret, never the secret."""

keeper_lease = Table(
    "keeper_lease", metadata,
    _text("slice"), _text("name"), _text("holder"), _text("until"),
    PrimaryKeyConstraint("slice", "name"),
)  # fmt: skip
"""Which process does the keeper's work, in `_system`."""

erased = Table(
    "erased", metadata,
    _text("slice"), _text("mark"), _number("version"),
    PrimaryKeyConstraint("slice", "mark"),
)  # fmt: skip
"""What is left of a page that was erased: the last version it had, so that none ever returns, under a digest of its
slug that is keyed with the slice's key: a slug may be made of a page's words."""

erasures = Table(
    "erasures", metadata,
    _text("slice"), _text("id"), _text("what"), _text("target"), _text("state"), _text("counts"), _text("author"),
    _text("begun_at"), _text("done_at", nullable=True),
    PrimaryKeyConstraint("slice", "id"),
    Index("erasures_open", "slice", "state", sqlite_where=_OPEN, postgresql_where=_OPEN),
)  # fmt: skip
"""What was asked to be erased, in `_system`, by digests and names of slices, never by what stood there. `state` goes
from `running` to `erased`, where no call returns it, to `scrubbed`, where the store's files do not hold it either."""
