"""Finding pages by their words: BM25 over the postings of the slices that are read, in one statement (FR10, FR11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, TextualSelect, column, func, or_, select, text

from sliceway.core.analysis import FOREIGN, Word, phrase_key
from sliceway.core.neighbours import REACH, lend
from sliceway.core.ranking import Candidate, Postings, Weighed, spelt, weigh
from sliceway.errors import FieldError, InvalidRequest
from sliceway.store import ledger
from sliceway.store.lists import keys_given, keys_said, size_of
from sliceway.store.neighbours import near
from sliceway.store.session import Session
from sliceway.store.tables import page_versions, pages

Key = tuple[str, int]
"""A page by slice and number."""
Row = Mapping[Any, Any]
"""A page by the names of its columns."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What a page must be to be looked at: hard, and before any limit (FR4). Times as the store writes them."""

    agent: str | None = None
    tags: tuple[str, ...] = ()
    kind: str | None = None
    since: str | None = None
    until: str | None = None

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return self != _NO_FILTERS


_NO_FILTERS = Filters()

_EXACT = """
SELECT pages.slice, '', {docs}, NULL, NULL, NULL FROM pages
WHERE pages.slice IN ({slices}) AND pages.title_key = :query AND pages.deleted_at IS NULL{conditions}
GROUP BY pages.slice
UNION ALL SELECT pages.slice, '', {docs}, NULL, NULL, NULL FROM pages
WHERE pages.slice IN ({slices}) AND pages.slug = :query AND pages.deleted_at IS NULL{conditions}
GROUP BY pages.slice"""

_POSTINGS = """
UNION ALL SELECT terms.slice, terms.term, {posted}, {tfs}, {lengths}, {passing}
FROM terms{joined}
WHERE terms.slice IN ({slices}) AND terms.term IN ({terms})
GROUP BY terms.slice, terms.term"""

_COUNTED = """
SELECT slices.slice, slices.docs, slices.length, EXISTS (
    SELECT 1 FROM terms WHERE terms.slice = slices.slice AND terms.term >= :foreign AND terms.term < :beyond
) FROM slices
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


def _filled(values: Sequence[str], name: str) -> dict[str, str]:
    """Return the values of a list in a statement by their names there, the last one repeated to its end."""
    last = len(values) - 1
    return {f"{name}_{at}": values[min(at, last)] for at in range(size_of(len(values)))}


def _names(name: str, count: int) -> str:
    return ", ".join(f":{name}_{at}" for at in range(count))


def _of_columns(said: str, names: str) -> TextualSelect:
    """Return a statement whose columns are known by name, so that they are not looked up in each answer."""
    return text(said).columns(*map(column, names.split(", ")))


@lru_cache(maxsize=_SHAPES)
def _statement(dialect: str, slices_read: int, terms: int, tags: int, filters: tuple[str, ...]) -> TextualSelect:
    """Return the statement that finds, for lists of these lengths and a shape of filters; without terms, what the query
    is exactly."""
    conditions = [_CONDITIONS[name] for name in filters] + [_tag_condition(at) for at in range(tags)]
    all_of = "".join(f" AND {condition}" for condition in conditions)
    joined = f" LEFT JOIN pages ON pages.slice = terms.slice AND pages.doc = terms.doc{all_of}"
    listed = _LISTED[dialect].format
    said = (_EXACT + (_POSTINGS if terms else "")).format(
        slices=_names("slices", slices_read), terms=_names("terms", terms), conditions=all_of,
        joined=joined if conditions else "", docs=listed("pages.doc"), posted=listed("terms.doc"),
        tfs=listed("terms.tf"), lengths=listed("terms.length"),
        passing=listed("CASE WHEN pages.doc IS NULL THEN 0 ELSE 1 END") if conditions else "NULL",
    )  # fmt: skip
    return _of_columns(said, "slice, term, docs, tfs, lengths, passing")


@lru_cache(maxsize=_SHAPES)
def _counted_statement(count: int) -> TextualSelect:
    return _of_columns(_COUNTED.format(slices=_names("slices", count)), "slice, docs, length, foreign_pages")


@lru_cache(maxsize=_SHAPES)
def _pages_statement(columns: str, count: int) -> TextualSelect:
    """Return the statement that reads so many pages by slice and number: one index look-up a page. The order of a CROSS
    JOIN is kept by SQLite, which would else read every page there is."""
    said = (
        f"SELECT {columns} FROM ({keys_said(count)}) AS wanted CROSS JOIN pages "  # noqa: S608 - words of ours alone
        "WHERE pages.slice = wanted.column1 AND pages.doc = wanted.column2"
    )
    return _of_columns(said, columns)


_CONDITIONS = {
    "agent": "pages.agent = :agent",
    "kind": "pages.kind = :kind",
    "since": "pages.updated_at >= :since",
    "until": "pages.updated_at < :until",
}


def _tag_condition(at: int) -> str:
    """Return the condition for one tag: a whole string of the JSON list, first or after a comma.

    REPLACE heeds the case of letters on every engine, which LIKE does not.
    """
    return (
        f"(REPLACE(pages.tags, :first{at}, '') <> pages.tags OR REPLACE(pages.tags, :later{at}, '') <> pages.tags)"
    )  # fmt: skip


def _tag_values(tags: Sequence[str]) -> dict[str, str]:
    values = {}
    for at, tag in enumerate(tags):
        quoted = ledger.json_text(tag)
        values[f"first{at}"] = f"[{quoted}"
        values[f"later{at}"] = f",{quoted}"
    return values


def tags_hold(tag: str) -> ColumnElement[bool]:
    """Return the condition that a page has a tag."""
    values = _tag_values([tag])
    return or_(*(func.replace(pages.c.tags, value, "") != pages.c.tags for value in values.values()))


@dataclass(frozen=True, slots=True)
class Counted:
    """The readable slices that exist, and what ranking counts in them: pages, and terms in them; and whether there are
    pages with stems of another language than English."""

    slices: tuple[str, ...]
    docs: int
    length: int
    foreign_pages: bool = False

    @property
    def average(self) -> float:
        """Terms in a page, on average."""
        return self.length / self.docs if self.docs else 1.0


def counted(session: Session, named: Sequence[str]) -> Counted:
    """Return what there is in those of the slices that ever held a page; what is only asked for shows nowhere."""
    if not named:
        return Counted((), 0, 0)
    scope = _filled(named, "slices")
    values = {**scope, "foreign": FOREIGN, "beyond": chr(ord(FOREIGN) + 1)}
    rows = session.execute(_counted_statement(len(scope)), values, of=named).all()
    docs, length = sum(row[1] for row in rows), sum(row[2] for row in rows)
    return Counted(tuple(row[0] for row in rows), docs, length, any(row[3] for row in rows))


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, and the highest coverage of all pages that were ranked.

    `phrased` holds those with every word of the quoted phrases, to be verified; `rows`, what `rows_of` would return of
    those that were read already.
    """

    candidates: tuple[Candidate, ...]
    most: float
    phrased: frozenset[Key]
    rows: Mapping[Key, Row]


