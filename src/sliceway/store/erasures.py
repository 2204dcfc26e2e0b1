"""What was asked to be erased: where it has to be done, and how far it came, as rows of `_system` (BR10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, select

from sliceway.core.access import EVERY
from sliceway.core.ids import partition_name
from sliceway.core.sight import CORNERS, MINDS
from sliceway.core.slices import SYSTEM, is_aliasable, is_open
from sliceway.errors import IdempotencyConflict
from sliceway.ports.outcomes import ErasedIn, Stays
from sliceway.store.erasing import Chosen
from sliceway.store.ledger import SliceTransaction, json_text, json_value
from sliceway.store.marks import mark_of
from sliceway.store.merges import SURFACE as MERGED
from sliceway.store.record import RowChange, record
from sliceway.store.session import Session
from sliceway.store.tables import erased, erasures, page_versions, pages, proposals, slices
from sliceway.wire.codec import to_json

RUNNING, DONE, SCRUBBED = "running", "erased", "scrubbed"
_HAS_TEXT = proposals.c.pages != proposals.c.pages.info["empty"]
_OPEN = erasures.c.state != SCRUBBED
_APPROVED = "it is nobody's own; erase it by its name"
_SHARED_WORK = "its text is somebody else's by now, and earlier versions are this person's; erase it by its name"

_IMPORTED = "it was imported, and its file says that it is this person's; erase it by its name"


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be erased. `what` is `page`, `slice`, `person`, `leaver` or `purge`.

    A page is told by a digest of its slug; `slug` is that slug while the caller's own call knows it. A person is told
    by (enterprise or team, user).
    """

    what: str
    slice: str | None = None
    mark: str | None = None
    person: tuple[str, str] | None = None
    slug: str | None = None

    @property
    def kept(self) -> str:
        """What a row keeps of it."""
        person = list(self.person) if self.person is not None else None
        said = {"slice": self.slice, "mark": self.mark, "person": person}
        return json_text({name: value for name, value in said.items() if value is not None})

    @property
    def corner(self) -> str | None:
        """The private corner of the person."""
        return partition_name("user", *self.person, plain=False) if self.person is not None else None


@dataclass(frozen=True, slots=True)
class Under:
    """An erasure as its row tells it."""

    id: str
    target: Target
    state: str
    counts: tuple[ErasedIn, ...]
    begun_at: str
    done_at: str | None = None


def page_target(session: Session, name: str, slug: str) -> Target:
    """Return the target that a page is; it may be that there is none."""
    return Target("page", name, mark_of(_key(session, name), slug), slug=slug)


def was_erased(session: Session, target: Target) -> bool:
    """Say whether a page was erased before."""
    where = (erased.c.slice == target.slice, erased.c.mark == target.mark)
    return session.execute(select(erased.c.version).where(*where), of=EVERY).first() is not None


def slices_of(session: Session, target: Target) -> tuple[str, ...]:
    """Return the slices in which something may have to be erased, in the order in which it is done."""
    if target.corner is not None and target.what == "leaver":
        return (target.corner,)
    if target.corner is not None:
        asked = select(proposals.c.slice).where(proposals.c.requester == target.corner, _HAS_TEXT).distinct()
        found = {name for name, _slug in _held(session, target)}
        found |= set(session.execute(asked, of=EVERY).scalars())
        return (target.corner, *sorted(found - {target.corner}))
    if target.slice is None:
        return ()
    drafts = select(proposals.c.slice).where(
        proposals.c.slice.startswith(CORNERS, autoescape=True), proposals.c.destination == target.slice, _HAS_TEXT
    )
    found = set(session.execute(drafts.distinct(), of=EVERY).scalars())
    return (target.slice, *sorted(found - {target.slice}))


