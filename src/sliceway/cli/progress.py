"""Progress of long work on a terminal, with a rate and the time left; nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function that takes how much is done and how much there is; None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    began = time.monotonic()

    def shown(done: int, total: int) -> None:
        spent = max(time.monotonic() - began, 1e-6)
        rate = done / spent
        left = (total - done) / rate if rate else 0
        click.echo(f"\r{what}: {done:,} of {total:,}, {rate:,.0f}/s, {left:.0f} s left ", nl=False, err=True)

    yield shown
    click.echo("\r\033[K", nl=False, err=True)
