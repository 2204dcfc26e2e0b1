"""The brain that an address or the settings name: embedded over a store, or elsewhere behind a server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sliceway import client
from sliceway.brain.local import open_local
from sliceway.errors import InvalidRequest
from sliceway.ports import BrainDoor
from sliceway.settings import EmbedSettings, Settings
from sliceway.wiring.embedding import embedding, make_embedder
from sliceway.wiring.fresh import new_id, now
from sliceway.wiring.store import open_store


@asynccontextmanager
async def open_brain(
    url: str, *, token: str | None = None, sync: str = "full", embed: str | None = None
) -> AsyncIterator[BrainDoor]:
    """Open the brain at `url` while the context is open.

    :param url: `sqlite:///FILE`, made where it is missing; `postgresql://…`, at this program's schema; or
        `https://…` of a brain's server, `http://…` on this machine.
    :param token: of a brain's server, which needs one; a store takes none.
    :param sync: `full` or `normal` (BR12); of a store.
    :param embed: the model that recall finds meaning with, `none`, `minilm` or `e5`; of a store. None: `minilm` where
        the extra `semantic` is installed, else none. Pages are embedded in the background while the context is open.
    :raises Unavailable: the store cannot be used. A server is first called by the first call.
    :raises InvalidRequest: a token was given with a store, or none with a server.
    """
    if url.strip().startswith(("http://", "https://")):
        if token is None:
            raise InvalidRequest("A brain elsewhere is entered with a token; give token='slw_…'.")
        door: BrainDoor = client.open_remote(url, token, new_id=new_id)
    elif token is not None:
        raise InvalidRequest("A store on this machine is entered by a principal and takes no token.")
    else:
        embedder = make_embedder(EmbedSettings(model=embed))
        local = await open_local(url, sync=sync, clock=now, new_id=new_id, embedder=embedder)
        async with local, embedding(local):
            yield local
        return
    async with door:
        yield door


async def open_door(settings: Settings, *, as_owner: bool = False, maintains: bool = False) -> BrainDoor:
    """Open the brain that the settings name: the one elsewhere where `brain.url` is set, else the store.

    :param as_owner: see `open_store`. :param maintains: see there too.
    :raises Unavailable: the store cannot be used.
    :raises InvalidRequest: there is no token for the brain elsewhere, or it cannot be one.
    """
    brain = settings.brain
    if brain.url is None:
        return await open_store(settings, as_owner=as_owner, maintains=maintains)
    patience = client.Patience(
        deadline=brain.deadline.total_seconds(),
        connect_timeout=brain.connect_timeout.total_seconds(),
        pool_size=brain.pool_size,
        retries=brain.retries,
    )
    token = brain.token.get_secret_value() if brain.token is not None else ""
    return client.open_remote(brain.url, token, patience=patience, new_id=new_id)
