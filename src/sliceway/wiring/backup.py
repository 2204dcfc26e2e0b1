"""Backing up the store and the desks that the settings name, where they are files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from sliceway.brain.local import SCRIPTS, open_local
from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, StoreUnavailable
from sliceway.ports.outcomes import VerifyReport
from sliceway.settings import Settings
from sliceway.store.backup import Progress, copied, refuse_taken
from sliceway.store.doctor import is_current
from sliceway.store.opening import is_postgres
from sliceway.wiring.desks import desk_files
from sliceway.wiring.fresh import new_id, now
from sliceway.wiring.store import needs_store

_DESK_THERE = (
    "The desk is on PostgreSQL (SLICEWAY_STATE__URL), each agent's in a schema of its own, and is not in this copy. As "
    "the login of that address: pg_dump --format=custom --schema='desk_*'"
)
_ITS_DESKS = (
    "Desks are backed up apart: one on PostgreSQL is a schema of its own (as the gateways' login: pg_dump "
    "--schema='desk_*'), one in a file is copied while its gateway is stopped."
)


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made.

    :ivar bytes: the size of the store's copy. :ivar desks: the copies of desks beside it. :ivar left_out: what the
        settings name and is in none of these files, and how it is backed up.
    :ivar events: how many the copy's ledger holds. :ivar head: the hash at the head of each slice's chain, to be kept
        elsewhere.
    """

    file: str
    bytes: int
    desks: tuple[str, ...]
    left_out: tuple[str, ...]
    events: int
    head: dict[str, str]


def back_up(
    settings: Settings, file: Path | None, *, copying: Progress | None, verifying: Callable[[int, int], None] | None
) -> Backup:
    """Copy the store, and the desks beside it, while whoever uses them goes on; a copy that does not verify is dropped.

    :param file: the name of the store's copy; None names it by the time, in the folder `backups` beside the store.
    :raises InvalidRequest: the store is on PostgreSQL, or a name is taken.
    :raises StoreUnavailable: a file cannot be read or written, or the copy does not verify.
    :raises SettingsError: the settings name a brain elsewhere.
    """
    needs_store(settings)
    if is_postgres(settings.store_url):
        raise InvalidRequest(
            "A store on PostgreSQL is backed up with what PostgreSQL has: pg_dump as its owner, or base backups and "
            f"archived WAL for any moment. {_ITS_DESKS} docs/operate.md says how, and how to restore."
        )
    store = settings.store_file
    if not store.is_file():
        raise StoreUnavailable(f"There is no store {store}: nothing to copy.")
    stem = f"{store.stem}-{now():%Y%m%dT%H%M%SZ}"
    target = (file or store.parent / "backups" / f"{stem}{store.suffix}").expanduser().absolute()
    desks = {desk: target.with_name(f"{target.stem}.{_what(desk, store)}") for desk in desk_files(settings)}
    for taken in desks.values():
        refuse_taken(taken)
    with ExitStack() as stack:
        for desk, name in desks.items():  # first: a desk that is older than its brain loses nothing
            stack.enter_context(copied(desk, name))
        part = stack.enter_context(copied(store, target, progress=copying))
        if not is_current(f"sqlite:///{part}", SCRIPTS):
            raise StoreUnavailable(
                "The store's schema is not this program's, so the copy cannot be verified and was dropped. Back up "
                "with the program that serves it, or bring it up to date: sliceway brain migrate"
            )
        report, head = asyncio.run(_verified(part, verifying))
        if not report.ok:
            first = report.errors[0]
            raise StoreUnavailable(
                f"The copy does not verify and was dropped: {first.slice} at {first.seq or '-'}: {first.what}. Look "
                "with: sliceway ledger verify"
            )
    left_out = (_DESK_THERE,) if settings.state.url is not None and is_postgres(settings.state.url) else ()
    return Backup(str(target), target.stat().st_size, tuple(map(str, desks.values())), left_out, report.events, head)


def _what(desk: Path, store: Path) -> str:
    """Return what tells a desk's file from the store's: `desk-agent-ada.db`."""
    return desk.name.removeprefix(f"{store.stem}.")


async def _verified(part: Path, told: Callable[[int, int], None] | None) -> tuple[VerifyReport, dict[str, str]]:
    async with await open_local(f"sqlite:///{part}", clock=now, new_id=new_id) as door:
        brain = door.enter(Principal.operator())
        return await brain.verify(progress=told), dict(await brain.head())
