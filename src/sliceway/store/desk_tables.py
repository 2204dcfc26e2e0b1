"""The desk's tables: their own metadata, in their own file or schema. They hold ids, and text only while it is still
needed.

Every text column says whether it holds content (BR10), as the brain's own do.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, Text

metadata = MetaData()
"""Everything of the desk's."""

_TEXT = Text().with_variant(Text(collation="C"), "postgresql")
_ORDER = BigInteger().with_variant(Integer, "sqlite")  # every delivery that is known already takes a number, too


def _text(name: str, *, nullable: bool = False, key: bool = False, unique: bool = False) -> Column[str]:
    """Return a text column that holds ids and words of ours, never what people wrote."""
    return Column(name, _TEXT, nullable=nullable, primary_key=key, unique=unique or None, info={"content": False})


def _payload() -> Column[str]:
    """Return the column that holds what people wrote, until the work on it is done."""
    return Column("payload", _TEXT, nullable=True, info={"content": True})


def _number(name: str) -> Column[int]:
    """Return a counter."""
    return Column(name, Integer, nullable=False)


def _seq() -> Column[int]:
    """Return the order in which rows came."""
    return Column("seq", _ORDER, primary_key=True, autoincrement=True)


inbox = Table(
    "inbox",
    metadata,
    _seq(),
    _text("key", unique=True),
    _text("queue"),
    _text("kind"),
    _payload(),
    _text("state"),
    _number("attempts"),
    _text("received_at"),
    _text("due_at"),
    _text("holder", nullable=True),
    _text("lease_until", nullable=True),
    _text("ended_at", nullable=True),
    _text("error", nullable=True),
    Index("inbox_by_state", "state", "ended_at"),
    Index("inbox_by_queue", "queue", "state", "seq"),
)
"""Deliveries. `state` is `waiting`, `taken`, `done` or `dead`."""

owed = Table(
    "owed",
    metadata,
    _seq(),
    _text("key", unique=True),
    _text("lane"),
    _text("kind"),
    _payload(),
    _text("state"),
    _number("attempts"),
    _text("due_at"),
    _text("holder", nullable=True),
    _text("lease_until", nullable=True),
    _text("ended_at", nullable=True),
    _text("error", nullable=True),
    Index("owed_by_state", "state", "ended_at"),
    Index("owed_by_lane", "lane", "state", "seq"),
)
"""What is owed to people. `state` is `waiting`, `taken`, `done` or `dead`."""

locks = Table(
    "locks",
    metadata,
    _text("team", key=True),
    _text("channel", key=True),
    _text("thread", key=True),
    _text("owner_group"),
    _text("owner_user"),
    _text("lock"),
    _text("since"),
    _text("idle_until"),
)
"""Threads that belong to one person. `lock` is the whole lock as JSON: people and places by id."""

turns = Table(
    "turns",
    metadata,
    _seq(),
    _text("thread"),
    _text("person"),
    _text("turn", unique=True),
    _text("at"),
    Index("turns_by_thread", "thread", "person", "seq"),
)
"""Which turns changed something, by thread and person: keys only."""

leases = Table(
    "leases",
    metadata,
    _text("name", key=True),
    _text("holder"),
    _text("until"),
)
"""Who holds a name until when."""

cursors = Table(
    "cursors",
    metadata,
    _text("name", key=True),
    _text("value"),
)
"""How far each feed was read."""