def find(
    session: Session,
    within: Counted,
    words: Sequence[Word],
    query: str,
    *,
    filters: Filters,
    quota: int,
    phrase_terms: Sequence[str] = (),
) -> Found:
    """Return the best `quota` pages of each readable slice (and those that tie with the last), exact titles and
    slugs before scores (FR2, FR5).

    One statement reads the postings of the query's terms in the readable slices, and nothing else is ranked by;
    the sums are made here: SQLite's own grouping took three times as long.

    :param query: the whole query as `phrase_key` writes it, for exact titles and slugs.
    :param phrase_terms: terms of the quoted phrases: pages with all of them are among the candidates first.
    """
    if not within.slices:
        return Found((), 0.0, frozenset(), {})
    exact, postings = _posted(session, within, words, query, filters)
    weighed = weigh(postings, within.docs, within.average, phrase_terms)
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
    own = {name: dict(one.scores) for name, one in weighed.items()}
    _add_lent(session, within, weighed, postings, filters, quota, {*exact, *phrased})
    best = _best(weighed, exact, phrased, quota)
    rows = _pages(session, _WHOLE if len(best) <= _FEW else _NAMES, best)
    candidates = tuple(
        Candidate(
            name, rows[name, doc]["slug"], doc, round(weighed[name].scores[doc], 9),
            round(weighed[name].coverage.get(doc, 0.0), 9),
            exact_of(query, rows[name, doc]["slug"], rows[name, doc]["title_key"]) if (name, doc) in exact else (),
            worded=own[name].get(doc, 0.0) > 0, lent=weighed[name].scores[doc] > own[name].get(doc, 0.0),
        )
        for name, doc in best
    )  # fmt: skip
    most = max((max(one.coverage.values(), default=0.0) for one in weighed.values()), default=0.0)
    return Found(candidates, most, frozenset(phrased.intersection(best)), rows if len(best) <= _FEW else {})


def _add_lent(
    session: Session,
    within: Counted,
    weighed: Mapping[str, Weighed],
    postings: Sequence[Postings],
    filters: Filters,
    quota: int,
    always: Collection[Key],
) -> None:
    """Add to the scores of pages what their neighbours lend them, wherever that may bring one among the best `quota`.

    A page whose own score and all whose neighbours' lie `REACH` times below the last of the best stays out of them.
    """
    bars = _bars({name: one.scores for name, one in weighed.items() if one.scores}, quota)
    keys = {
        (name, doc) for name, bar in bars.items() for doc, score in weighed[name].scores.items() if score >= bar / REACH
    }
    if not keys:
        return
    conditions, values = _conditions(filters), {**_given(filters), **_tag_values(filters.tags)}
    found = near(session, sorted(keys.union(always)), conditions=conditions, values=values)
    for name, scores in lend(postings, found, within.docs, within.average).items():
        weighed[name].scores.update(scores)


