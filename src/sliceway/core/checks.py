"""What an examination finds: one fact each, in words, with its cure."""

from __future__ import annotations

from dataclasses import dataclass

from sliceway.core.records import Record


@dataclass(frozen=True, slots=True)
class Check(Record):
    """One thing that was looked at. Where it is not `ok`, `cure` says what to do; where it is, `cure` is a hint or
    empty."""

    name: str
    ok: bool
    says: str
    cure: str = ""
