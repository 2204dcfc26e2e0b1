"""Finding pages by their words: BM25 over the postings of the slices that are read, in one statement (FR10, FR11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic_core import from_json
from sqlalchemy import TextualSelect, column, text

from sliceway.core.analysis import FOREIGN, Word
from sliceway.core.fusion import Fused, Meant, fuse
from sliceway.core.neighbours import BEST, Chain, lend, reach, together
from sliceway.core.ranking import Candidate, Part, Postings, Weighed, parts, possible, spelt, weigh
from sliceway.store.filters import Filters, conditions
from sliceway.store.lists import filled, keys_given, keys_said, names_of, size_of
from sliceway.store.neighbours import near
from sliceway.store.session import Session

Key = tuple[str, int]
"""A page by slice and number."""
Row = Mapping[Any, Any]
"""A page by the names of its columns."""

_EXACT = """
SELECT pages.slice, '', {docs}, NULL, NULL, NULL, NULL, NULL FROM pages
WHERE pages.slice IN ({slices}) AND pages.title_key = :query AND pages.deleted_at IS NULL{conditions}
GROUP BY pages.slice
UNION ALL SELECT pages.slice, '', {docs}, NULL, NULL, NULL, NULL, NULL FROM pages
WHERE pages.slice IN ({slices}) AND pages.slug = :query AND pages.deleted_at IS NULL{conditions}
GROUP BY pages.slice"""

_POSTINGS = """
UNION ALL SELECT terms.slice, terms.term, {posted}, {tfs}, {lengths}, {passing}, {before}, {earlier}
FROM terms
LEFT JOIN neighbours AS near ON near.slice = terms.slice AND near.doc = terms.doc
LEFT JOIN neighbours AS far ON far.slice = near.slice AND far.doc = near.before{joined}
WHERE terms.slice IN ({slices}) AND terms.term IN ({terms})
GROUP BY terms.slice, terms.term"""

_COUNTED = """
SELECT slices.slice, slices.docs, slices.length, EXISTS (
    SELECT 1 FROM terms WHERE terms.slice = slices.slice AND terms.term >= :foreign AND terms.term < :beyond
), EXISTS (SELECT 1 FROM links WHERE links.slice = slices.slice) FROM slices
WHERE slices.slice IN ({slices}) AND EXISTS (SELECT 1 FROM pages WHERE pages.slice = slices.slice)
ORDER BY slices.slice"""

_LISTED = {"sqlite": "GROUP_CONCAT({0})", "postgresql": "STRING_AGG(CAST({0} AS TEXT), ',')"}
"""How an engine makes one text of a group's numbers: a row for each posting costs several times as much to hand over.
Two such lists of one group are in one order."""

_NAMES = "slice, doc, slug, title_key"
_WHOLE = f"{_NAMES}, title, content, summary, tags, kind, version, author, approver, updated_at"
_AT_ONCE = 5000
"""Pages in one statement: any number may tie, and an engine takes only so many values."""
_FEW = 64
"""Candidates that are read whole at once; of more, first what orders them."""
_SHAPES = 512
"""Statements of either kind that are kept."""


def _of_columns(said: str, names: str) -> TextualSelect:
    """Return a statement whose columns are known by name, so that they are not looked up in each answer."""
    return text(said).columns(*map(column, names.split(", ")))


@lru_cache(maxsize=_SHAPES)
def _statement(dialect: str, slices_read: int, terms: int, tags: int, filters: tuple[str, ...]) -> TextualSelect:
    """Return the statement that finds, for lists of these lengths and a shape of filters; without terms, what the query
    is exactly."""
    all_of = conditions(filters, tags)
    joined = f" LEFT JOIN pages ON pages.slice = terms.slice AND pages.doc = terms.doc{all_of}"
    listed = _LISTED[dialect].format
    said = (_EXACT + (_POSTINGS if terms else "")).format(
        slices=names_of("slices", slices_read), terms=names_of("terms", terms), conditions=all_of,
        joined=joined if all_of else "", docs=listed("pages.doc"), posted=listed("terms.doc"),
        tfs=listed("terms.tf"), lengths=listed("terms.length"),
        before=listed("COALESCE(near.before, -1)"), earlier=listed("COALESCE(far.before, -1)"),
        passing=listed("CASE WHEN pages.doc IS NULL THEN 0 ELSE 1 END") if all_of else "NULL",
    )  # fmt: skip
    return _of_columns(said, "slice, term, docs, tfs, lengths, passing, before, earlier")


@lru_cache(maxsize=_SHAPES)
def _passing_statement(slices_read: int, tags: int, filters: tuple[str, ...]) -> TextualSelect:
    scope = names_of("slices", slices_read)
    said = (
        f"SELECT pages.slice, pages.doc FROM pages WHERE pages.slice IN ({scope}) "  # noqa: S608 - words of ours alone
        f"AND pages.deleted_at IS NULL{conditions(filters, tags)}"
    )
    return _of_columns(said, "slice, doc")


@lru_cache(maxsize=_SHAPES)
def _counted_statement(count: int) -> TextualSelect:
    return _of_columns(_COUNTED.format(slices=names_of("slices", count)), "slice, docs, length, foreign_pages, linked")


@lru_cache(maxsize=_SHAPES)
def _pages_statement(columns: str, count: int) -> TextualSelect:
    """Return the statement that reads so many pages by slice and number: one index look-up a page. The order of a CROSS
    JOIN is kept by SQLite, which would else read every page there is."""
    said = (
        f"SELECT {columns} FROM ({keys_said(count)}) AS wanted CROSS JOIN pages "  # noqa: S608 - words of ours alone
        "WHERE pages.slice = wanted.column1 AND pages.doc = wanted.column2"
    )
    return _of_columns(said, columns)


@dataclass(frozen=True, slots=True)
class Counted:
    """The readable slices that exist, what ranking counts in them (pages, terms), and whether there are stems of
    another language than English, and links."""

    slices: tuple[str, ...]
    docs: int
    length: int
    foreign_pages: bool = False
    linked: bool = False

    @property
    def average(self) -> float:
        """Terms in a page, on average."""
        return self.length / self.docs if self.docs else 1.0


def counted(session: Session, named: Sequence[str]) -> Counted:
    """Return what there is in those of the slices that ever held a page; what is only asked for shows nowhere."""
    if not named:
        return Counted((), 0, 0)
    scope = filled(named, "slices")
    values = {**scope, "foreign": FOREIGN, "beyond": chr(ord(FOREIGN) + 1)}
    rows = session.execute(_counted_statement(len(scope)), values, of=named).all()
    docs, length = sum(row[1] for row in rows), sum(row[2] for row in rows)
    foreign_pages, linked = (any(row[at] for row in rows) for at in (3, 4))
    return Counted(tuple(row[0] for row in rows), docs, length, foreign_pages, linked)


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, and the highest coverage of all pages that were ranked.

    `phrased` holds those with every word of the quoted phrases, to be verified; `rows`, what `rows_of` would return of
    those that were read already; `fused`, how words and meaning came together.
    """

    candidates: tuple[Candidate, ...]
    most: float
    phrased: frozenset[Key]
    rows: Mapping[Key, Row]
    fused: Fused | None = None


