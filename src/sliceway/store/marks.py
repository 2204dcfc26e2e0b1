"""What is left of a page that was erased: a mark that tells no slug, and its last version: versions never return
(BR10)."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import select

from sliceway.core.ledger import keyed_digest
from sliceway.store.ledger import SliceTransaction
from sliceway.store.session import Session
from sliceway.store.tables import erased


def mark_of(key: bytes, slug: str) -> str:
    """Return what stands for a slug that was erased: a digest keyed with its slice's key."""
    return keyed_digest(key, {"slug": slug})


def last_version(tx: SliceTransaction, slug: str) -> int:
    """Return the last version of a page that was erased, 0 where none was: versions never return."""
    return last_versions(tx.session, tx.slice, tx.key, (slug,)).get(slug, 0)


def last_versions(session: Session, name: str, key: bytes, slugs: Iterable[str]) -> dict[str, int]:
    """Return the last version of each of some pages that was erased."""
    marks = {mark_of(key, slug): slug for slug in slugs}
    if not marks:
        return {}
    where = (erased.c.slice == name, erased.c.mark.in_(sorted(marks)))
    return {marks[row.mark]: row.version for row in session.execute(select(erased).where(*where), of=name)}
