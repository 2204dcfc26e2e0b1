"""The desk's tables: their own metadata, in their own file. They hold ids, and text only while it is still needed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()
"""Everything in the desk's file."""

CONTENT: dict[Any, Any] = {"content": True}
"""Marks a column that may hold what people wrote, so that erasing finds them all (BR10)."""

inbox = Table(
    "inbox",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("key", String(300), nullable=False, unique=True),
    Column("queue", String(300), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("payload", Text, info=CONTENT),
    Column("state", String(10), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("received_at", String(30), nullable=False),
    Column("due_at", String(30), nullable=False),
    Column("holder", String(80)),
    Column("lease_until", String(30)),
    Column("ended_at", String(30)),
    Column("error", String(500)),
    Index("inbox_by_state", "state", "ended_at"),
    Index("inbox_by_queue", "queue", "state", "seq"),
)
"""Deliveries. `state` is `waiting`, `taken`, `done` or `dead`."""

owed = Table(
    "owed",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("key", String(300), nullable=False, unique=True),
    Column("lane", String(300), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("payload", Text, info=CONTENT),
    Column("state", String(10), nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("due_at", String(30), nullable=False),
    Column("holder", String(80)),
    Column("lease_until", String(30)),
    Column("ended_at", String(30)),
    Index("owed_by_state", "state", "ended_at"),
    Index("owed_by_lane", "lane", "state", "seq"),
)
"""What is owed to people. `state` is `waiting`, `taken` or `done`."""

locks = Table(
    "locks",
    metadata,
    Column("team", String(40), primary_key=True),
    Column("channel", String(40), primary_key=True),
    Column("thread", String(40), primary_key=True),
    Column("owner_group", String(40), nullable=False),
    Column("owner_user", String(40), nullable=False),
    Column("lock", Text, nullable=False),
    Column("since", String(30), nullable=False),
    Column("idle_until", String(30), nullable=False),
)
"""Threads that belong to one person. `lock` is the whole lock as JSON: people and places by id."""

turns = Table(
    "turns",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("thread", String(160), nullable=False),
    Column("person", String(100), nullable=False),
    Column("turn", String(300), nullable=False, unique=True),
    Column("at", String(30), nullable=False),
    Index("turns_by_thread", "thread", "person", "seq"),
)
"""Which turns changed something, by thread and person: keys only."""

leases = Table(
    "leases",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("holder", String(80), nullable=False),
    Column("until", String(30), nullable=False),
)
"""Who holds a name until when."""

cursors = Table(
    "cursors",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("value", String(200), nullable=False),
)
"""How far each feed was read."""
