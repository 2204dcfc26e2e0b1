"""The embedded brain: a store in a file of one's own, entered by principals."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping

from sliceway.brain.administration import AdministrationPart
from sliceway.brain.base import Limits
from sliceway.brain.decisions import DecisionsPart
from sliceway.brain.drafts import DraftsPart
from sliceway.brain.embedding import EmbeddingWorker
from sliceway.brain.erasing import ErasingPart
from sliceway.brain.exporting import ExportPart
from sliceway.brain.feed import FeedPart
from sliceway.brain.grants import GrantsPart
from sliceway.brain.importing import ImportPart
from sliceway.brain.meaning import Meaning
from sliceway.brain.merging import MergingPart
from sliceway.brain.mounts import MountsPart
from sliceway.brain.pages import PageWrites
from sliceway.brain.policy import PolicyPart
from sliceway.brain.reads import PageReads
from sliceway.brain.recall import Recall
from sliceway.brain.record import RecordPart
from sliceway.brain.tokens import TokensPart
from sliceway.core.access import counting
from sliceway.core.clock import to_text
from sliceway.core.principals import Principal
from sliceway.core.tokens import token_parts
from sliceway.errors import InvalidRequest
from sliceway.ports.brain import BrainDoor
from sliceway.ports.embedder import Embedder
from sliceway.ports.time import Clock, NewId, NewSecret
from sliceway.store.behind import do_without
from sliceway.store.counts import proposals_by_state
from sliceway.store.engine import Database
from sliceway.store.migrate import expect_schema, migrate
from sliceway.store.opening import need_driver, open_database
from sliceway.store.reindex import reindex
from sliceway.store.session import Session, Store
from sliceway.store.steps import Fit
from sliceway.store.tables import metadata
from sliceway.store.tokens import principal_shown

SCRIPTS = "sliceway.store:migrations"
"""Where the steps of the brain's schema are."""


def system_secret() -> str:
    """Return a secret of 256 bits from the system's own randomness."""
    return secrets.token_urlsafe(32)


class LocalBrain(
    PageWrites, PageReads, Recall, RecordPart, DraftsPart, DecisionsPart, FeedPart, GrantsPart, PolicyPart,
    AdministrationPart, MergingPart, MountsPart, TokensPart, ExportPart, ImportPart, ErasingPart,
):  # fmt: skip
    """The brain over a store, composed of its parts."""


