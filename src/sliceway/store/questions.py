"""The statements that recall asks the store, by their shapes: how many slices, terms, filters and pages they name."""

from __future__ import annotations

from functools import lru_cache

from sqlalchemy import TextualSelect, column, text

from sliceway.store.filters import conditions
from sliceway.store.lists import keys_said, names_of

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
SELECT slices.slice, slices.seq, slices.head, slices.docs, slices.length, EXISTS (
    SELECT 1 FROM terms WHERE terms.slice = slices.slice AND terms.term >= :foreign AND terms.term < :beyond
), EXISTS (SELECT 1 FROM links WHERE links.slice = slices.slice) FROM slices
WHERE slices.slice IN ({slices}) AND EXISTS (SELECT 1 FROM pages WHERE pages.slice = slices.slice)
ORDER BY slices.slice"""

_LISTED = {"sqlite": "GROUP_CONCAT({0})", "postgresql": "STRING_AGG(CAST({0} AS TEXT), ',')"}
"""How an engine makes one text of a group's numbers: a row for each posting costs several times as much to hand over.
Two such lists of one group are in one order."""

NAMES = "slice, doc, slug, title_key"
WHOLE = f"{NAMES}, title, content, summary, tags, kind, version, author, approver, updated_at"
"""The columns that order candidates, and those that an answer is made of."""
_SHAPES = 512
"""Statements of either kind that are kept."""


def _of_columns(said: str, names: str) -> TextualSelect:
    """Return a statement whose columns are known by name, so that they are not looked up in each answer."""
    return text(said).columns(*map(column, names.split(", ")))


@lru_cache(maxsize=_SHAPES)
def found_statement(dialect: str, slices_read: int, terms: int, tags: int, filters: tuple[str, ...]) -> TextualSelect:
    """Return the statement that finds, for lists of these lengths and a shape of filters; without terms, what the query
    is exactly."""
    all_of = conditions(filters, tags)
    joined = f" LEFT JOIN pages ON pages.slice = terms.slice AND pages.doc = terms.doc{all_of}"
    listed = _LISTED[dialect].format
    said = (_EXACT + (_POSTINGS if terms else "")).format(
        slices=names_of("slices", slices_read), terms=names_of("terms", terms), conditions=all_of,
        joined=joined if all_of else "", docs=listed("pages.doc"), posted=listed("terms.doc"),
        tfs=listed("terms.tf"), lengths=listed("terms.length"),
        passing=listed("CASE WHEN pages.doc IS NULL THEN 0 ELSE 1 END") if all_of else "NULL",
    )  # fmt: skip
    return _of_columns(said, "slice, term, docs, tfs, lengths, passing")


@lru_cache(maxsize=_SHAPES)
def passing_statement(slices_read: int, tags: int, filters: tuple[str, ...]) -> TextualSelect:
    """Return the statement that finds the live pages that pass filters of this shape in so many slices."""
    scope = names_of("slices", slices_read)
    said = (
        f"SELECT pages.slice, pages.doc FROM pages WHERE pages.slice IN ({scope}) "  # noqa: S608 - words of ours alone
        f"AND pages.deleted_at IS NULL{conditions(filters, tags)}"
    )
    return _of_columns(said, "slice, doc")


@lru_cache(maxsize=_SHAPES)
def counted_statement(count: int) -> TextualSelect:
    """Return the statement that tells of so many slices what ranking counts in them, and how their chains stand."""
    return _of_columns(
        _COUNTED.format(slices=names_of("slices", count)), "slice, seq, head, docs, length, foreign_pages, linked"
    )


@lru_cache(maxsize=_SHAPES)
def some_passing_statement(count: int, tags: int, filters: tuple[str, ...]) -> TextualSelect:
    """Return the statement that finds which of so many pages pass filters of this shape."""
    said = (
        f"SELECT pages.slice, pages.doc FROM ({keys_said(count)}) AS wanted CROSS JOIN pages "  # noqa: S608 - our words
        "WHERE pages.slice = wanted.column1 AND pages.doc = wanted.column2"
    )
    return _of_columns(said + conditions(filters, tags), "slice, doc")


@lru_cache(maxsize=_SHAPES)
def pages_statement(columns: str, count: int) -> TextualSelect:
    """Return the statement that reads so many pages by slice and number: one index look-up a page. The order of a CROSS
    JOIN is kept by SQLite, which would else read every page there is."""
    said = (
        f"SELECT {columns} FROM ({keys_said(count)}) AS wanted CROSS JOIN pages "  # noqa: S608 - words of ours alone
        "WHERE pages.slice = wanted.column1 AND pages.doc = wanted.column2"
    )
    return _of_columns(said, columns)
