"""`policy show | set`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, verb
from sliceway.core.clock import duration_text, parse_duration
from sliceway.core.policy import Policy
from sliceway.errors import InvalidRequest
from sliceway.settings.values import listed_ids

_LISTS = ("managers", "approvers", "teams", "raised", "trusted_channels")
_WORDS = {"dm": ("personal", "off"), "self_approval": ("managers", "never", "always")}
_DURATIONS = ("expire_after", "grant_for")
_NONE = {"managers": "(nobody)", "approvers": "(nobody)", "raised": "(nobody)"}
FIELDS = (*_LISTS, *_WORDS, *_DURATIONS)


@click.group()
def policy() -> None:
    """Who decides, who belongs to the team, and which places are trusted."""


@verb(policy)
def show(call: Call) -> None:
    """Show the policy as it stands in the store."""
    found = call.as_operator(lambda brain: brain.policy())
    call.emit(found, [f"{name} = {_shown(found, name)}" for name in FIELDS] + _channels(found))


@verb(policy, "set")
@click.argument("field", type=click.Choice(FIELDS), metavar="FIELD")
@click.argument("value")
def set_(call: Call, field: str, value: str) -> None:
    """Set FIELD to VALUE: a comma list of ids (TEAM:ID or ID), a word, or a duration like 72h.

    Lists: managers, approvers, teams, raised, trusted_channels. Words: dm (personal or off), self_approval (managers,
    never or always). Durations: expire_after, grant_for.
    """
    given: object = value
    if field in _LISTS:
        given = frozenset(_listed(field, value))
    elif field in _DURATIONS:
        given = parse_duration(value)
    elif value not in _WORDS[field]:
        raise click.BadParameter(f"say one of {', '.join(_WORDS[field])}", param_hint=field)
    found = call.as_operator(lambda brain: brain.set_policy(**{field: given}))
    call.emit(found, f"{field} = {_shown(found, field)}")


def _listed(field: str, value: str) -> tuple[str, ...]:
    """Return the ids of a list, refused as the same list in the settings is.

    :raises InvalidRequest: one cannot be an id: it would silently never match anyone.
    """
    try:
        return listed_ids(value)
    except ValueError as error:
        raise InvalidRequest(f"{field}: {error}. Nothing was changed.") from None


def _shown(found: Policy, name: str) -> str:
    """Return one field as it may be given to `set`."""
    value = getattr(found, name)
    if name in _LISTS:
        return "(the managers)" if value is None else ",".join(sorted(value)) or _NONE.get(name, "(none)")
    return duration_text(value) if name in _DURATIONS else str(value)


def _channels(found: Policy) -> list[str]:
    """Return what is set or seen of single channels, a line each."""
    lines = []
    for (team, channel), row in sorted(found.channels.items()):
        seen = [word for word, holds in (("external", row.external), ("guests", row.guests)) if holds]
        trust = row.trust.value if row.trust is not None else "by kind"
        lines.append(f"channel {team}:{channel} = {' '.join([trust, *seen])}")
    return lines
