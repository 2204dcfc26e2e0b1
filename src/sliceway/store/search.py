"""Finding pages by their words: BM25 over the postings of the slices that are read, in one statement (FR10, FR11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, TextClause, bindparam, func, or_, select, text

from sliceway.core.analysis import phrase_key
from sliceway.core.ranking import K1, B, Candidate
from sliceway.errors import FieldError, InvalidRequest
from sliceway.store import ledger
from sliceway.store.tables import page_versions, pages, slices


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
exact AS (
  SELECT slice, doc FROM pages
  WHERE slice IN :slices AND title_key = :title AND deleted_at IS NULL
  UNION SELECT slice, doc FROM pages WHERE slice IN :slices AND slug = :slug AND deleted_at IS NULL
)"""

_RANK = """
WITH total AS (
  SELECT SUM(docs) AS docs, SUM(length) * 1.0 / NULLIF(SUM(docs), 0) AS average FROM slices WHERE slice IN :slices
), hit AS (
  SELECT slice, term, doc, tf, length FROM terms WHERE slice IN :slices AND term IN :terms
), weight AS (
  SELECT hit.term, LN(1 + (total.docs - COUNT(*) + 0.5) / (COUNT(*) + 0.5)) AS idf
  FROM hit CROSS JOIN total GROUP BY hit.term, total.docs
), scored AS (
  SELECT hit.slice, hit.doc,
    SUM(weight.idf * hit.tf * (:k1 + 1) / (hit.tf + :k1 * (1 - :b + :b * hit.length / total.average))) AS score,
    SUM(weight.idf) AS coverage,
    SUM(CASE WHEN hit.term IN :phrased THEN 1 ELSE 0 END) AS phrased
  FROM hit JOIN weight ON weight.term = hit.term CROSS JOIN total {filtered}
  GROUP BY hit.slice, hit.doc
), {exact}, placed AS (
  SELECT scored.*, MAX(coverage) OVER () AS most,
    RANK() OVER (
      PARTITION BY scored.slice
      ORDER BY CASE WHEN exact.doc IS NULL THEN 1 ELSE 0 END, scored.phrased DESC, score DESC
    ) AS place
  FROM scored LEFT JOIN exact ON exact.slice = scored.slice AND exact.doc = scored.doc
)
SELECT placed.slice, placed.doc, pages.slug, pages.title_key, score, coverage, phrased, most
FROM placed JOIN pages ON pages.slice = placed.slice AND pages.doc = placed.doc
WHERE place <= :quota"""

_ONLY_EXACT = """
WITH {exact}
SELECT pages.slice, pages.doc, pages.slug, pages.title_key, 0.0 AS score, 0.0 AS coverage, 0 AS phrased, 0.0 AS most
FROM pages JOIN exact ON exact.slice = pages.slice AND exact.doc = pages.doc WHERE 1 = 1 {conditions}"""


_ROWS = text("""
SELECT doc, slug, title, content, summary, tags, kind, version, author, approver, updated_at
FROM pages WHERE slice = :slice AND doc IN :docs""").bindparams(bindparam("docs", expanding=True))


@cache
def _statement(template: str, tags: int, filters: tuple[str, ...]) -> TextClause:
    """Return the statement for a shape of filters; made once for each shape."""
    conditions = [_CONDITIONS[name] for name in filters]
    conditions += [_tag_condition(at) for at in range(tags)]
    words = "".join(f" AND {condition}" for condition in conditions)
    joined = ""
    if conditions:
        joined = f"JOIN pages ON pages.slice = hit.slice AND pages.doc = hit.doc{words}"
    said = template.format(exact=_EXACT.strip(), filtered=joined, conditions=words)
    expanding = [name for name in ("slices", "terms", "phrased") if f":{name}" in said]
    return text(said).bindparams(*(bindparam(name, expanding=True) for name in expanding))


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
        quoted = ledger.to_json(tag)
        values[f"first{at}"] = f"[{quoted}"
        values[f"later{at}"] = f",{quoted}"
    return values