def find(
    session: Session,
    within: Counted,
    words: Sequence[Word],
    query: str,
    *,
    filters: Filters,
    quota: int,
    phrase_terms: Sequence[str] = (),
    meant: Mapping[str, Meant] | None = None,
) -> Found:
    """Return the best `quota` pages of each readable slice (and those that tie with the last), exact titles and
    slugs before scores (FR2, FR5).

    One statement reads the postings of the query's terms in the readable slices, and nothing else is ranked by;
    the sums are made here: SQLite's own grouping took three times as long.

    :param query: the whole query as `phrase_key` writes it, for exact titles and slugs.
    :param phrase_terms: terms of the quoted phrases: pages with all of them are among the candidates first.
    :param meant: what the pages of each slice mean to the query; without, words alone are ranked by.
    """
    if not within.slices:
        return Found((), 0.0, frozenset(), {})
    exact, postings, chains = _posted(session, within, words, query, filters)
    added = parts(postings, within.docs, within.average)
    weighed = weigh(added, phrase_terms)
    for name, doc in exact:
        one = weighed.setdefault(name, Weighed())
        one.scores.setdefault(doc, 0.0)
        one.coverage.setdefault(doc, 0.0)
    phrased = {
        (name, doc)
        for name, one in weighed.items()
        for doc, count in one.phrased.items()
        if count == len(phrase_terms) and doc in one.scores
    }
    lent = _lent(session, weighed, added, chains, filters, quota=quota, strong=phrased | exact, every=meant is not None)
    scores: Mapping[str, Mapping[int, float]] = {
        name: {**one.scores, **lent.get(name, {})} for name, one in weighed.items()
    }
    stands = together(scores, {name: one.scores for name, one in weighed.items()}, chains)
    told: Mapping[str, Mapping[int, float]] = {name: {**each, **stands.get(name, {})} for name, each in scores.items()}
    scores, fused = told, None
    if meant is not None:
        ideal = possible((word.term for word in words), postings, within.docs)
        among = _passing(session, within, filters) if filters.any else None
        fused = fuse(scores, ideal, meant, quota=quota, among=among)
        scores = fused.scores
    best = _best(scores, exact, phrased, quota)
    rows = _pages(session, _WHOLE if len(best) <= _FEW else _NAMES, best)
    candidates = []
    for name, doc in best:
        row, known = rows[name, doc], weighed.get(name, _NOTHING)
        exactly = exact_of(query, row["slug"], row["title_key"]) if (name, doc) in exact else ()
        alone = known.scores.get(doc, 0.0)
        candidates.append(
            Candidate(
                name, row["slug"], doc, round(scores[name][doc], 9), round(known.coverage.get(doc, 0.0), 9), exactly,
                worded=alone > 0, lent=told.get(name, {}).get(doc, 0.0) > alone,
                meaning=fused.meaning[name][doc] if fused is not None else 0.0,
            )
        )  # fmt: skip
    most = max((max(one.coverage.values(), default=0.0) for one in weighed.values()), default=0.0)
    whole = rows if len(best) <= _FEW else {}
    return Found(tuple(candidates), most, frozenset(phrased.intersection(best)), whole, fused)


