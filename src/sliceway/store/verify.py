"""Holding the record against itself: every hash recomputed, every projection compared with the ledger (BR11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from sliceway.core.access import EVERY
from sliceway.core.asking import content_digest
from sliceway.core.ledger import GENESIS
from sliceway.core.slices import SYSTEM
from sliceway.ports.outcomes import VerifyFault, VerifyReport
from sliceway.store.chain import BrokenChain, events_counted, slices_with_rows, walk
from sliceway.store.proposals import pages_of
from sliceway.store.record import Told, faults_of_rows, tell
from sliceway.store.session import Session
from sliceway.store.tables import proposals, slices
from sliceway.store.vectors import faults as faults_of_vectors
from sliceway.store.verify_pages import HeldPages

Progress = Callable[[int, int], None]

_UNKNOWN = "it tells of something that this program does not know"
_UNREADABLE = "a row that follows from its events cannot be read"
_STEP = 500
"""Events between two reports of progress."""


def heads(session: Session) -> dict[str, str]:
    """Return the hash at the head of each slice's chain."""
    rows = session.execute(select(slices.c.slice, slices.c.head).order_by(slices.c.slice), of=EVERY).all()
    return {row.slice: row.head for row in rows}


def verify(
    session: Session, *, since: Mapping[str, str] | None = None, progress: Progress | None = None
) -> VerifyReport:
    """Recompute every hash and compare every row that follows from the ledger; name the first that does not hold.

    :param since: earlier heads by slice: each must still stand in its chain.
    :param progress: told how many events of how many were recomputed.
    """
    total = events_counted(session)
    faults: list[VerifyFault] = []
    done = 0
    for name in sorted(slices_with_rows(session) | set(since or {})):
        for seen in _chain(session, name, (since or {}).get(name), faults):
            done = done + 1 if seen else done
            if progress is not None and done % _STEP == 0:
                progress(done, total)
    if progress is not None:
        progress(done, total)
    return VerifyReport(not faults, done, tuple(faults))


def _chain(session: Session, name: str, since: str | None, faults: list[VerifyFault]) -> Iterator[bool]:
    """Walk one slice's chain, then hold its rows against it; give a sign for each event."""
    held, told = HeldPages(session, name), Told()
    prev, seq, first_at, last_at = GENESIS, 0, "", ""
    passed = since is None or since == GENESIS
    try:
        for event in walk(session, name):
            held.follow(event)
            tell(told, event)
            prev, seq, first_at, last_at = event.hash, event.seq, first_at or event.at, event.at
            passed = passed or since == event.hash
            yield True
    except BrokenChain as broken:
        faults.append(VerifyFault(name, broken.seq, broken.event_id, broken.what))
        return
    except (KeyError, TypeError, ValueError, AttributeError):
        faults.append(VerifyFault(name, seq + 1, None, _UNKNOWN))
        return
    except DBAPIError:  # text that is none: the engine gives no row that holds it
        faults.append(VerifyFault(name, None, None, _UNREADABLE))
        return
    if not passed:
        faults.append(VerifyFault(name, None, None, "the earlier head is no longer in its chain"))
    head = session.execute(select(slices).where(slices.c.slice == name), of=name).one_or_none()
    if head is None:
        if seq or passed:
            what = "the slice is missing" if seq else "its rows follow from no event: it has none"
            faults.append(VerifyFault(name, None, None, what))
        return
    if (head.seq, head.head) != (seq, prev):
        faults.append(VerifyFault(name, head.seq, None, "its head is not its last event"))
        return
    if seq and head.updated_at != last_at:
        faults.append(VerifyFault(name, None, None, "its time is not that of its last event"))
    if seq and name != SYSTEM and head.created_at != first_at:  # `_system` is made before its first event
        faults.append(VerifyFault(name, None, None, "it was not made at the time of its first event"))
    try:
        faults.extend(VerifyFault(name, None, None, what) for what in _faults_of_key(session, name, head.key))
        faults.extend(_projections(session, name, held, told, (head.docs, head.length)))
    except DBAPIError:
        faults.append(VerifyFault(name, None, None, _UNREADABLE))
    except (KeyError, TypeError, ValueError, AttributeError):
        faults.append(VerifyFault(name, None, None, f"an event of a page: {_UNKNOWN}"))


def _faults_of_key(session: Session, name: str, key: bytes) -> Iterator[str]:
    """Say whether the slice's key is not the one that the digests of its proposals were made with (AP21)."""
    for row in session.execute(select(proposals).where(proposals.c.slice == name), of=name).mappings():
        try:
            made = content_digest(key, row["op"], row["destination"], pages_of(row))
        except (ValueError, TypeError, KeyError):
            return  # the row itself is told of with the others
        if made != row["digest"]:
            yield "the digest of a proposal is not that of its text under the key of the slice"
            return


def _projections(
    session: Session, name: str, held: HeldPages, told: Told, counted: tuple[int, int]
) -> Iterator[VerifyFault]:
    """Say what the first row of each table is that is not as the events tell it."""
    found = list(held.faults())
    yield from found
    yield from (VerifyFault(name, None, event_id, what) for event_id, what in faults_of_vectors(session, name))
    if not found and counted != (held.docs, held.length):
        yield VerifyFault(name, None, None, "its counts of pages and terms are not those of its events")
    yield from (VerifyFault(name, None, None, what) for what in faults_of_rows(session, name, told))
