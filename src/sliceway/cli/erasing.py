"""What the verbs that erase share: the question before, the words after."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from sliceway.cli.call import Call, table
from sliceway.errors import InvalidRequest
from sliceway.wiring import scrub_desks

if TYPE_CHECKING:
    from sliceway.ports import Brain
    from sliceway.ports.outcomes import Erasure

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Only say what it would come to.")


def erase(call: Call, work: Callable[[Brain], Awaitable[Erasure]], *, what: str, yes: bool, dry_run: bool) -> None:
    """Ask, erase, and say what it came to.

    :param what: what is erased, for the question.
    """
    if not (yes or dry_run):
        if not sys.stdin.isatty():
            raise InvalidRequest("Nobody can be asked here: say --yes, or --dry-run to see first. Nothing was erased.")
        click.confirm(f"{what} is erased for good; no version of it can be brought back. Go on?", abort=True, err=True)
    report = call.as_operator(work, as_owner=call.settings.store.owner_url is not None)
    if not (dry_run or call.is_elsewhere):
        report = replace(report, scrubbed=scrub_desks(call.settings) and report.scrubbed)
    call.emit(report, _words(report))


def _words(report: Erasure) -> list[str]:
    rows = [
        {
            "slice": each.slice, "pages": each.pages, "versions": each.versions, "proposals": each.proposals,
            "answers": each.answers,
        }
        for each in report.slices
    ]  # fmt: skip
    lines = ["It would erase:" if report.dry_run else "Erased:"]
    lines += table(rows, ("slice", "pages", "versions", "proposals", "answers"), empty="nothing; it is gone already.")
    lines += [f"Stays: {each.slice} / {each.slug or 'a page'}: {each.why}" for each in report.stays]
    if report.dry_run:
        return lines
    if report.scrubbed:
        return [*lines, "The store's files hold none of it any more. Backups and exports made before still do."]
    later = (
        "No call returns it. The store's files may still hold it for a while: the keeper of a running gateway or "
        "server scrubs them, and this command says so when it is called again. Backups and exports made before still "
        "hold it."
    )
    return [*lines, later]
