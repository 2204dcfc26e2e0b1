"""Whatever is done to a page in whatever order: it reads as a plain list of versions would, and the record holds."""

from __future__ import annotations

from contextlib import suppress
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sliceway.brain.local import SCRIPTS
from sliceway.core.pages import Action, Author, PageDraft
from sliceway.core.proposals import ProposedPage
from sliceway.errors import InvalidRequest, NotFound, StaleEvent
from sliceway.store.engine_sqlite import SqliteDatabase
from sliceway.store.ledger import slice_transaction
from sliceway.store.migrate import migrate
from sliceway.store.pages import Signature, apply
from sliceway.store.reads import live_page, version_of_page
from sliceway.store.rebuild import rebuild_slice
from sliceway.store.verify import verify
from tests.fakes.clock import HandClock, ids
from tests.fakes.stores import looked_at, written

BY = Signature(Author("ada", None, None, "local"))
acts = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(["one [[m]]", "two [[n]]", "three"])),
        st.tuples(st.just("delete"), st.none()),
        st.tuples(st.just("restore"), st.one_of(st.none(), st.integers(1, 6))),
        st.tuples(st.just("undo"), st.sampled_from(["last", "first"])),
    ),
    max_size=12,
)
_STORES = count()


class _Model:
    """A page as a list of what each version reads; None is a deletion."""

    def __init__(self) -> None:
        self.texts: list[str | None] = []
        self.events: list[str] = []

    @property
    def now(self) -> str | None:
        return self.texts[-1] if self.texts else None

    def expected(self, op: str, value: str | int | None) -> str | type[Exception] | None:
        """Return what the page reads after an act, or what it is refused with."""
        if op == "write":
            assert isinstance(value, str)
            return value
        if not self.texts or (op == "delete" and self.now is None):
            return NotFound
        if op == "delete":
            return None
        if op == "undo":
            if value == "first" and len(self.events) > 1:
                return StaleEvent
            return self.texts[-2] if len(self.texts) > 1 else None
        return self._restored(value if isinstance(value, int) else None)

    def _restored(self, version: int | None) -> str | type[Exception]:
        if version is None and self.now is not None:
            return InvalidRequest
        if version is None:
            return next((text for text in reversed(self.texts) if text is not None), NotFound)
        found = self.texts[version - 1] if version <= len(self.texts) else None
        return found if found is not None else NotFound


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(acts)
def test_br7_a_page_reads_as_its_versions_say_and_the_record_holds(
    tmp_path_factory: pytest.TempPathFactory, done: list[tuple[str, str | int | None]]
) -> None:
    """BR7 BR10 BR11: writes, deletions, restores and undos in any order: text, numbers, refusals and projections."""
    database = SqliteDatabase(f"sqlite:///{tmp_path_factory.mktemp('page')}/{next(_STORES)}.db", sync="normal")
    try:
        migrate(database, SCRIPTS)
        _play(database, done)
    finally:
        database.engine.dispose()


def _play(database: SqliteDatabase, done: list[tuple[str, str | int | None]]) -> None:
    model, new_id = _Model(), ids()
    for op, value in done:
        expected = model.expected(op, value)
        page = ProposedPage(
            "n",
            None,
            draft=PageDraft("n", value) if op == "write" and isinstance(value, str) else None,
            version=value if op == "restore" and isinstance(value, int) else None,
            event=(model.events[-1 if value == "last" else 0] if model.events else "none") if op == "undo" else None,
        )
        with (
            written(database, "agent-ada") as session,
            slice_transaction(session, "agent-ada", clock=HandClock(), new_id=new_id) as transaction,
        ):
            if isinstance(expected, type):
                with pytest.raises(expected):
                    apply(transaction, op, page, BY)
                continue
            receipt = apply(transaction, op, page, BY)
        if receipt.action is not Action.NOCHANGE:
            model.texts.append(expected)
            model.events.append(receipt.event_id)
        assert receipt.version == len(model.texts)
    with looked_at(database) as session:
        live = live_page(session, "agent-ada", "n")
        assert (live.content if live is not None else None) == model.now
        for number, text in enumerate(model.texts, start=1):
            version = version_of_page(session, "agent-ada", "n", version=number)
            assert (version.content if version is not None else None) == text
        assert verify(session).errors == ()


moves = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "delete", "restore"]), st.sampled_from(["d/1", "d/2", "d/3", "e/1", "f"]),
        st.sampled_from([None, None, "d/1", "d/2", "f", "nowhere"]),
    ),
    max_size=14,
)  # fmt: skip


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(moves)
def test_br11_neighbours_are_in_step_whatever_page_comes_moves_and_leaves(
    tmp_path_factory: pytest.TempPathFactory, done: list[tuple[str, str, str | None]]
) -> None:
    """BR11 BR10: which page stands before which follows from the pages that live, kept step by step or made anew."""
    database = SqliteDatabase(f"sqlite:///{tmp_path_factory.mktemp('near')}/{next(_STORES)}.db", sync="normal")
    new_id = ids()
    try:
        migrate(database, SCRIPTS)
        with written(database, "agent-ada") as session:
            for op, slug, after in done:
                draft = PageDraft(slug, f"on {slug}", after=after) if op == "write" else None
                with (
                    slice_transaction(session, "agent-ada", clock=HandClock(), new_id=new_id) as transaction,
                    suppress(NotFound, InvalidRequest),
                ):
                    apply(transaction, op, ProposedPage(slug, None, draft=draft), BY)
        with looked_at(database) as session:
            assert verify(session).errors == ()
        with written(database, "agent-ada") as session:
            rebuild_slice(session, "agent-ada", lambda _: None)
        with looked_at(database) as session:
            assert verify(session).errors == ()
    finally:
        database.engine.dispose()
