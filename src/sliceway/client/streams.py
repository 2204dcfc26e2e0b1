"""An export and an import over HTTP: lines as they arrive, and as they are given (BR1)."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping, Sequence
from typing import Any

import httpx

from sliceway.client.answers import document
from sliceway.client.arguments import STREAM_OF, fields_of
from sliceway.client.requests import Request, request_for
from sliceway.client.wire import Wire
from sliceway.core.principals import Origin
from sliceway.errors import InvalidRequest, NotPermitted, Unavailable
from sliceway.ports.brain import Brain
from sliceway.ports.outcomes import ExportedEvent, ExportLine, ImportReport, Manifest, MountEntry, RebuildReport
from sliceway.wire.codec import from_json
from sliceway.wire.record_lines import MAX_LINE, stream_of

_MOUNTS = "Only the operator mounts folders: run `sliceway kb` where the store is."
_NO_EXPORT = "The brain answered with something else than an export; check that brain.url leads to a brain's server."


class RecordClient(Brain):
    """The part of a remote brain that handles the record as a whole."""

    _wire: Wire

    async def export(
        self,
        *,
        slices: Sequence[str] | None = None,
        origin: Origin | Mapping[str, Any] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> AsyncIterator[ExportLine]:
        """See `Brain.export`. How much there will be is not known from afar: `progress` is told nothing."""
        request = _request("export", {"slices": slices, "origin": origin})
        async with self._wire.opened(request) as response:
            async for raw in _lines(response):
                try:
                    said = document(raw)
                    line: ExportLine = (
                        from_json(Manifest, said) if "sliceway" in said else from_json(ExportedEvent, said)
                    )  # fmt: skip
                except (ValueError, KeyError, TypeError, AttributeError, InvalidRequest) as error:
                    raise Unavailable(_NO_EXPORT) from error
                yield line

    async def import_(
        self,
        lines: AsyncIterable[bytes],
        *,
        request_id: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """See `Brain.import_`. `progress` is told how many lines were sent."""
        request = _request("import_", {"request_id": request_id})
        given = _counted(stream_of(lines), progress)
        async with self._wire.opened(request, content=given) as response:
            report: ImportReport = await self._wire.answered(request, response)
            return report

    async def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> RebuildReport:
        """See `Brain.rebuild`.

        :raises NotPermitted: always: it is done where the store is.
        """
        raise NotPermitted("Only the operator rebuilds: run `sliceway ledger rebuild` where the store is.")

    async def mount(self, *, label: str, folder: str, agents: Sequence[str] = ()) -> MountEntry:
        """See `Brain.mount`. :raises NotPermitted: always: it is done where the store is."""
        fields_of("mount", {"label": label, "folder": folder, "agents": agents})
        raise NotPermitted(_MOUNTS)

    async def unmount(self, *, label: str) -> MountEntry:
        """See `Brain.unmount`. :raises NotPermitted: always: it is done where the store is."""
        fields_of("unmount", {"label": label})
        raise NotPermitted(_MOUNTS)

    async def mounts(self) -> tuple[MountEntry, ...]:
        """See `Brain.mounts`. :raises NotPermitted: always: it is done where the store is."""
        raise NotPermitted(_MOUNTS)


def _request(call: str, given: Mapping[str, Any]) -> Request:
    return request_for(call, STREAM_OF[call], fields_of(call, given))


async def _lines(response: httpx.Response) -> AsyncIterator[bytes]:
    """Give the lines of an answer.

    :raises Unavailable: one has no end.
    """
    rest = bytearray()
    async for chunk in response.aiter_raw():
        *whole, last = chunk.split(b"\n")
        for end in whole:
            yield bytes(rest + end)
            rest = bytearray()
        rest += last
        if len(rest) > MAX_LINE:
            raise Unavailable(_NO_EXPORT)
    if rest:
        raise Unavailable("The export ended in the middle of a line; ask for it again.")


async def _counted(
    lines: AsyncIterable[bytes], progress: Callable[[int], None] | None
) -> AsyncIterator[bytes]:  # fmt: skip
    sent = 0
    async for chunk in lines:
        yield chunk
        sent += chunk.count(b"\n")
        if progress is not None:
            progress(sent)
