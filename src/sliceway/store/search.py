"""Finding pages by their words: BM25 over the postings of the slices that are read, in one statement (FR10, FR11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, TextClause, bindparam, func, or_, select, text

from sliceway.core.analysis import phrase_key
from sliceway.core.ranking import Candidate, Weighed, weigh
from sliceway.errors import FieldError, InvalidRequest
from sliceway.store import ledger
from sliceway.store.session import Session
from sliceway.store.tables import page_versions, pages, slices

Key = tuple[str, int]
"""A page by slice and number."""


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

_POSTINGS = """
SELECT terms.slice, terms.doc, terms.term, terms.tf, terms.length, {passes} AS passes
FROM terms {joined}
WHERE terms.slice IN :slices AND terms.term IN :terms"""

_EXACT = """
SELECT pages.slice, pages.doc FROM pages
WHERE pages.slice IN :slices AND pages.title_key = :query AND pages.deleted_at IS NULL {conditions}
UNION SELECT pages.slice, pages.doc FROM pages
WHERE pages.slice IN :slices AND pages.slug = :query AND pages.deleted_at IS NULL {conditions}"""

_NAMES = "slice, doc, slug, title_key"
_AT_ONCE = 5000
"""Pages in one statement: any number may tie, and an engine takes only so many values."""
_WHOLE = "slice, doc, slug, title, content, summary, tags, kind, version, author, approver, updated_at"


@cache
def _statement(template: str, tags: int, filters: tuple[str, ...]) -> TextClause:
    """Return the statement for a shape of filters; made once for each shape."""
    listed = [_CONDITIONS[name] for name in filters] + [_tag_condition(at) for at in range(tags)]
    conditions = "".join(f" AND {condition}" for condition in listed)
    joined = f"LEFT JOIN pages ON pages.slice = terms.slice AND pages.doc = terms.doc{conditions}" if listed else ""
    said = template.format(
        joined=joined, conditions=conditions, passes="pages.doc IS NOT NULL" if listed else "1 = 1"
    )  # fmt: skip
    expanding = [name for name in ("slices", "terms") if f":{name}" in said]
    return text(said).bindparams(*(bindparam(name, expanding=True) for name in expanding))


@cache
def _pages_statement(columns: str, count: int) -> TextClause:
    """Return the statement that reads pages by number in `count` slices: one index look-up a page.

    One list of pairs would make SQLite read every page there is.
    """
    each = " OR ".join(f"(slice = :slice{at} AND doc IN :docs{at})" for at in range(count))
    return text(f"SELECT {columns} FROM pages WHERE {each}").bindparams(  # noqa: S608 - words of ours alone
        *(bindparam(f"docs{at}", expanding=True) for at in range(count))
    )


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
    """The readable slices that exist, and what ranking counts in them: pages, and terms in them."""

    slices: tuple[str, ...]
    docs: int
    length: int

    @property
    def average(self) -> float:
        """Terms in a page, on average."""
        return self.length / self.docs if self.docs else 1.0


def counted(session: Session, named: Sequence[str]) -> Counted:
    """Return what there is in those of the slices that ever held a page; what is only asked for shows nowhere."""
    if not named:
        return Counted((), 0, 0)
    columns = slices.c
    rows = session.execute(
        select(columns.slice, columns.docs, columns.length)
        .where(columns.slice.in_(named), select(pages.c.slug).where(pages.c.slice == columns.slice).exists())
        .order_by(columns.slice),
        of=named,
    ).all()
    return Counted(tuple(row[0] for row in rows), sum(row[1] for row in rows), sum(row[2] for row in rows))


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, and the highest coverage of all pages that were ranked.

    `phrased` holds those with every word of the quoted phrases, to be verified.
    """

    candidates: tuple[Candidate, ...]
    most: float
    phrased: frozenset[Key]


