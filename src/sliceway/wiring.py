"""The one file that names concrete classes: it opens everything, in order, and closes it in reverse."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sliceway.errors import Unavailable
from sliceway.ports import BrainDoor


def now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)