def _given(filters: Filters) -> dict[str, str]:
    """Return the filters that are set, but for tags."""
    named = {"agent": filters.agent, "kind": filters.kind, "since": filters.since, "until": filters.until}
    return {name: value for name, value in named.items() if value is not None}


def _conditions(filters: Filters) -> str:
    """Return the filters as conditions after others."""
    listed = [_CONDITIONS[name] for name in _given(filters)] + [_tag_condition(at) for at in range(len(filters.tags))]
    return "".join(f" AND {condition}" for condition in listed)


def _posted(
    session: Session, within: Counted, words: Sequence[Word], query: str, filters: Filters
) -> tuple[set[Key], list[Postings]]:
    """Return the pages whose title or slug the query is, and the postings of its words."""
    terms = list(dict.fromkeys(term for word in words for term in word.terms))
    given = _given(filters)
    scope = _filled(within.slices, "slices")
    wanted = _filled(terms, "terms") if terms else {}
    statement = _statement(session.dialect, len(scope), len(wanted), len(filters.tags), tuple(given))
    values = {"query": query, **scope, **wanted, **given, **_tag_values(filters.tags)}
    exact: set[Key] = set()
    postings = []
    for name, term, docs, tfs, lengths, passing in session.execute(statement, values, of=within.slices).all():
        if not term:  # no term is empty
            exact.update((name, doc) for doc in _numbers(docs))
            continue
        passes = [number > 0 for number in _numbers(passing)] if passing is not None else None
        postings.append(Postings(name, term, _numbers(docs), _numbers(tfs), _numbers(lengths), passes))
    return exact, spelt(postings, words)


def _numbers(listed: str) -> list[int]:
    return list(map(int, listed.split(",")))


_FIRST, _PHRASED = float(1 << 21), float(1 << 20)
"""What an exact title or slug, and every word of the phrases, count beside a score: more than any (FR5)."""


def _best(weighed: Mapping[str, Weighed], first: Collection[Key], phrased: Collection[Key], quota: int) -> list[Key]:
    """Return the pages that may be among the best `quota`: those of each slice, and those that tie with the last."""
    places = {name: dict(one.scores) for name, one in weighed.items() if one.scores}
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


def agent_named(session: Session, readable: Sequence[str], saved_by: str) -> str | None:
    """Return the author that `saved_by` means among the live pages of the readable slices, None for nobody (FR4).

    :raises InvalidRequest: it is no author's exact name and, case folded, that of two.
    """
    wanted = saved_by.strip()
    if not readable:
        return None
    authors = select(pages.c.agent).where(
        pages.c.slice.in_(readable), pages.c.deleted_at.is_(None), pages.c.agent.is_not(None)
    )
    if session.execute(authors.where(pages.c.agent == wanted).limit(1), of=readable).first() is not None:
        return wanted
    return agent_meant(wanted, set(session.execute(authors.distinct(), of=readable).scalars()))


def agent_meant(saved_by: str, agents: Collection[str]) -> str | None:
    """Return which of `agents` is meant: the very one, or else the only one that is the same case folded (FR4).

    :raises InvalidRequest: it is no author's exact name and, case folded, that of two.
    """
    wanted = saved_by.strip()
    if wanted in agents:
        return wanted
    folded = sorted(agent for agent in agents if agent.casefold() == wanted.casefold())
    if len(folded) > 1:
        said = f"it could be {' or '.join(folded)}; write it exactly"
        raise InvalidRequest(errors=[FieldError("saved_by", "invalid_request", said)])
    return folded[0] if folded else None


def passes(row: Mapping[str, Any], filters: Filters) -> bool:
    """Say whether a version passes the filters."""
    tags = ledger.json_value(row["tags"])
    return (
        (filters.agent is None or row["agent"] == filters.agent)
        and (filters.kind is None or row["kind"] == filters.kind)
        and (filters.since is None or row["updated_at"] >= filters.since)
        and (filters.until is None or row["updated_at"] < filters.until)
        and all(tag in tags for tag in filters.tags)
    )


def versions_at(session: Session, readable: Sequence[str], moment: str) -> list[Mapping[str, Any]]:
    """Return the versions that were current at a moment in the readable slices, without deletions, by slice and slug.

    Each has the columns of `page_versions` and what `rows_of` names besides.
    """
    if not readable:
        return []
    found = session.execute(
        select(page_versions)
        .where(page_versions.c.slice.in_(readable), page_versions.c.at <= moment)
        .order_by(page_versions.c.slice, page_versions.c.slug, page_versions.c.version),
        of=readable,
    ).mappings()
    first: dict[tuple[str, str], int] = {}
    current: dict[tuple[str, str], Mapping[Any, Any]] = {}
    for row in found:
        key = row["slice"], row["slug"]
        first.setdefault(key, row["seq"])
        current[key] = row
    return [
        {**{str(name): value for name, value in row.items()}, "updated_at": row["at"],
         "title_key": phrase_key(row["title"]), "doc": first[key]}
        for key, row in current.items()
        if row["content"] is not None
    ]  # fmt: skip
