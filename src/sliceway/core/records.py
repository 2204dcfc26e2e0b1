"""What the brain's resources have in common: frozen, and readable by attribute or by key as over HTTP."""

from __future__ import annotations

from typing import Any


class Record:
    """A resource. `record["slug"]` is `record.slug`, so that Python reads as the HTTP table does."""

    __slots__ = ()

    def __getitem__(self, name: str) -> Any:
        """Return the field `name`.

        :raises KeyError: the resource has no such field.
        """
        if name not in getattr(type(self), "__dataclass_fields__", {}):
            raise KeyError(name)
        return getattr(self, name)