def choose(session: Session, target: Target, name: str) -> Chosen:
    """Return what has to be erased in one of these slices, as it stands now."""
    if target.corner is not None:
        if name == target.corner:
            return Chosen(everything=True)
        slugs = {slug for _slice, slug in _held(session, target, only=name)}
        ids = {row.id for row in _asked(session, name, proposals.c.requester == target.corner)}
        return Chosen(frozenset(slugs), frozenset(ids) | _about(session, name, name, frozenset(slugs)))
    assert target.slice is not None
    if target.mark is None:
        if name == target.slice:
            return Chosen(everything=True)
        drafts = _asked(session, name, proposals.c.destination == target.slice)
        return Chosen(proposals=frozenset(row.id for row in drafts))
    wanted = _slugs(session, target)
    if not wanted:
        return Chosen()
    there = select(pages.c.slug).where(pages.c.slice == name, pages.c.slug.in_(wanted))
    own = frozenset(session.execute(there, of=name).scalars()) if name == target.slice else frozenset[str]()
    return Chosen(own, _about(session, name, target.slice, wanted))


def stays(session: Session, target: Target, *, names_minds: bool) -> Iterator[Stays]:
    """Give what an erasure of a person leaves, each with its reason.

    :param names_minds: tell the names of pages in agents' minds too.
    """
    if target.person is None or target.what != "person":
        return
    left = select(pages.c.slice, pages.c.slug).where(_held_for(target))
    for row in session.execute(left.order_by(pages.c.slice, pages.c.slug), of=EVERY):
        if is_open(row.slice):
            yield Stays(row.slice, _APPROVED, row.slug)
    mixed = select(page_versions.c.slice, page_versions.c.slug, page_versions.c.author).where(
        page_versions.c.slice.startswith(MINDS, autoescape=True), _names(page_versions.c.author, target)
    )
    told = _held(session, target)
    for row in session.execute(mixed.order_by(page_versions.c.slice, page_versions.c.slug), of=EVERY):
        author = json_value(row.author)
        said = _is_for(author, target) or _is_for(_before(author), target)
        if said and (row.slice, row.slug) not in told:
            told.add((row.slice, row.slug))
            why = _SHARED_WORK if _is_for(_first(author), target) else _IMPORTED
            yield Stays(row.slice, why, row.slug if names_minds else None)


def _behalf(target: Target) -> str:
    return json_text(list(target.person or ()))


def _held_for(target: Target) -> ColumnElement[bool]:
    return pages.c.behalf == _behalf(target)


def _names(column: ColumnElement[str], target: Target) -> ColumnElement[bool]:
    """Say of an author's text that it may tell of the person: which of the people in it that is, is to be read."""
    assert target.person is not None
    return column.contains(f'"user":{json_text(target.person[1])}', autoescape=True)