def _passing(session: Session, within: Counted, filters: Filters) -> dict[str, set[int]]:
    """Return the live pages that pass the filters, by slice."""
    scope = filled(within.slices, "slices")
    statement = _passing_statement(len(scope), len(filters.tags), tuple(filters.given))
    found: dict[str, set[int]] = {}
    for name, doc in session.execute(statement, {**scope, **filters.values}, of=within.slices):
        found.setdefault(name, set()).add(doc)
    return found


def _lent(
    session: Session,
    weighed: Mapping[str, Weighed],
    added: Sequence[Part],
    chains: dict[str, dict[int, Chain]],
    filters: Filters,
    *,
    quota: int,
    strong: Collection[Key],
    every: bool,
) -> dict[str, dict[int, float]]:
    """Return the scores of pages that their neighbours lend something to, wherever that may bring one among the best
    `quota`, and of those that are `strong` however they score; of `every` page that has a word, where that counts.

    What follows what is known of the pages that have a word of the query. Pages without one are looked for only around
    those that may lend them enough.
    """
    if filters.any:
        for name, one in weighed.items():
            chains[name] = {doc: chain for doc, chain in chains.get(name, {}).items() if doc in one.scores}
    bars = _bars({name: one.scores for name, one in weighed.items() if one.scores}, BEST if every else max(quota, BEST))
    keys: list[Key] = []
    wanted: dict[str, set[int]] = {}
    for name, bar in bars.items():
        wanted[name], around = reach(weighed[name].scores, chains.get(name, {}), bar * _NEARLY)
        keys.extend((name, doc) for doc in around)
    for name, doc in strong:
        wanted[name].add(doc)
    if keys:
        said = conditions(filters.given, len(filters.tags))
        for name, found in near(session, keys, conditions=said, values=filters.values).items():
            chains.setdefault(name, {}).update(found)
            wanted[name].update(found)
    return lend(added, chains, None if every else wanted)


