"""What every verb shares: `--json`, `--config`, the settings, the brain, answers and errors in one manner."""

from __future__ import annotations

import asyncio
import functools
import getpass
import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sliceway.core.pages import ApprovedBy, Author
from sliceway.core.principals import Principal
from sliceway.core.turns import Person
from sliceway.errors import InvalidRequest, SettingsError, SlicewayError, StoreUnavailable, Unavailable
from sliceway.settings import Settings, load_settings
from sliceway.wire.codec import to_json
from sliceway.wiring import open_store, the_agent

if TYPE_CHECKING:
    from sliceway.ports import Brain, BrainDoor

Result = TypeVar("Result")

FAILED, USAGE, UNREACHABLE = 1, 2, 3


class Call:
    """One run of a verb: its settings, where its answer goes, and the way to the brain."""

    def __init__(self, *, as_json: bool, config: Path | None) -> None:
        """Note how the answer is wanted; nothing is read yet."""
        self.as_json = as_json
        self.config = config
        self.overrides: dict[str, Any] = {}

    @functools.cached_property
    def settings(self) -> Settings:
        """The settings, read once.

        :raises SettingsError: some are wrong; all of them are named.
        """
        return load_settings(self.config, self.overrides)

    def emit(self, answer: object, words: str | Iterable[str]) -> None:
        """Print the answer: one JSON document, or `words` for a person."""
        if self.as_json:
            click.echo(json.dumps(to_json(answer), ensure_ascii=False))
        else:
            click.echo(words if isinstance(words, str) else "\n".join(words))

    def run(self, work: Callable[[BrainDoor], Awaitable[Result]], *, as_owner: bool = False) -> Result:
        """Open the store, do the work with it, and close it.

        :param as_owner: the store is opened as its owner's, which is another login on PostgreSQL.
        """

        async def through() -> Result:
            async with await open_store(self.settings, as_owner=as_owner) as door:
                return await work(door)

        return asyncio.run(through())

    def as_operator(self, work: Callable[[Brain], Awaitable[Result]], *, as_owner: bool = False) -> Result:
        """Do the work as whoever holds the store's file (AP20)."""
        return self.run(lambda door: work(door.enter(operator())), as_owner=as_owner)

    def as_agent(
        self, agent: str | None, work: Callable[[Brain], Awaitable[Result]], *, writes: bool = False
    ) -> Result:
        """Do the work as an agent: the one named, or the only registered one (ID3). A writer is registered first."""

        async def acting(door: BrainDoor) -> Result:
            name = await the_agent(door.enter(operator()), agent or self.settings.agent_id)
            brain = door.enter(Principal.agent(name))
            if writes:
                await brain.register(source="command line")
            return await work(brain)

        return self.run(acting)


def operator() -> Principal:
    """Return the operator, by the name the system knows them by."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container's user may have a number alone
        name = f"uid {os.getuid()}"
    return Principal.operator(name)


def verb(group: click.Group | None = None, name: str | None = None) -> Callable[[Callable[..., None]], click.Command]:
    """Make a function a verb: it gets a `Call` first, and its errors become words and an exit code."""

    def decorate(function: Callable[..., None]) -> click.Command:
        @functools.wraps(function)
        def called(*, as_json: bool, config: Path | None, **arguments: Any) -> None:
            try:
                function(Call(as_json=as_json, config=config), **arguments)
            except SlicewayError as error:
                raise SystemExit(report(error, as_json=as_json)) from error

        options: list[Callable[[Any], Any]] = [
            click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
            click.option(
                "--config",
                type=click.Path(path_type=Path, dir_okay=False),
                metavar="FILE",
                help="Read settings from FILE.",
            ),
        ]
        for option in reversed(options):
            called = option(called)
        made = click.command if group is None else group.command
        about = (function.__doc__ or "").partition("\n")[0]  # whole in the list of verbs, where click would cut it
        return made(name or function.__name__.replace("_", "-").rstrip("-"), short_help=about)(called)

    return decorate


def report(error: SlicewayError, *, as_json: bool) -> int:
    """Say on stderr what was refused or failed, and return the exit code."""
    if as_json:
        problem: dict[str, Any] = {"code": error.code, "detail": error.detail, **error.facts}
        if isinstance(error, InvalidRequest) and error.errors:
            problem["errors"] = [to_json(each) for each in error.errors]
        click.echo(json.dumps(problem, ensure_ascii=False, default=str), err=True)
    elif isinstance(error, SettingsError):
        click.echo(f"The settings are not usable ({len(error.problems)}):", err=True)
        for problem_ in error.problems:
            click.echo(f"  {problem_.field}: {problem_.detail}", err=True)
    else:
        click.echo(f"{error.detail} [{error.code}]", err=True)
    if isinstance(error, SettingsError):
        return USAGE
    if isinstance(error, Unavailable) and not isinstance(error, StoreUnavailable):
        return UNREACHABLE
    return FAILED


def read_text(file: Path | None) -> str:
    """Return the text of a file, or of stdin.

    :raises InvalidRequest: it is not UTF-8, or the file cannot be read.
    """
    given: object = sys.stdin  # None where it was closed
    if file is None and given is None:
        raise InvalidRequest("There is no text: stdin is closed. Give it there, or with --file. Nothing was saved.")
    try:
        data = file.read_bytes() if file is not None else sys.stdin.buffer.read()
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidRequest("The text is not UTF-8; convert it first. Nothing was saved.") from None
    except OSError as error:
        raise InvalidRequest(f"{file} cannot be read: {error.strerror}. Nothing was saved.") from None


def who(person: Person | ApprovedBy | None) -> str:
    """Return a person or an approver as people write them; nothing for nobody."""
    if person is None:
        return ""
    if isinstance(person, ApprovedBy) and person.operator is not None:
        return f"operator {person.operator}"
    return person.name or f"{person.team}:{person.user}"


def signed(author: Author, approver: ApprovedBy | None) -> str:
    """Return who wrote something, for whom, and under whose yes."""
    words = f"written by {author.agent}"
    if author.on_behalf_of is not None:
        words += f" for {who(author.on_behalf_of)}"
    return words if approver is None else f"{words}, approved by {who(approver)}"


def table(rows: Iterable[Mapping[str, object]], columns: tuple[str, ...], *, empty: str) -> list[str]:
    """Return rows as aligned lines under their column names, or the `empty` line."""
    cells = [[str(row.get(column, "") if row.get(column) is not None else "") for column in columns] for row in rows]
    if not cells:
        return [empty]
    widths = [max(len(line[at]) for line in [list(columns), *cells]) for at in range(len(columns))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [list(columns), *cells]
    ]
