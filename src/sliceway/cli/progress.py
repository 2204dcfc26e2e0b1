"""Progress of long work on a terminal, with a rate and the time left; nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """Give a function that takes how much is done, and how much there is where that is known; None where nobody
    looks."""
    if not sys.stderr.isatty():
        yield None
        return
    began = time.monotonic()

    def shown(done: int, total: int | None) -> None:
        spent = max(time.monotonic() - began, 1e-6)
        rate = done / spent
        words = f"\r{what}: {done:,}"
        if total is not None:
            left = max(total - done, 0) / rate if rate else 0
            words += f" of {total:,}, {rate:,.0f}/s, {left:.0f} s left "
        else:
            words += f", {rate:,.0f}/s "
        click.echo(words, nl=False, err=True)

    yield shown
    click.echo("\r\033[K", nl=False, err=True)
