"""The record as a whole: verified, made again, given out, taken in (BR11). Part of the port `Brain`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from sliceway.core.principals import Origin
from sliceway.ports.outcomes import ExportLine, ImportReport, RebuildReport, VerifyReport


class RecordKeeping(ABC):
    """What is done with the whole of the ledger, and not with one page."""

    @abstractmethod
    async def verify(
        self, *, since: Mapping[str, str] | None = None, progress: Callable[[int, int], None] | None = None
    ) -> VerifyReport:
        """Recompute every hash and compare every projection; `since` is an earlier `head` (BR11)."""

    @abstractmethod
    async def head(self) -> dict[str, str]:
        """Return the hash at the head of each slice's chain."""

    @abstractmethod
    async def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> RebuildReport:
        """Make every row that follows from the ledger again, slice by slice, each in one transaction (BR11). A slice
        whose chain does not hold is left as it was, and named.

        :raises NotPermitted: the caller is not the operator, on the store's own file.
        """

    @abstractmethod
    def export(
        self,
        *,
        slices: Sequence[str] | None = None,
        origin: Origin | Mapping[str, Any] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> AsyncIterator[ExportLine]:
        """Give a manifest, then every event that the caller may read, slice by slice in order: one moment's state.

        The operator is given everything, private minds and the brain's own record included. Others are given what they
        may read; of a slice in which they may not know of each proposal, the events of its pages alone (AP26).
        """

    @abstractmethod
    async def import_(
        self,
        lines: AsyncIterable[bytes],
        *,
        request_id: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Take in an export, or lines `{"page": {slice, slug, …}}`; an admin's into `shared`, `public` and `kb-…`, and
        the operator's (GT9). `lines` is NDJSON, cut anywhere.

        The importer is the author of what comes in, which keeps `imported_from` (BR3); each line comes in once, however
        often it is sent. A wrong line is refused and named, the others go on. The operator's import of a whole record
        into an empty store puts it back as it was.

        :param request_id: names the load: the same page on the same line of another load is another write.
        :param progress: told how many lines were read.
        :raises InvalidRequest: the chain in the file does not hold, at `line`; what stood before that is taken in.
        :raises NotPermitted: the caller does not administer.
        """
