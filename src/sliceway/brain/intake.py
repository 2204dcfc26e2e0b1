"""An import under way: its lines read and counted, what they change, and where the file stops holding (BR3, BR11)."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sliceway.brain.ahead import Numbered, ReadPage, Told
from sliceway.core.ledger import Event
from sliceway.core.pages import ApprovedBy, Author, Imported
from sliceway.core.slices import kind_of
from sliceway.errors import FieldError, InvalidRequest, SlicewayError
from sliceway.ports.outcomes import ImportFault, ImportReport
from sliceway.store.intake import Incoming, Taken
from sliceway.store.replay import PAGE_KINDS
from sliceway.wire.codec import from_json
from sliceway.wire.models import PageModel
from sliceway.wire.record_lines import MAX_LINE, Chains, EventLine, ManifestLine, PageLine, line_of

_LINES, _BYTES = 2000, 4 * 1024 * 1024
"""What is read before it is sorted by slice and taken in: many slices in turn shall not mean a transaction a line."""
_TOLD = 100
"""Refused lines that are named."""
_MOST_AUTHOR = 4000
"""Characters that a file may say of who wrote something."""


async def batches(chunks: AsyncIterable[bytes]) -> AsyncIterator[Sequence[Numbered]]:
    """Give the lines of a stream that is cut anywhere, numbered from 1, so many at once; blank ones are left out.

    A line that is too long is cut, so that whoever reads it refuses it; no more than that of it is kept.
    """
    found: list[Numbered] = []
    number, size, rest = 0, 0, bytearray()
    async for chunk in chunks:
        *whole, last = chunk.split(b"\n")
        for end in whole:
            rest += end[: MAX_LINE + 1 - len(rest)]
            number += 1
            if rest.strip():
                found.append((number, bytes(rest)))
                size += len(rest)
            rest = bytearray()
            if len(found) >= _LINES or size >= _BYTES:
                yield found
                found, size = [], 0
        rest += last[: MAX_LINE + 1 - len(rest)]
    if rest.strip():
        found.append((number + 1, bytes(rest)))
    if found:
        yield found


@dataclass(slots=True)
class Read:
    """A batch as it was read. `broken` is where the file stops to hold: nothing after it was looked at."""

    manifest: ManifestLine | None = None
    lines: list[tuple[int, EventLine | PageLine | ReadPage]] = field(default_factory=list)
    refused: ImportFault | None = None
    broken: ImportFault | None = None


class Load:
    """One import: what was read of it, and what came of that."""

    def __init__(self, request_id: str | None) -> None:
        """Nothing was read yet."""
        self.request_id = request_id
        self.restored = False
        self.lines = self.imported = self.skipped = self.refused = 0
        self._faults: list[ImportFault] = []
        self._manifest: ManifestLine | None = None
        self._chains = Chains()
        self._last = 0

    def read(self, batch: Sequence[Numbered], told: Told) -> Read:
        """Return the next lines, read, as far as nobody did that ahead."""
        read = Read()
        whole = self._manifest is not None and self._manifest.complete
        for (number, raw), ahead in zip(batch, told, strict=True):
            self._last, self.lines = number, self.lines + 1
            if ahead is not None:
                read.lines.append((number, ahead))
                continue
            try:
                line = line_of(raw)
                if isinstance(line, ManifestLine):
                    if number != 1:
                        raise InvalidRequest("A manifest is the first line of a file, and there is one.")
                    self._manifest = read.manifest = line
                    whole = line.complete
                    continue
            except SlicewayError as error:
                self._refuse(number, error, read)
                continue
            if isinstance(line, EventLine) and (wrong := self._chains.faults_of(line, whole=whole)):
                read.broken = ImportFault(number, "broken_record", f"{line.slice} at {line.seq}: {'; '.join(wrong)}")
                break
            read.lines.append((number, line))
        return read

    def events_of(self, read: Read) -> dict[str, list[Event]]:
        """Return the events of a batch as they were, by slice."""
        found: dict[str, list[Event]] = {}
        for number, line in read.lines:
            if not isinstance(line, EventLine):
                error = InvalidRequest("A whole record that is put back holds no pages without their events.")
                self._refuse(number, error, read)
            else:
                found.setdefault(line.slice, []).append(line.event())
        return found

    def key_of(self, slice_name: str) -> bytes:
        """Return the key of a slice that is put back.

        :raises InvalidRequest: the manifest has none.
        """
        keys = (self._manifest.keys if self._manifest is not None else None) or {}
        if slice_name not in keys or kind_of(slice_name) is None:
            raise InvalidRequest(f"The manifest has no key of '{slice_name}'; export the record anew, whole.")
        return bytes.fromhex(keys[slice_name])

    def incoming(self, read: Read, signed: Callable[[Imported | None], dict[str, Any]]) -> dict[str, list[Incoming]]:
        """Return what the lines of a batch change, by slice. What decided, and who may do what, is the store's own and
        taken in from nowhere."""
        found: dict[str, list[Incoming]] = {}
        for number, line in read.lines:
            slice_name = line.page.slice if isinstance(line, PageLine) else line.slice
            try:
                if kind_of(slice_name) is None:
                    raise InvalidRequest(errors=[FieldError("slice", "invalid_request", "no slice has that name")])
                if isinstance(line, ReadPage):
                    incoming = self._of_page(number, line.model(), line.said, signed(None), line.terms)
                elif isinstance(line, PageLine):
                    said = line.page.model_dump(mode="json", exclude={"slice"})
                    incoming = self._of_page(number, line.page, said, signed(None))
                elif line.kind in PAGE_KINDS and line.payload is not None:
                    slug, draft = line.draft()
                    author = signed(_imported_from(line))
                    incoming = Incoming(number, slug, draft, author, {"event": line.event_id}, line.event_id)
                else:
                    self.skipped += 1
                    continue
            except SlicewayError as error:
                self._refuse(number, error)
                continue
            found.setdefault(slice_name, []).append(incoming)
        return found

    def _of_page(
        self,
        number: int,
        page: PageModel,
        said: Mapping[str, Any],
        author: dict[str, Any],
        terms: Mapping[str, int] | None = None,
    ) -> Incoming:
        draft = page.draft()
        identity = {"request": self.request_id, "line": number, "page": said}
        return Incoming(number, draft.slug, draft, author, identity, terms=terms)

    def count(self, taken: Taken) -> None:
        """Add what became of some lines."""
        self.imported += taken.imported
        self.skipped += taken.skipped
        for number, error in taken.refused:
            self._refuse(number, error)

    def stop_where_broken(self, read: Read) -> None:
        """End the import where the file does not hold; what stands before that stays.

        :raises InvalidRequest: naming the line.
        """
        broken = read.broken or (read.refused if self.restored else None)
        if broken is not None:
            raise self._stopped(broken)

    def look_at_heads(self) -> None:
        """See that the file holds all that its first line promises.

        :raises InvalidRequest: a record that was put back as it was is not whole.
        """
        heads = self._manifest.head if self._manifest is not None else {}
        short = sorted(name for name, head in heads.items() if self._chains.head(name) != head)
        if not short:
            return
        named = ", ".join(short[:5]) + (" and others" if len(short) > 5 else "")
        fault = ImportFault(self._last, "incomplete", f"the file ends before the last event of {named}")
        if self.restored:
            raise self._stopped(fault)
        self.refused += 1
        self._faults.append(fault)

    def report(self) -> ImportReport:
        """Return what it came to."""
        faults = sorted(self._faults, key=lambda fault: fault.line)[:_TOLD]
        return ImportReport(self.imported, self.skipped, tuple(faults), self.refused, self.restored)

    def _refuse(self, number: int, error: SlicewayError, read: Read | None = None) -> None:
        fault = ImportFault(number, error.code, error.detail)
        self.refused += 1
        if len(self._faults) < _TOLD:
            self._faults.append(fault)
        if read is not None and read.refused is None:
            read.refused = fault

    def _stopped(self, fault: ImportFault) -> InvalidRequest:
        return InvalidRequest(
            errors=[FieldError(f"line {fault.line}", fault.code, fault.detail)],
            line=fault.line, imported=self.imported, skipped=self.skipped,
        )  # fmt: skip


def _imported_from(line: EventLine) -> Imported:
    """Return what a line says of where it comes from; of what was imported there already, where it came from first.

    :raises InvalidRequest: it says it in no way that can be read.
    """
    try:
        author = from_json(Author, line.author)
        approver = (line.payload or {}).get("approver")
        approved = from_json(ApprovedBy, approver) if approver is not None else None
        found = author.imported_from or Imported(line.slice, line.event_id, line.at, author, approved)
    except (ValueError, KeyError, TypeError, AttributeError, InvalidRequest):
        raise InvalidRequest(errors=[FieldError("author", "invalid_request", "it is no author of an event")]) from None
    if len(repr(found)) > _MOST_AUTHOR:
        raise InvalidRequest(errors=[FieldError("author", "too_long", f"at most {_MOST_AUTHOR} characters")])
    return found
