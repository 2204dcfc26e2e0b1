"""The script of a play: who does what, what is seen, and whether it is as it must be."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import click

from sliceway.cli.play.processes import ProcessFailed

_WIDTH = 92
_INDENT = 27


@dataclass
class Journey:
    """One journey as it went: its name, its steps, and its outcome."""

    name: str
    title: str
    outcome: str = "ok"
    steps: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the journey as the command line prints it."""
        return {"name": self.name, "outcome": self.outcome, "steps": self.steps}


class Script:
    """Writes the transcript while the play goes on, for a person or not at all."""

    def __init__(self, *, loud: bool) -> None:
        """Print as it goes where `loud`."""
        self._loud = loud
        self.journeys: list[Journey] = []

    def begin(self, name: str, title: str) -> None:
        """Begin a journey."""
        self.journeys.append(Journey(name, title))
        self._print("")
        self._print(click.style(f"{len(self.journeys)}  {title}", bold=True))

    def said(self, who: str, where: str, text: str, *, aside: str = "") -> None:
        """Note what somebody said or did in a place; `aside` says who alone can see it."""
        self._now.steps.append({"who": who, "where": where, "said": text, **({"seen_by": aside} if aside else {})})
        head = f"   {where:<13} {click.style(who, bold=True)}"
        pad = " " * max(1, 10 - len(who))
        lines = [part for line in text.strip().splitlines() or [""] for part in _wrapped(line)]
        first, *rest = [click.style(f"(only {aside} sees this)", dim=True), *lines] if aside else lines
        self._print(f"{head}{pad}{first}")
        for line in rest:
            self._print(" " * _INDENT + line)

    def check(self, what: str, holds: bool, *, saw: object = None) -> None:
        """Note that something must hold, and stop the play where it does not.

        :raises ProcessFailed: it does not hold; `saw` is what was there instead.
        """
        self._now.steps.append({"checked": what, "ok": holds})
        mark = click.style("✓", fg="green") if holds else click.style("✗", fg="red", bold=True)
        self._print(f"   {'':<13} {mark} {click.style(what, dim=True)}")
        if not holds:
            self._now.outcome = "failed"
            raise ProcessFailed(f"It did not hold that {what}." + (f" Seen instead: {saw}" if saw is not None else ""))

    def note(self, text: str) -> None:
        """Note something that happens behind the scenes."""
        self._now.steps.append({"happened": text})
        self._print(f"   {'':<13} {click.style('· ' + text, fg='yellow')}")

    def line(self, text: str) -> None:
        """Print a line that belongs to no journey."""
        self._print(text)

    def failed(self, why: str) -> None:
        """Note that the journey at hand did not end well."""
        if self.journeys:
            self._now.outcome = "failed"
            self._now.steps.append({"failed": why})

    @property
    def ok(self) -> bool:
        """Whether every journey went as it must."""
        return bool(self.journeys) and all(journey.outcome == "ok" for journey in self.journeys)

    @property
    def _now(self) -> Journey:
        return self.journeys[-1]

    @property
    def _print(self) -> Callable[[str], None]:
        return click.echo if self._loud else _silent


def _silent(_text: str) -> None:
    """Print nothing."""


def _wrapped(line: str) -> list[str]:
    """Return a line in as many as fit."""
    return textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
