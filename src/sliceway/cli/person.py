"""`person erase`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, verb
from sliceway.cli.erasing import dry_run_option, erase, yes_option
from sliceway.core.turns import Person
from sliceway.errors import FieldError, InvalidRequest


@click.group()
def person() -> None:
    """What is kept of a person."""


@verb(person, "erase")
@click.argument("who", metavar="TEAM:USER")
@click.option("--enterprise", metavar="ID", help="The person's enterprise, where the workspace belongs to one.")
@yes_option
@dry_run_option
def erase_(call: Call, who: str, enterprise: str | None, yes: bool, dry_run: bool) -> None:
    """Erase a person's corner, what agents hold on their behalf, and the texts of their proposals, for good."""
    team, _, user = who.partition(":")
    if not (team and user):
        raise InvalidRequest(errors=[FieldError("who", "invalid_request", "say TEAM:USER, like T0123:U0456")])
    named = Person(team, user, enterprise)
    erase(call, lambda b: b.erase_person(person=named, dry_run=dry_run), what=who, yes=yes, dry_run=dry_run)
