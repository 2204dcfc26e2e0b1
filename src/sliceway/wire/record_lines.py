"""The lines of an export, as anybody may hand them in: read strictly, each chain held against itself (BR5, BR11)."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import Annotated, Any, Literal

from pydantic import Field

from sliceway.core.ledger import GENESIS, Event, faults_of
from sliceway.core.pages import PageDraft
from sliceway.errors import FieldError, InvalidRequest
from sliceway.ports.outcomes import ExportLine
from sliceway.wire.calls import Head
from sliceway.wire.checks import MAX_NUMBER, Label, Strict, Time, checked
from sliceway.wire.codec import to_json
from sliceway.wire.json_in import parsed
from sliceway.wire.models import PageModel

MAX_LINE = 8 * 1024 * 1024
"""Bytes of one line, at most."""

_Bytes = Annotated[str, Field(pattern="^([0-9a-f]{2}){1,128}$")]
_Kind = Annotated[str, Field(pattern=r"^[a-z_]{1,40}(\.[a-z_]{1,40})?$")]
_TEXT = frozenset({"title", "content", "summary", "tags", "kind", "after"})


class ManifestLine(Strict):
    """The first line of an export."""

    sliceway: Literal[1]
    head: dict[Label, Head]
    exported_at: Time
    complete: bool = False
    keys: dict[Label, _Bytes] | None = None


class EventLine(Strict):
    """One event. Without `digest` and `salt` its text cannot be held against its hash."""

    slice: Label
    seq: Annotated[int, Field(ge=0, le=MAX_NUMBER)]
    event_id: Label
    kind: _Kind
    at: Time
    author: dict[str, Any]
    payload: dict[str, Any] | None
    prev: Head | Literal[""]
    hash: Head | Literal[""]
    digest: Head | None = None
    salt: _Bytes | None = None

    def event(self) -> Event:
        """Return it as the ledger knows it."""
        salt = bytes.fromhex(self.salt) if self.salt is not None else None
        return Event(
            self.slice, self.seq, self.event_id, self.kind, self.at, self.author, self.prev, self.digest or "",
            self.hash, self.payload, salt,
        )  # fmt: skip

    def draft(self) -> tuple[str, PageDraft | None]:
        """Return the slug of the page that it changes, and the text there is after it, None where there is none.

        :raises InvalidRequest: a field of the page is wrong.
        """
        payload = self.payload or {}
        about, page = payload.get("about"), payload.get("page")
        slug = about.get("slug") if isinstance(about, dict) else None
        given = page if isinstance(page, dict) else {"content": "."} if page is None else {}
        known = {name: value for name, value in given.items() if name in _TEXT}
        draft = checked(PageModel, slug=slug, **known).draft()
        return draft.slug, draft if page is not None else None


class PageOfLine(PageModel):
    """A page of a line, with the slice it goes to."""

    slice: Label


class PageLine(Strict):
    """A page alone, for loading many."""

    page: PageOfLine


RecordLine = ManifestLine | EventLine | PageLine


def line_of(raw: bytes) -> RecordLine:
    """Return a line of a file.

    :raises InvalidRequest: it is none, with each field that is wrong. :raises TooLarge: a page is over 256 KiB.
    """
    if len(raw) > MAX_LINE:
        raise InvalidRequest(errors=[FieldError("line", "too_long", "a line has at most 8 MiB")])
    value = parsed(raw, field="line")
    if "sliceway" in value:
        return checked(ManifestLine, **value)
    return checked(PageLine, **value) if "page" in value else checked(EventLine, **value)


class Chains:
    """The chains of a file, as far as they were read."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._ends: dict[str, tuple[int, str]] = {}

    def head(self, slice_name: str) -> str:
        """Return the hash of the last event of a slice."""
        return self._ends.get(slice_name, (0, GENESIS))[1]

    def faults_of(self, line: EventLine, *, whole: bool) -> list[str]:
        """Say what is wrong with a line in its place, and go on from it where nothing is.

        :param whole: text and hash must be held against each other; else only where the line says enough for that.
        """
        seq, prev = self._ends.get(line.slice, (0, GENESIS))
        if line.digest is not None or whole:
            wrong = faults_of(line.event(), seq + 1, prev)
        elif not line.seq and not line.hash and not line.prev:
            return []  # of a slice that the exporter might not see whole
        else:
            wrong = [] if (line.seq, line.prev) == (seq + 1, prev) else ["it does not follow the event before it"]
        if not wrong:
            self._ends[line.slice] = (line.seq, line.hash)
        return wrong


def stream_of(lines: Any) -> AsyncIterator[bytes]:
    """Return what a caller hands in as a stream of bytes.

    :raises InvalidRequest: it is none; a part that is no bytes is refused when it comes.
    """
    wrong = InvalidRequest(errors=[FieldError("lines", "invalid_request", "give bytes, as an async iterator of them")])
    if not isinstance(lines, AsyncIterable):
        raise wrong

    async def parts() -> AsyncIterator[bytes]:
        async for part in lines:
            if not isinstance(part, bytes):
                raise wrong
            yield part

    return parts()


def bytes_of(line: ExportLine) -> bytes:
    """Return a line of an export as it is written, its end included."""
    return json.dumps(to_json(line), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
