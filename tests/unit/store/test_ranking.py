"""The statement that ranks, against a brute-force BM25 of a few lines (FR2, FR10, FR11)."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sliceway.brain.local import SCRIPTS
from sliceway.core.analysis import page_terms, query_terms, query_words
from sliceway.core.pages import Author, PageDraft
from sliceway.core.proposals import ProposedPage
from sliceway.core.ranking import Candidate, in_order
from sliceway.store.engine_sqlite import SqliteDatabase
from sliceway.store.filters import Filters
from sliceway.store.ledger import slice_transaction
from sliceway.store.migrate import migrate
from sliceway.store.pages import Signature, apply
from sliceway.store.search import counted, find
from tests.fakes.clock import ids
from tests.fakes.stores import looked_at, written
from tests.fakes.trace import traced

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
WORDS = ["deploy", "rotation", "monday", "build_2301", "err-42", "東京", "pager", "the", "database", "migration"]
AUTHOR = Author("ada", None, None, "local")
Docs = dict[tuple[str, str], str]
NEW_ID = ids()


def _brute(docs: Docs, query: str) -> dict[tuple[str, str], float]:
    """Score every page by the book: each word where it stands best, on the page or on those before and after it; and a
    tenth of the best two with words that stand within two of it. There are fewer pages than the best that count."""
    counts = {
        key: page_terms(slug=key[1], title=key[1], content=content, summary=None, tags=(), author=AUTHOR,
                        at="2026-05-04T09:30:00.000000Z")
        for key, content in docs.items()
    }  # fmt: skip
    average = sum(sum(each.values()) for each in counts.values()) / len(counts)
    scores, own = dict.fromkeys(counts, 0.0), dict.fromkeys(counts, 0.0)
    for term in query_terms(query):
        df = sum(term in each for each in counts.values())
        idf = math.log(1 + (len(counts) - df + 0.5) / (df + 0.5))
        part = {
            key: idf * terms[term] * 1.9 / (terms[term] + 0.9 * (1 - 0.3 + 0.3 * sum(terms.values()) / average))
            for key, terms in counts.items()
        }
        own = {key: own[key] + part[key] for key in own}
        for name in {name for name, _ in docs}:
            said = [0.0, 0.0, *(part[key] for key in docs if key[0] == name), 0.0]
            for at, key in enumerate((key for key in docs if key[0] == name), start=2):
                scores[key] += max(said[at], 0.6 * said[at - 1], 0.3 * said[at - 2], 0.25 * said[at + 1])
    found = dict(scores)
    for name in {name for name, _ in docs}:
        listed = [key for key in docs if key[0] == name]
        for at, key in enumerate(listed):
            beside = [*listed[max(at - 2, 0) : at], *listed[at + 1 : at + 3]]
            found[key] += 0.1 * sum(sorted((scores[each] for each in beside if own[each] > 0), reverse=True)[:2])
    return {key: found[key] for key, score in scores.items() if score > 0}


def _fill(database: SqliteDatabase, docs: Docs) -> None:
    for name in sorted({name for name, _ in docs}):
        with (
            written(database, name) as session,
            slice_transaction(session, name, clock=lambda: NOW, new_id=NEW_ID) as transaction,
        ):
            for (where, slug), content in docs.items():
                if where == name:
                    page = ProposedPage(slug, None, PageDraft(slug, content))
                    apply(transaction, "write", page, Signature(AUTHOR))


def _database(folder: Path) -> SqliteDatabase:
    database = SqliteDatabase(f"sqlite:///{folder / 'store.db'}", sync="normal")
    migrate(database, SCRIPTS)
    return database


contents = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
stores = st.dictionaries(
    st.tuples(st.sampled_from(["agent-ada", "shared", "public"]), st.sampled_from([f"n/{at}" for at in range(6)])),
    contents, min_size=1, max_size=14,
)  # fmt: skip


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(docs=stores, foreign=stores, query=contents)
def test_fr11_scores_are_exact_and_know_nothing_of_other_slices(
    tmp_path_factory: pytest.TempPathFactory, docs: Docs, foreign: Docs, query: str
) -> None:
    """FR11: every score is the brute-force BM25 of the readable union, whatever other slices hold."""
    database = _database(tmp_path_factory.mktemp("rank"))
    try:
        _fill(database, docs)
        _fill(database, {("agent-bob", slug): content for (_, slug), content in foreign.items()})
        readable = ["agent-ada", "public", "shared"]
        with looked_at(database) as session:
            found = find(session, counted(session, readable), query_words(query), query, filters=Filters(), quota=200)
            few = find(session, counted(session, readable), query_words(query), query, filters=Filters(), quota=1)
        expected = _brute(docs, query)
        assert {(one.slice, one.slug): one.score for one in found.candidates} == pytest.approx(expected)
        best = max(expected.values(), default=0.0)
        assert max((one.score for one in few.candidates), default=0.0) == pytest.approx(best)
    finally:
        database.engine.dispose()


def test_fr10_the_cost_follows_the_slices_that_are_read(tmp_path: Path) -> None:
    """FR10: a hundred times as many pages elsewhere take not one more of the engine's instructions to rank."""
    database = _database(tmp_path)
    drawn = random.Random(7)

    def docs(name: str, count: int) -> Docs:
        return {(name, f"n/{at}"): " ".join(drawn.choices(WORDS, k=8)) for at in range(count)}

    _fill(database, docs("agent-ada", 20) | docs("shared", 20))

    def steps() -> int:
        with traced(database) as trace, looked_at(database) as session:
            within = counted(session, ["agent-ada", "shared"])
            find(session, within, query_words("deploy monday"), "x", filters=Filters(), quota=10)
        return trace.steps

    before = steps()
    _fill(database, docs("agent-bob", 1000))
    after = steps()
    database.engine.dispose()
    assert before > 0
    assert after <= before * 1.02


candidates = st.lists(
    st.builds(
        Candidate,
        st.sampled_from(["agent-a", "shared", "public"]), st.sampled_from([f"n/{at}" for at in range(9)]), st.just(0),
        st.sampled_from([0.5, 1.0, 2.0, 4.0]), st.sampled_from([1.0, 2.0, 3.0]),
        st.sampled_from([(), (), ("title",)]), st.booleans(),
    ),
    unique_by=lambda one: (one.slice, one.slug), max_size=20,
)  # fmt: skip


@given(candidates)
def test_fr2_a_slice_s_best_hit_that_answers_as_well_has_one_of_each_other_before_it(found: list[Candidate]) -> None:
    """FR2: among equals in FR5's sense, such a hit has at most one hit of each other slice before it; scores fall."""
    most = max((one.coverage for one in found), default=0.0)
    ranked = in_order(found, most)
    order = [each.candidate for each in ranked]
    assert [each.score for each in ranked] == sorted((each.score for each in ranked), reverse=True)
    seen: set[str] = set()
    for at, one in enumerate(order):
        if one.slice in seen:
            continue
        seen.add(one.slice)
        before = [other.slice for other in order[:at] if other.strength == one.strength]
        if one.coverage == most:
            assert all(before.count(name) <= 1 for name in before)
