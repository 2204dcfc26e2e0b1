"""`token create | list | rotate | revoke`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from sliceway.cli.call import Call, table, verb
from sliceway.core.policy import Policy
from sliceway.core.principals import PrincipalKind
from sliceway.core.tokens import NewToken, TokenEntry

_KINDS = ("admin", "gateway", "agent", "reader")


@click.group()
def token() -> None:
    """What callers of a brain's server are known by."""


def _commas(_context: click.Context, _option: click.Parameter, given: str | None) -> tuple[str, ...]:
    """Return the entries of a comma list."""
    return tuple(filter(None, (part.strip() for part in (given or "").split(","))))


@verb(token)
@click.option("--kind", type=click.Choice(_KINDS), required=True, help="What it may do, as said above.")
@click.option("--agent", metavar="ID", help="The agent that it speaks as; of gateway and agent.")
@click.option("--teams", callback=_commas, metavar="T1,T2", help="The workspaces whose people a gateway speaks of.")
@click.option("--acts-for", is_flag=True, help="The gateway may read and write for those people.")
@click.option("--decides", is_flag=True, help="The gateway relays their decisions, and is believed about who clicked.")
@click.option("--slices", callback=_commas, metavar="S1,S2", help="What a reader reads: shared, public, kb-….")
@click.option("--expires", metavar="30d", help="How long it is good; left out: until it is revoked.")
def create(
    call: Call,
    kind: str,
    agent: str | None,
    teams: tuple[str, ...],
    acts_for: bool,
    decides: bool,
    slices: tuple[str, ...],
    expires: str | None,
) -> None:
    """Make a token and print its secret, this once.

    An admin administers and reads no private content; a gateway serves one agent in chat; an agent is a coding agent or
    script that speaks for itself alone; a reader reads.
    """

    made = call.as_operator(
        lambda brain: brain.create_token(
            kind=kind, agent=agent, teams=teams, acts_for=acts_for, decides=decides, slices=slices, expires=expires
        ),
        as_owner=True,
    )
    _show(call, made)
    if made.entry.kind is PrincipalKind.GATEWAY:
        for words in _notes(made.entry, call.as_operator(lambda brain: brain.policy())):
            click.echo(words, err=True)


@verb(token, "list")
@click.option("--limit", type=int, default=50, show_default=True, help="1 to 200.")
@click.option("--cursor", help="Where the list before this one ended.")
def list_(call: Call, limit: int, cursor: str | None) -> None:
    """List all tokens, those that ended too, and what each did. No secret is shown."""
    found = call.as_operator(lambda brain: brain.tokens(limit=limit, cursor=cursor))
    rows = [
        {
            "id": item.id, "kind": item.kind.value, "agent": item.agent, "for": _for(item), "expires": item.expires_at,
            "revoked": item.revoked_at, "last act": item.last_seen, "writes": item.writes, "denials": item.denials,
        }
        for item in found
    ]  # fmt: skip
    columns = ("id", "kind", "agent", "for", "expires", "revoked", "last act", "writes", "denials")
    more = [f"More with --cursor {found.next_cursor}"] if found.next_cursor else []
    call.emit(found, table(rows, columns, empty="There is no token yet.") + more)


@verb(token)
@click.argument("id")
def rotate(call: Call, id: str) -> None:
    """Give the token ID a new secret and print it, this once; the one before is refused at once."""
    _show(call, call.as_operator(lambda brain: brain.rotate_token(id=id)))


@verb(token)
@click.argument("id")
def revoke(call: Call, id: str) -> None:
    """End the token ID at once and for good."""
    found = call.as_operator(lambda brain: brain.revoke_token(id=id))
    call.emit(found, f"Revoked: token {found.id}, refused from the next request on.")


def _show(call: Call, made: NewToken) -> None:
    """Print a token that was just made: alone on stdout, for a script to take as it is; the words go to stderr."""
    entry = made.entry
    whose = f"{entry.kind.value} {entry.agent}" if entry.agent is not None else entry.kind.value
    words = (
        f"This is the token {entry.id} ({whose}). Keep it now: only a hash of its secret is stored, and it is shown "
        "this once."
    )
    call.emit(made, made.token)
    if not call.as_json:
        click.echo(words, err=True)


def _for(entry: TokenEntry) -> str:
    """Return what a token may do, in short."""
    rights = [word for word, holds in (("acts-for", entry.acts_for), ("decides", entry.decides)) if holds]
    return " ".join([",".join([*entry.teams, *entry.slices]), *rights]).strip()


def _notes(entry: TokenEntry, policy: Policy) -> Iterator[str]:
    """Say what about a new gateway's token will not work as it may be meant."""
    if not entry.teams:
        yield "Note: without --teams this gateway may speak of nobody and of no place; only its background work counts."
    elif outside := sorted(set(entry.teams) - policy.teams):
        yield (
            f"Note: the policy names the teams that belong together, and not {', '.join(outside)}: people there count "
            f"as outsiders. Add them: sliceway policy set teams {','.join(sorted({*policy.teams, *outside}))}"
        )