def find(
    session: Session,
    within: Counted,
    terms: Sequence[str],
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
        return Found((), 0.0, frozenset())
    given = {
        name: value
        for name, value in (
            ("agent", filters.agent), ("kind", filters.kind), ("since", filters.since), ("until", filters.until),
        )
        if value is not None
    }  # fmt: skip
    shape = (len(filters.tags), tuple(given))
    values: dict[str, Any] = {"slices": list(within.slices), **given, **_tag_values(filters.tags)}
    exact = session.execute(_statement(_EXACT, *shape), values | {"query": query}, of=within.slices).all()
    weighed: dict[Key, Weighed] = {(row[0], row[1]): Weighed() for row in exact}
    if terms:
        rows = session.execute(_statement(_POSTINGS, *shape), values | {"terms": list(terms)}, of=within.slices).all()
        weighed |= weigh(rows, within.docs, within.average, phrase_terms)
    first = {(row[0], row[1]) for row in exact}
    best = _best(weighed, first, len(phrase_terms), quota)
    names = _pages(session, _NAMES, best)
    candidates = tuple(
        Candidate(
            name, names[name, doc]["slug"], doc, round(weighed[name, doc].score, 9),
            round(weighed[name, doc].coverage, 9),
            exact_of(query, names[name, doc]["slug"], names[name, doc]["title_key"]) if (name, doc) in first else (),
        )
        for name, doc in best
    )  # fmt: skip
    phrased = frozenset(key for key in best if phrase_terms and weighed[key].phrased == len(phrase_terms))
    return Found(candidates, max((one.coverage for one in weighed.values()), default=0.0), phrased)


def _best(weighed: Mapping[Key, Weighed], first: Collection[Key], phrase_words: int, quota: int) -> list[Key]:
    """Return the pages that may be among the best `quota`: those of each slice, and those that tie with the last."""
    places: dict[str, list[tuple[bool, bool, float, int]]] = {}
    for (name, doc), one in weighed.items():
        whole = phrase_words > 0 and one.phrased == phrase_words
        places.setdefault(name, []).append(((name, doc) in first, whole, one.score, doc))
    for listed in places.values():
        listed.sort(reverse=True)
    # Beside its slice's best, a page is wanted only if it is among the best `quota` of all.
    all_places = sorted((place[:3] for listed in places.values() for place in listed[:quota]), reverse=True)
    least = all_places[min(quota, len(all_places)) - 1] if all_places else (False, False, 0.0)
    best: list[Key] = []
    for name, listed in places.items():
        wanted = min(max(least, listed[min(quota, len(listed)) - 1][:3]), listed[0][:3])
        best.extend((name, place[3]) for place in listed if place[:3] >= wanted)
    return best


def rows_of(session: Session, keys: Sequence[Key]) -> dict[Key, Mapping[str, Any]]:
    """Return pages by slice and number."""
    return _pages(session, _WHOLE, keys)


def _pages(session: Session, columns: str, keys: Sequence[Key]) -> dict[Key, Mapping[str, Any]]:
    names = columns.split(", ")
    found: dict[Key, Mapping[str, Any]] = {}
    for start in range(0, len(keys), _AT_ONCE):
        by_slice: dict[str, list[int]] = {}
        for name, doc in keys[start : start + _AT_ONCE]:
            by_slice.setdefault(name, []).append(doc)
        values: dict[str, Any] = {}
        for at, (name, docs) in enumerate(by_slice.items()):
            values |= {f"slice{at}": name, f"docs{at}": docs}
        rows = session.execute(_pages_statement(columns, len(by_slice)), values, of=by_slice).all()
        found |= {(row[0], row[1]): dict(zip(names, row, strict=True)) for row in rows}
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
    current = {(row["slice"], row["slug"]): row for row in found}
    return [
        {**{str(name): value for name, value in row.items()}, "updated_at": row["at"],
         "title_key": phrase_key(row["title"])}
        for row in current.values()
        if row["content"] is not None
    ]  # fmt: skip
