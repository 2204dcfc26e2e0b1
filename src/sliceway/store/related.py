"""What stands beside found pages by links: where they point, and what points at them, inside what is read (BR9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sqlalchemy import TextualSelect, column, text

from sliceway.core.pages import Link, wikilinks
from sliceway.store.lists import filled, names_of
from sliceway.store.session import Session

MOST = 5
"""Pages named beside one that was found."""
_SHAPES = 256

_TO = """
SELECT pages.slug AS target, pages.slice, pages.slug, pages.title FROM pages
WHERE pages.slice IN ({slices}) AND pages.slug IN ({targets}) AND pages.deleted_at IS NULL"""

# However many pages point at one, few of each slice are read.
_BACK = """
SELECT few.target, few.slice, few.slug, pages.title FROM (
    SELECT links.target, links.slice, links.slug,
        ROW_NUMBER() OVER (PARTITION BY links.slice, links.target ORDER BY links.slug) AS nth
    FROM links WHERE links.slice IN ({slices}) AND links.target IN ({found})
) AS few JOIN pages ON pages.slice = few.slice AND pages.slug = few.slug WHERE few.nth <= :most"""


@lru_cache(maxsize=_SHAPES)
def _statement(said: str, slices_read: int, name: str, count: int) -> TextualSelect:
    lists = {"slices": names_of("slices", slices_read), name: names_of(name, count)}
    return text(said.format(**lists)).columns(*map(column, ("target", "slice", "slug", "title")))


def related(
    session: Session, readable: Sequence[str], found: Sequence[tuple[str, str, str]], *, back: bool
) -> list[tuple[Link, ...]]:
    """Return, for each found page, at most `MOST` live readable pages that it points at, in the order of its text, then
    those that point at its slug, by slice and slug.

    :param found: slice, slug and text of each.
    :param back: whether any of these slices holds a link; without one nothing is looked up that points at them.
    """
    targets = [wikilinks(content) if "[[" in content else () for _, _, content in found]
    wanted = list(dict.fromkeys(target for each in targets for target in each))
    to, at = _ends(session, _TO, readable, "targets", wanted), {}
    if back:
        # One more than is named: a page may point at itself.
        at = _ends(session, _BACK, readable, "found", list(dict.fromkeys(slug for _, slug, _ in found)), most=MOST + 1)
    beside = []
    for (name, slug, _), each in zip(found, targets, strict=True):
        ends = [*(link for target in each for link in to.get(target, ())), *at.get(slug, ())]
        others = dict.fromkeys(link for link in ends if (link.slice, link.slug) != (name, slug))
        beside.append(tuple(others)[:MOST])
    return beside


def _ends(
    session: Session, said: str, readable: Sequence[str], name: str, slugs: Sequence[str], **values: int
) -> dict[str, list[Link]]:
    if not slugs:
        return {}
    scope, wanted = filled(readable, "slices"), filled(slugs, name)
    statement = _statement(said, len(scope), name, len(wanted))
    rows = session.execute(statement, {**scope, **wanted, **values}, of=readable).all()
    ends: dict[str, list[Link]] = {}
    for target, of, slug, title in sorted((tuple(row) for row in rows), key=lambda row: row[:3]):
        ends.setdefault(target, []).append(Link(slug, of, title))
    return ends
