"""`ledger verify | head | rebuild | export | import`."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO

import click

from sliceway.cli.call import FAILED, Call, table, verb
from sliceway.cli.progress import progress
from sliceway.errors import InvalidRequest, NotPermitted
from sliceway.ports import Brain
from sliceway.ports.outcomes import ImportReport, VerifyFault
from sliceway.wire.record_lines import bytes_of

_BLOCK = 256 * 1024
_EVERYTHING = (
    "This holds everything: every agent's mind, every person's private corner, drafts, and what tokens are known by. "
    "Keep it as you keep the store itself."
)


@click.group()
def ledger() -> None:
    """The record of every change."""


@verb(ledger)
@click.option("--since", metavar="HEAD", help="An earlier `ledger head --json`: the text, or a file that holds it.")
def verify(call: Call, since: str | None) -> None:
    """Recompute every hash and compare every projection with the ledger; exit 1 names the first bad row a slice."""
    earlier = _heads(since) if since is not None else None
    with progress("Verifying") as shown:
        report = call.as_operator(lambda brain: brain.verify(since=earlier, progress=shown), maintains=True)
    lines = [f"The record holds: {report.events} events recomputed."]
    if not report.ok:
        lines = [_fault(fault) for fault in report.errors]
    call.emit(report, lines)
    if not report.ok:
        raise SystemExit(FAILED)


@verb(ledger)
def head(call: Call) -> None:
    """Show the hash at the head of each slice's chain; keep it elsewhere, and verify against it later."""
    found = call.as_operator(lambda brain: brain.head(), maintains=True)
    rows = [{"slice": name, "head": value} for name, value in sorted(found.items())]
    call.emit({"head": found}, table(rows, ("slice", "head"), empty="The ledger is empty."))


@verb(ledger)
@click.option("--yes", is_flag=True, help="Do not ask.")
def rebuild(call: Call, yes: bool) -> None:
    """Make pages, versions, links, index, proposals, grants, policy, agents and tokens again from the ledger alone."""
    if call.settings.brain.url is not None:
        raise NotPermitted("A brain elsewhere is not rebuilt from here: run it where its store is, without brain.url.")
    if not yes:
        if not sys.stdin.isatty():
            raise InvalidRequest("Nobody can be asked here: say --yes. Nothing was changed.")
        click.confirm("Every row that follows from the ledger is made again. Go on?", abort=True, err=True)
    with progress("Rebuilding") as shown:
        report = call.as_operator(lambda brain: brain.rebuild(progress=shown), maintains=True)
    lines = [f"Rebuilt: {report.events} events of {report.slices} slices followed."]
    lines += [f"Left as it was: {_fault(fault)}" for fault in report.errors]
    call.emit(report, lines)
    if not report.ok:
        raise SystemExit(FAILED)


@verb(ledger)
@click.option("--slice", "slices", multiple=True, metavar="S", help="Only this slice; may be given several times.")
def export(call: Call, slices: tuple[str, ...]) -> None:
    """Print the ledger, one JSON document a line: a manifest, then every event of one moment."""
    out = sys.stdout.buffer
    if not slices:
        click.echo(_EVERYTHING, err=True)
    with progress("Exporting") as shown:
        call.as_operator(partial(_export, slices=slices, out=out, shown=shown), maintains=True)


@verb(ledger, "import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True), metavar="FILE|-")
@click.option("--request-id", metavar="ID", help="Names the load: the same lines under the same name come in once.")
def import_(call: Call, file: Path, request_id: str | None) -> None:
    """Take in an export, or lines of pages: as yours, or as it was where a whole record meets an empty store."""
    try:
        source = sys.stdin.buffer if str(file) == "-" else file.open("rb")
    except OSError as error:
        raise InvalidRequest(f"{file} cannot be read: {error.strerror}. Nothing was imported.") from None
    with source, progress("Importing") as shown:
        read = _Reading(source, shown)
        report = call.as_operator(
            lambda brain: brain.import_(read.chunks(), request_id=request_id, progress=read.told if shown else None),
            maintains=True,
        )
    call.emit(report, _imported(report))
    if report.errors:
        raise SystemExit(FAILED)


async def _export(
    brain: Brain, *, slices: tuple[str, ...], out: BinaryIO, shown: Callable[[int, int | None], None] | None
) -> None:  # fmt: skip
    async for line in brain.export(slices=slices or None, progress=shown):
        out.write(bytes_of(line))
    out.flush()


def _imported(report: ImportReport) -> list[str]:
    """Return what an import came to, in words."""
    done = "The record was put back as it was" if report.restored else "Imported"
    lines = [f"{done}: {report.imported} lines taken in, {report.skipped} skipped, {report.refused} refused."]
    lines += [f"line {fault.line}: {fault.detail} [{fault.code}]" for fault in report.errors]
    if report.refused > len(report.errors):
        lines.append(f"and {report.refused - len(report.errors)} more")
    return lines


def _fault(fault: VerifyFault) -> str:
    at = fault.seq if fault.seq is not None else "-"
    return f"{fault.slice} at {at} ({fault.event_id or '-'}): {fault.what}"


class _Reading:
    """A file that is read for an import; how many lines it has is guessed by its size."""

    def __init__(self, source: BinaryIO, shown: Callable[[int, int | None], None] | None) -> None:
        self._source, self._shown = source, shown
        self._read = 0
        self._size = os.fstat(source.fileno()).st_size

    async def chunks(self) -> AsyncIterator[bytes]:
        """Give what is in it. What comes through a pipe may be long in coming, and is held up by nobody's waiting."""
        kind = os.fstat(self._source.fileno()).st_mode
        if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind) or self._source.isatty()):
            while chunk := self._source.read(_BLOCK):
                self._read += len(chunk)
                yield chunk
            return
        coming = asyncio.StreamReader(limit=_BLOCK)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(coming), self._source)
        try:
            while chunk := await coming.read(_BLOCK):
                self._read += len(chunk)
                yield chunk
        finally:
            transport.close()

    def told(self, lines: int) -> None:
        """Show how many lines were read, of how many about."""
        if self._shown is not None:
            self._shown(lines, lines * self._size // self._read if self._size and self._read else None)


def _heads(text: str) -> dict[str, str]:
    """Return the heads that a person gave, as text or as a file.

    :raises InvalidRequest: it is no such thing.
    """
    try:
        given = json.loads(text if text.lstrip().startswith("{") else Path(text).read_text())
    except (OSError, ValueError):
        raise InvalidRequest("--since takes what `sliceway ledger head --json` printed, or a file with it.") from None
    heads = given.get("head", given) if isinstance(given, dict) else None
    if not isinstance(heads, dict) or not all(isinstance(value, str) for value in heads.values()):
        raise InvalidRequest("--since takes what `sliceway ledger head --json` printed, or a file with it.")
    return heads
