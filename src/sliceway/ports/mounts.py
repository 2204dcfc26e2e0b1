"""The part of the brain's port about mounted reference: folders of markdown that are slices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from sliceway.ports.outcomes import MountEntry


class Mounting(ABC):
    """Folders of the machine where the store is: the operator's, on the store's own file. From others each of these is
    `NotPermitted`, and recorded."""

    @abstractmethod
    async def mount(self, *, label: str, folder: str, agents: Sequence[str] = ()) -> MountEntry:
        """Make a folder the slice `kb-<label>`, and take in what is in it. Again: the same, looked at anew.

        :param folder: an absolute path without links; see `sliceway kb add`. :param agents: those who read it, beside
            those that the policy lists already.
        :raises Conflict: another folder is that slice. :raises InvalidRequest: it is no folder that can be read.
        """

    @abstractmethod
    async def unmount(self, *, label: str) -> MountEntry:
        """Let go of a folder: its pages are deleted, softly, and no agent's policy lists it any more.

        :raises NotFound: nothing was mounted so.
        """

    @abstractmethod
    async def mounts(self) -> tuple[MountEntry, ...]:
        """Return the mounted folders, by slice, each with what the last look at it could not take."""