def _posted(
    session: Session, within: Counted, words: Sequence[Word], query: str, filters: Filters
) -> tuple[set[Key], list[Postings], dict[str, dict[int, Chain]]]:
    """Return the pages whose title or slug the query is, and the postings of its words, and for each page that has
    one those before it."""
    terms = list(dict.fromkeys(term for word in words for term in word.terms))
    scope = filled(within.slices, "slices")
    wanted = filled(terms, "terms") if terms else {}
    statement = _statement(session.dialect, len(scope), len(wanted), len(filters.tags), tuple(filters.given))
    values = {"query": query, **scope, **wanted, **filters.values}
    exact: set[Key] = set()
    postings = []
    chains: dict[str, dict[int, Chain]] = {}
    for name, term, docs, tfs, lengths, passing, before, earlier in session.execute(
        statement, values, of=within.slices
    ).all():
        if not term:  # no term is empty
            exact.update((name, doc) for doc in _numbers(docs))
            continue
        passes = [number > 0 for number in _numbers(passing)] if passing is not None else None
        listed = _numbers(docs)
        chains.setdefault(name, {}).update(
            zip(listed, zip(_numbers(before), _numbers(earlier), strict=True), strict=True)
        )
        postings.append(Postings(name, term, listed, _numbers(tfs), _numbers(lengths), passes))
    return exact, spelt(postings, words), chains


def _numbers(listed: str) -> list[int]:
    """Return the numbers of a list as the engine wrote it, four times as fast as by `int` of each."""
    numbers: list[int] = from_json(f"[{listed}]")
    return numbers


_NEARLY = 1 - 1e-9
_FIRST, _PHRASED = float(1 << 21), float(1 << 20)
"""What an exact title or slug, and every word of the phrases, count beside a score: more than any (FR5)."""

_NOTHING = Weighed()


def _best(
    scores: Mapping[str, Mapping[int, float]], first: Collection[Key], phrased: Collection[Key], quota: int
) -> list[Key]:  # fmt: skip
    """Return the pages that may be among the best `quota`: those of each slice, and those that tie with the last."""
    places = {name: dict(each) for name, each in scores.items() if each}
    for strong, keys in ((_FIRST, first), (_PHRASED, phrased)):
        for name, doc in keys:
            places[name][doc] += strong
    bars = _bars(places, quota)
    return [(name, doc) for name, each in places.items() for doc, place in each.items() if place >= bars[name]]


def _bars(places: Mapping[str, Mapping[int, float]], quota: int) -> dict[str, float]:
    """Return, for each slice that has a page, the least place that is wanted of it: beside the slice's best, a page is
    wanted only if it is among the best `quota` of all."""
    tops = {name: sorted(each.values(), reverse=True)[:quota] for name, each in places.items()}
    all_tops = sorted((place for top in tops.values() for place in top), reverse=True)[:quota]
    least = all_tops[-1] if len(all_tops) == quota else 0.0
    return {
        name: min(max(least, top[-1] if len(top) == quota else 0.0), top[0]) for name, top in tops.items()
    }  # fmt: skip


def rows_of(session: Session, keys: Sequence[Key]) -> dict[Key, Row]:
    """Return pages by slice and number."""
    return _pages(session, _WHOLE, keys)


def _pages(session: Session, columns: str, keys: Sequence[Key]) -> dict[Key, Row]:
    found: dict[Key, Row] = {}
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        statement = _pages_statement(columns, size_of(len(some)))
        read = session.execute(statement, keys_given(some), of={name for name, _ in some}).mappings().all()
        found |= {(row["slice"], row["doc"]): row for row in read}
    return found


def exact_of(query: str, slug: str, title_key: str) -> tuple[str, ...]:
    """Return which of title and slug the query is, exactly."""
    return tuple(name for name, value in (("title", title_key), ("slug", slug)) if value == query)
