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

from sliceway import wiring
from sliceway.core.pages import ApprovedBy, Author
from sliceway.core.principals import Principal, PrincipalKind
from sliceway.core.turns import Person
from sliceway.errors import (
    InvalidRequest,
    NotPermitted,
    SettingsError,
    SlicewayError,
    StoreUnavailable,
    Unauthorized,
    Unavailable,
)
from sliceway.settings import Settings, load_settings
from sliceway.wire.codec import to_json

if TYPE_CHECKING:
    from sliceway.ports import Brain, BrainDoor

Result = TypeVar("Result")

FAILED, USAGE, UNREACHABLE = 1, 2, 3
_OTHERWISE = {"content": "the text", "expected_event": "EVENT"}
"""Fields that no parameter of a verb has the name of, as the verbs call them."""


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

    @property
    def is_elsewhere(self) -> bool:
        """Whether the settings name a brain elsewhere, where the caller is whom the token says."""
        return self.settings.brain.url is not None

    def how_to_decide(self, proposal: str) -> str:
        """Return how a proposal is decided without chat (AP20)."""
        where = "in chat, or where the brain's store is " if self.is_elsewhere else ""
        return f"Decide it {where}with: sliceway proposals approve {proposal}"

    def run(
        self, work: Callable[[BrainDoor], Awaitable[Result]], *, as_owner: bool = False, maintains: bool = False
    ) -> Result:
        """Open the brain, do the work with it, and close it.

        :param as_owner: a store here is opened as its owner's, which is another login on PostgreSQL.
        :param maintains: a store here is opened as maintenance's, another login on PostgreSQL, or as its owner's.
        :raises Unauthorized: the brain elsewhere does not take the token.
        """

        async def through() -> Result:
            async with await wiring.open_door(self.settings, as_owner=as_owner, maintains=maintains) as door:
                return await work(door)

        try:
            return asyncio.run(through())
        except Unauthorized as error:
            raise Unauthorized(
                f"The brain at {self.settings.brain.url} does not take the token in SLICEWAY_BRAIN__TOKEN: it is "
                "wrong, was revoked or rotated, or its time is over. Make one where the store is: sliceway token create"
            ) from error

    def entered(self, door: BrainDoor) -> Brain:
        """Return the brain as whoever holds the store's file has it; elsewhere as the token's holder has it."""
        return door.enter() if self.is_elsewhere else door.enter(operator())

    def as_operator(
        self, work: Callable[[Brain], Awaitable[Result]], *, as_owner: bool = False, maintains: bool = False
    ) -> Result:
        """Do the work as whoever holds the store's file (AP20); elsewhere as the token's holder."""
        return self.run(lambda door: work(self.entered(door)), as_owner=as_owner, maintains=maintains)

    def as_agent(
        self, agent: str | None, work: Callable[[Brain], Awaitable[Result]], *, writes: bool = False
    ) -> Result:
        """Do the work as an agent: the one named, or the only registered one (ID3); elsewhere as the token's. A writer
        is registered first."""

        async def acting(door: BrainDoor) -> Result:
            named = agent or self.settings.agent_id
            is_agent = True
            if self.is_elsewhere:
                brain = door.enter()
                is_agent = await _agree(brain, named) is PrincipalKind.AGENT
            else:
                brain = door.enter(Principal.agent(await wiring.the_agent(door.enter(operator()), named)))
            if writes and is_agent:  # what others may not write they are told by the call itself
                await brain.register(source="command line")
            return await work(brain)

        return self.run(acting)


async def _agree(brain: Brain, named: str | None) -> PrincipalKind:
    """Return the kind of the token; refuse an agent that is not the token's, and a token that the command line cannot
    act by.

    :raises NotPermitted: it is another agent's, or a gateway's: that one says of each call whose turn it is.
    """
    who = (await brain.whoami()).principal
    if named is not None and named != who["agent"]:
        whose = f"of agent {who['agent']}" if who["agent"] is not None else f"of kind {who['kind']}"
        raise NotPermitted(
            f"The token in SLICEWAY_BRAIN__TOKEN is {whose} and acts as nobody else; {named} needs a token of its own. "
            "Leave --agent and SLICEWAY_AGENT_ID away, or set that token."
        )
    if who["kind"] == PrincipalKind.GATEWAY:
        raise NotPermitted(
            "The token in SLICEWAY_BRAIN__TOKEN is a gateway's, which reads and writes for turns in chat. Here, use "
            f"one of kind agent: sliceway token create --kind agent --agent {who['agent']}, where the store is."
        )
    return PrincipalKind(who["kind"])


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
                raise SystemExit(report(error, as_json=as_json, names=option_names())) from error

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


def option_names() -> Mapping[str, str]:
    """Return how the verb that runs calls each of its parameters, by the field that it fills: `--agent`, `SLUG`."""
    context = click.get_current_context(silent=True)
    given = context.command.params if context is not None else []
    names = {
        str(each.name): max(each.opts, key=len) if isinstance(each, click.Option) else each.human_readable_name
        for each in given
    }
    lists = {f"{name}s": shown for name, shown in names.items()}  # what may be given again fills a list
    return {**_OTHERWISE, **lists, **names}


def _detail(error: SlicewayError, names: Mapping[str, str]) -> str:
    """Return an error's words, its fields called as the verb calls them."""
    if not isinstance(error, InvalidRequest) or error.detail != InvalidRequest(errors=error.errors).detail:
        return error.detail
    told = []
    for each in error.errors:
        field = [part for part in each.field.split(".") if not part.isdecimal()][-1:]  # of `pages.0.tags.1` the tags
        told.append(f"{names.get(''.join(field), each.field)}: {each.detail}")
    return "; ".join(told)


def report(error: SlicewayError, *, as_json: bool, names: Mapping[str, str] | None = None) -> int:
    """Say on stderr what was refused or failed, and return the exit code.

    :param names: how the verb calls its fields; see `option_names`.
    """
    detail = _detail(error, names or {})
    if as_json:
        problem: dict[str, Any] = {"code": error.code, "detail": detail, **error.facts}
        if isinstance(error, InvalidRequest) and error.errors:
            problem["errors"] = [to_json(each) for each in error.errors]
        click.echo(json.dumps(problem, ensure_ascii=False, default=str), err=True)
    elif isinstance(error, SettingsError):
        click.echo(f"The settings are not usable ({len(error.problems)}):", err=True)
        for problem_ in error.problems:
            click.echo(f"  {problem_.field}: {problem_.detail}", err=True)
    else:
        click.echo(f"{detail} [{error.code}]", err=True)
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
    words = f"written by {author.shown}"
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