def tags_hold(tag: str) -> ColumnElement[bool]:
    """Return the condition that a page has a tag."""
    values = _tag_values([tag])
    return or_(*(func.replace(pages.c.tags, value, "") != pages.c.tags for value in values.values()))


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, and the highest coverage of all pages that were ranked. `phrased` holds those to be verified."""

    candidates: tuple[Candidate, ...]
    most: float
    phrased: frozenset[tuple[str, int]]


def find(
    connection: Connection,
    readable: Sequence[str],
    terms: Sequence[str],
    query: str,
    *,
    filters: Filters,
    quota: int,
    phrase_terms: Sequence[str] = (),
) -> Found:
    """Return the best `quota` pages of each readable slice, exact titles and slugs before scores (FR2, FR5).

    :param query: the whole query as `phrase_key` writes it, for exact titles and slugs.
    :param phrase_terms: terms of the quoted phrases: pages with all of them are among the candidates first.
    """
    if not readable:
        return Found((), 0.0, frozenset())
    given = {
        name: value
        for name, value in (
            ("agent", filters.agent), ("kind", filters.kind), ("since", filters.since), ("until", filters.until),
        )
        if value is not None
    }  # fmt: skip
    values: dict[str, Any] = {"slices": list(readable), "title": query, "slug": query, **given}
    values |= _tag_values(filters.tags)
    if terms:
        statement = _statement(_RANK, len(filters.tags), tuple(given))
        values |= {"terms": list(terms), "phrased": list(phrase_terms), "quota": quota, "k1": K1, "b": B}
    else:
        statement = _statement(_ONLY_EXACT, len(filters.tags), tuple(given))
    rows = connection.execute(statement, values).all()
    candidates = tuple(
        Candidate(row.slice, row.slug, row.doc, row.score, row.coverage, exact_of(query, row.slug, row.title_key))
        for row in rows
    )
    phrased = frozenset((row.slice, row.doc) for row in rows if phrase_terms and row.phrased == len(phrase_terms))
    return Found(candidates, rows[0].most if rows else 0.0, phrased)


def exact_of(query: str, slug: str, title_key: str) -> tuple[str, ...]:
    """Return which of title and slug the query is, exactly."""
    return tuple(name for name, value in (("title", title_key), ("slug", slug)) if value == query)


def existing(connection: Connection, named: Sequence[str]) -> tuple[str, ...]:
    """Return those of the slices that exist, in order."""
    if not named:
        return ()
    return tuple(connection.execute(select(slices.c.slice).where(slices.c.slice.in_(named))).scalars())


def rows_of(connection: Connection, keys: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Mapping[str, Any]]:
    """Return pages by slice and number."""
    if not keys:
        return {}
    by_slice: dict[str, list[int]] = {}
    for name, doc in keys:
        by_slice.setdefault(name, []).append(doc)
    # One look-up a slice: a list of pairs makes SQLite read every page there is.
    rows: dict[tuple[str, int], Mapping[str, Any]] = {}
    for name, docs in by_slice.items():
        for row in connection.execute(_ROWS, {"slice": name, "docs": docs}).mappings():
            rows[name, row["doc"]] = {str(column): value for column, value in row.items()}
    return rows


def agent_named(connection: Connection, readable: Sequence[str], saved_by: str) -> str | None:
    """Return the author that `saved_by` means among the live pages of the readable slices, None for nobody (FR4).

    :raises InvalidRequest: it is no author's exact name and, case folded, that of two.
    """
    wanted = saved_by.strip()
    if not readable:
        return None
    authors = select(pages.c.agent).where(
        pages.c.slice.in_(readable), pages.c.deleted_at.is_(None), pages.c.agent.is_not(None)
    )
    if connection.execute(authors.where(pages.c.agent == wanted).limit(1)).first() is not None:
        return wanted
    return agent_meant(wanted, set(connection.execute(authors.distinct()).scalars()))


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
    tags = ledger.from_json(row["tags"])
    return (
        (filters.agent is None or row["agent"] == filters.agent)
        and (filters.kind is None or row["kind"] == filters.kind)
        and (filters.since is None or row["updated_at"] >= filters.since)
        and (filters.until is None or row["updated_at"] < filters.until)
        and all(tag in tags for tag in filters.tags)
    )


def versions_at(connection: Connection, readable: Sequence[str], moment: str) -> list[Mapping[str, Any]]:
    """Return the versions that were current at a moment in the readable slices, without deletions, by slice and slug.

    Each has the columns of `page_versions` and what `rows_of` names besides.
    """
    if not readable:
        return []
    found = connection.execute(
        select(page_versions)
        .where(page_versions.c.slice.in_(readable), page_versions.c.at <= moment)
        .order_by(page_versions.c.slice, page_versions.c.slug, page_versions.c.version)
    ).mappings()
    current = {(row["slice"], row["slug"]): row for row in found}
    return [
        {**{str(name): value for name, value in row.items()}, "updated_at": row["at"],
         "title_key": phrase_key(row["title"])}
        for row in current.values()
        if row["content"] is not None
    ]  # fmt: skip
