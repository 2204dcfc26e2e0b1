"""Forgetting for good (BR10). Part of the port `Brain`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from sliceway.core.turns import Person
from sliceway.ports.outcomes import Erasure


class Erasing(ABC):
    """What is erased by whoever administers, never by a tool of a model (GT9)."""

    @abstractmethod
    async def erase(self, *, slice: str, slug: str, request_id: str | None = None, dry_run: bool = False) -> Erasure:
        """Erase a page for good: all its versions, what is indexed of it, every proposal and draft about it. At once no
        call returns it; `scrubbed` says whether it is out of the store's files too (BR10). The chain verifies, and the
        page's name may be used again. Erasing again says how it stands.

        :param dry_run: only say what it would come to.
        :raises NotPermitted: the caller does not administer (GT9). :raises NotFound: there never was such a page.
        """

    @abstractmethod
    async def erase_slice(self, *, slice: str, request_id: str | None = None, dry_run: bool = False) -> Erasure:
        """Erase all that was ever written in a slice, and drafts that would have come there; see `erase`. The slice
        itself may be used again; one that does not exist is empty already."""

    @abstractmethod
    async def erase_person(
        self, *, person: Person | Mapping[str, Any], request_id: str | None = None, dry_run: bool = False
    ) -> Erasure:
        """Erase a person's private corner, what agents' minds hold on their behalf, and the texts of their proposals.
        What the team approved stays, and is named with the reason; see `erase`."""  # fmt: skip
