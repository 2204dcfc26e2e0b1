"""Going to a store's rows past the brain, for tests of the store itself: to all of them, or to change one slice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sliceway.core.access import keeping
from sliceway.store.engine import Database
from sliceway.store.session import Session, Store


@contextmanager
def looked_at(database: Database) -> Iterator[Session]:
    """Give a session that reads every slice."""
    with Store(database).read() as session:
        session.enter(keeping())
        yield session


@contextmanager
def written(database: Database, slice_name: str) -> Iterator[Session]:
    """Give a session that changes one slice."""
    with Store(database).write() as session:
        session.enter(keeping(slice_name))
        yield session
