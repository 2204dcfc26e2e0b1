"""`ledger verify | head`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from sliceway.cli.call import FAILED, Call, table, verb
from sliceway.cli.progress import progress
from sliceway.errors import InvalidRequest


@click.group()
def ledger() -> None:
    """The record of every change."""


@verb(ledger)
@click.option("--since", metavar="HEAD", help="An earlier `ledger head --json`: the text, or a file that holds it.")
def verify(call: Call, since: str | None) -> None:
    """Recompute every hash and compare every projection with the ledger; exit 1 names the first bad row a slice."""
    earlier = _heads(since) if since is not None else None
    with progress("Verifying") as shown:
        report = call.as_operator(lambda brain: brain.verify(since=earlier, progress=shown), as_owner=True)
    lines = [f"The record holds: {report.events} events recomputed."]
    if not report.ok:
        lines = [
            f"{fault.slice} at {fault.seq if fault.seq is not None else '-'} ({fault.event_id or '-'}): {fault.what}"
            for fault in report.errors
        ]
    call.emit(report, lines)
    if not report.ok:
        raise SystemExit(FAILED)


@verb(ledger)
def head(call: Call) -> None:
    """Show the hash at the head of each slice's chain; keep it elsewhere, and verify against it later."""
    found = call.as_operator(lambda brain: brain.head(), as_owner=True)
    rows = [{"slice": name, "head": value} for name, value in sorted(found.items())]
    call.emit({"head": found}, table(rows, ("slice", "head"), empty="The ledger is empty."))


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