def _before(author: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return who wrote a version where it came from."""
    found: Mapping[str, Any] = (author.get("imported_from") or {}).get("author") or {}
    return found


def _first(author: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the author of a version: of what a merge of minds copied, whose it was; what a file says is no author."""
    return _before(author) if author.get("surface") == MERGED else author


def _is_for(author: Mapping[str, Any], target: Target) -> bool:
    who = author.get("on_behalf_of") or {}
    return (who.get("enterprise") or who.get("team"), who.get("user")) == target.person


def _held(session: Session, target: Target, *, only: str | None = None) -> set[tuple[str, str]]:
    """Return the pages that agents' minds hold on behalf of the person, copies that a merge of minds made included."""
    here = [pages.c.slice == only] if only is not None else []
    of = only if only is not None else EVERY
    columns = (pages.c.slice, pages.c.slug)
    found = {(row.slice, row.slug) for row in session.execute(select(*columns).where(_held_for(target), *here), of=of)}
    where = (pages.c.slice.startswith(MINDS, autoescape=True), _names(pages.c.author, target), *here)
    copies = select(*columns, pages.c.author).where(pages.c.behalf.is_(None), *where)
    for row in session.execute(copies, of=of):
        if _is_for(_first(json_value(row.author)), target):
            found.add((row.slice, row.slug))
    return {(name, slug) for name, slug in found if is_aliasable(name)}


def _asked(session: Session, name: str, *where: ColumnElement[bool]) -> Sequence[Any]:
    columns = (proposals.c.id, proposals.c.pages)
    return session.execute(select(*columns).where(proposals.c.slice == name, _HAS_TEXT, *where), of=name).all()


def _about(session: Session, name: str, destination: str, slugs: frozenset[str]) -> frozenset[str]:
    """Return the proposals of a slice that are about one of some pages."""
    if not slugs:
        return frozenset()
    asked = _asked(session, name, proposals.c.destination == destination)
    return frozenset(row.id for row in asked if any(page["slug"] in slugs for page in json_value(row.pages)))


def _slugs(session: Session, target: Target) -> frozenset[str]:
    """Return the slug that a target's digest stands for; where the call that knew it is over, it is looked for."""
    if target.slug is not None:
        return frozenset({target.slug})
    assert target.slice is not None
    key = _key(session, target.slice)
    known = set(session.execute(select(pages.c.slug).where(pages.c.slice == target.slice), of=EVERY).scalars())
    asked = select(proposals.c.pages).where(proposals.c.destination == target.slice, _HAS_TEXT)
    for text in session.execute(asked, of=EVERY).scalars():
        known |= {page["slug"] for page in json_value(text)}
    return frozenset(slug for slug in known if mark_of(key, slug) == target.mark)


def _key(session: Session, name: str) -> bytes:
    """Return a slice's key; of one that does not exist, a key that nothing was made with."""
    found = session.execute(select(slices.c.key).where(slices.c.slice == name), of=EVERY).scalar_one_or_none()
    return bytes(found) if found is not None else b""


def erasure_of(session: Session, id: str) -> Under | None:
    """Return an erasure, None where there is none of that id."""
    where = (erasures.c.slice == SYSTEM, erasures.c.id == id)
    row = session.execute(select(erasures).where(*where), of=SYSTEM).mappings().one_or_none()
    return _under(row) if row is not None else None


def open_erasures(session: Session) -> tuple[Under, ...]:
    """Return the erasures that are not through, or of which the store's files may still hold something."""
    listed = select(erasures).where(erasures.c.slice == SYSTEM, _OPEN).order_by(erasures.c.begun_at, erasures.c.id)
    return tuple(_under(row) for row in session.execute(listed, of=SYSTEM).mappings())


def ids_known(session: Session, ids: Sequence[str]) -> frozenset[str]:
    """Return those of some ids that an erasure has."""
    where = (erasures.c.slice == SYSTEM, erasures.c.id.in_(ids))
    return frozenset(session.execute(select(erasures.c.id).where(*where), of=SYSTEM).scalars())


def begin(tx: SliceTransaction, id: str, target: Target, *, author: Mapping[str, Any]) -> Under:
    """Write down that something is to be erased, before anything is; what was written down before is returned.

    :raises IdempotencyConflict: the id was used for something else.
    """
    known = erasure_of(tx.session, id)
    if known is not None:
        if (known.target.what, known.target.kept) != (target.what, target.kept):
            raise IdempotencyConflict("That request id was used for another erasure.")
        return known
    values = {
        "what": target.what, "target": target.kept, "state": RUNNING, "counts": "[]", "author": json_text(dict(author)),
        "begun_at": tx.now, "done_at": None,
    }  # fmt: skip
    _write(tx, "erasure.begun", id, target, values, author)
    return Under(id, target, RUNNING, (), tx.now)


def move(
    tx: SliceTransaction, under: Under, state: str, *, counts: Sequence[ErasedIn] = (), author: Mapping[str, Any]
) -> None:  # fmt: skip
    """Write down how far an erasure came."""
    values: dict[str, Any] = {"state": state}
    if state == DONE:
        values |= {"counts": json_text([to_json(each) for each in counts]), "done_at": tx.now}
    _write(tx, f"erasure.{state}", under.id, under.target, values, author)


def _write(
    tx: SliceTransaction, kind: str, id: str, target: Target, values: Mapping[str, Any], author: Mapping[str, Any]
) -> None:  # fmt: skip
    about = {"erasure": id, "what": target.what, "slice": target.slice or target.corner}
    record(tx, kind, about=about, author=author, rows=[RowChange(erasures, {"id": id}, values)])


def _under(row: RowMapping) -> Under:
    said = json_value(row["target"])
    person = tuple(said["person"]) if "person" in said else None
    counts = tuple(ErasedIn(**each) for each in json_value(row["counts"]))
    target = Target(row["what"], said.get("slice"), said.get("mark"), person)
    return Under(row["id"], target, row["state"], counts, row["begun_at"], row["done_at"])