class LocalDoor(BrainDoor):
    """The way into an embedded brain."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Clock,
        new_id: NewId,
        new_secret: NewSecret,
        limits: Limits,
        meaning: Meaning | None = None,
    ) -> None:
        """Keep what every entry needs; the database and the model are closed with the door."""
        self.database = database
        self.store = Store(database)
        self._clock = clock
        self._new_id = new_id
        self._new_secret = new_secret
        self._limits = limits
        self.meaning = meaning

    def enter(self, principal: Principal | None = None) -> LocalBrain:
        """See `BrainDoor.enter`."""
        if principal is None:
            raise InvalidRequest("An embedded brain is entered by a principal; give one.")
        return LocalBrain(
            self.store, principal, clock=self._clock, new_id=self._new_id, new_secret=self._new_secret,
            limits=self._limits, meaning=self.meaning,
        )  # fmt: skip

    async def principal_of(self, token: str) -> Principal:
        """Return the caller that shows a token. Its row is read each time, in one hop: what changed since the last
        request counts, in every process (BR2).

        :raises Unauthorized: it is no token, unknown, expired or revoked, or its secret is wrong: one answer.
        :raises StoreUnavailable: the store cannot be read.
        """
        id, secret = token_parts(token)
        return await self.store.reading(lambda session: principal_shown(session, id, secret, to_text(self._clock())))

    async def proposals_by_state(self) -> Mapping[str, int]:
        """Return how many proposals stand at each state; drafts are not counted (AP23). It names nobody, so that
        whoever looks at a server's figures needs no token (OP2).

        :raises StoreUnavailable: the store cannot be read.
        """

        def work(session: Session) -> Mapping[str, int]:
            session.enter(counting())
            return proposals_by_state(session, to_text(self._clock()))

        return await self.store.reading(work)

    def embedding_worker(self, holder: str) -> EmbeddingWorker | None:
        """Return who makes the vectors of this store, None where there is no model.

        :param holder: a name that no other process has.
        """
        if self.meaning is None:
            return None
        return EmbeddingWorker(
            self.store, self.meaning.embedder, clock=self._clock, new_id=self._new_id, holder=holder
        )  # fmt: skip

    async def close(self) -> None:
        """See `BrainDoor.close`."""
        if self.meaning is not None:
            await self.meaning.close()
        await self.database.close()


async def open_local(
    url: str,
    *,
    sync: str = "full",
    clock: Clock,
    new_id: NewId,
    new_secret: NewSecret = system_secret,
    limits: Limits | None = None,
    embedder: Embedder | None = None,
    waits: bool = True,
    migrated: Callable[[], None] | None = None,
    pool_size: int = 8,
    statement_timeout: float = 30.0,
) -> LocalDoor:
    """Open the store at `url`: `sqlite:///FILE`, made and brought to this program's schema where needed; or
    `postgresql://…`, which its owner brought there before. Where a newer program only added to it, or additions alone
    are missing on PostgreSQL, it is served as it stands.

    :param sync: `full`, or `normal`: faster, and a power cut may take the last moments (BR12).
    :param embedder: the model that recall finds meaning with, closed with the door; without, keywords alone.
    :param waits: a recall waits until that model is loaded; else keywords alone answer until then.
    :param migrated: told when the schema was made or changed.
    :param pool_size: connections that this process keeps to PostgreSQL.
    :param statement_timeout: seconds that a statement of PostgreSQL's may take.
    :raises StoreUnavailable: it cannot be used; nothing in it was changed.
    """

    def opened() -> Database:
        database = open_database(url, sync=sync, pool_size=pool_size, statement_timeout=statement_timeout)
        try:
            if database.walled:
                if expect_schema(database, SCRIPTS) is Fit.BEHIND:
                    do_without(database, metadata)
            elif migrate(database, SCRIPTS, reindex=reindex) and migrated is not None:
                migrated()
        except BaseException:
            database.let_go()
            raise
        return database

    database = await asyncio.to_thread(opened)
    meaning = Meaning(embedder, waits=waits) if embedder is not None else None
    return LocalDoor(
        database, clock=clock, new_id=new_id, new_secret=new_secret, limits=limits or Limits(), meaning=meaning
    )  # fmt: skip


def migrate_postgres(owner_url: str, url: str, maintenance_url: str | None = None) -> bool:
    """Bring a PostgreSQL store to this program's schema as its owner, with its roles and its wall; return whether the
    schema changed. Several may start at once.

    :param url: the address of the app, whose login is made a member of the app's role.
    :param maintenance_url: the address of who verifies and rebuilds, whose login is made a member of maintenance.
    :raises StoreUnavailable: it cannot be used, or the owner may not do it; nothing was changed.
    """
    need_driver()
    from sliceway.store.engine_postgres import opened_once  # of the extra `postgres`
    from sliceway.store.roles import secure

    with opened_once(owner_url) as owner, opened_once(url) as app, opened_once(maintenance_url or owner_url) as third:
        login, maintains = app.login or owner.login, third.login if maintenance_url is not None else None
        return migrate(
            owner, SCRIPTS, reindex=reindex, finish=lambda connection: secure(connection, login, maintains)
        )  # fmt: skip


async def look_local(url: str, *, clock: Clock, new_id: NewId) -> LocalDoor:
    """Open a store that is there and of this program's schema to look at it: nothing can be changed through this door.

    :raises StoreUnavailable: it cannot be read.
    """
    database = await asyncio.to_thread(lambda: open_database(url, looks_only=True))
    return LocalDoor(database, clock=clock, new_id=new_id, new_secret=system_secret, limits=Limits())
