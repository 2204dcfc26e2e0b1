"""The policy's rows in `_system`: fields, channels, people, aliases; read as one value, changed with events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import RowMapping, column, select, text

from sliceway.core.clock import duration_text, parse_duration
from sliceway.core.policy import Channel, Policy
from sliceway.core.slices import SYSTEM
from sliceway.core.turns import Trust
from sliceway.store.ledger import SliceTransaction, json_text, json_value
from sliceway.store.record import RowChange, record
from sliceway.store.session import Session
from sliceway.store.tables import agent_acts, aliases, channels, people, policy
from sliceway.store.tokens import GatewayTeams, gateway_teams

SETTINGS = "settings"
"""The source of a field that a server copied from its settings at boot."""
BY_HAND = "set"
"""The source of a field that somebody set in the table."""
ASSUMED = "assumed"
"""The source of a field that nobody set, and a server knows by itself."""

CLOSING = ("rename", "merge", "retire")
"""The acts after which an agent may not act by its id, until they are taken back (ID12)."""

_VERSION = "version"
_HELD = "policy"
_CHAIN = text("SELECT head, key FROM slices WHERE slice = :slice").columns(column("head"), column("key"))
_LISTS = frozenset({"managers", "approvers", "teams", "raised", "trusted_channels"})
_LENGTHS = frozenset({"expire_after", "grant_for"})


@dataclass(frozen=True, slots=True)
class KeptField:
    """A field as the table keeps it."""

    value: Any
    source: str


def to_kept(name: str, value: Any) -> Any:
    """Return a field of the policy as JSON keeps it."""
    if value is None:
        return None
    if name in _LISTS:
        return sorted(value)
    if name in _LENGTHS:
        return duration_text(value)
    if name == "kb":
        return {agent: sorted(slices) for agent, slices in sorted(value.items())}
    return value


def _from_kept(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _LISTS:
        return frozenset(value)
    if name in _LENGTHS:
        return parse_duration(value)
    if name == "kb":
        return {agent: frozenset(slices) for agent, slices in value.items()}
    return value


def kept_fields(session: Session) -> dict[str, KeptField]:
    """Return the fields that were ever set, the version apart."""
    found = session.execute(select(policy).where(policy.c.slice == SYSTEM), of=SYSTEM).mappings()
    return {row["name"]: KeptField(json_value(row["value"]), row["source"]) for row in found if row["name"] != _VERSION}


@dataclass(frozen=True, slots=True)
class _Held:
    """The policy as the rows tell it at one head of the brain's own chain, and what time alone adds to it."""

    head: str | None
    key: bytes
    policy: Policy
    names_teams: bool
    gateways: tuple[GatewayTeams, ...]

    def at(self, now: str) -> Policy:
        """Return the policy as it stands: where nobody named the teams, those of the live gateway tokens belong to the
        organisation too."""
        if self.names_teams or not self.gateways:
            return self.policy
        live = (teams for teams, until in self.gateways if until is None or now < until)
        return replace(self.policy, teams=self.policy.teams.union(*live))


def load_policy(session: Session, now: str) -> Policy:
    """Return the policy as it stands at `now`. Callers are judged by `for_teams` of it.

    Read anew only where the brain's own chain has another head: every change of the policy or of a token is an event
    of it.
    """
    chain = next(iter(session.fetch(_CHAIN, {"slice": SYSTEM}, of=SYSTEM)), None)
    held = session.memory.get(_HELD)
    if not isinstance(held, _Held) or chain is None or held.head != chain[0]:
        held = session.memory[_HELD] = _read(session, *(chain or (None, b"")))
    return held.at(now)


def cursor_key(session: Session) -> bytes:
    """Return the key that cursors are sealed with: that of the brain's own chain, learned with the policy."""
    held: _Held = session.memory[_HELD]
    return held.key


def _read(session: Session, head: str | None, key: bytes) -> _Held:
    fields, sources = {}, {}
    for row in session.execute(select(policy).where(policy.c.slice == SYSTEM), of=SYSTEM).mappings():
        fields[row["name"]] = _from_kept(row["name"], json_value(row["value"]))
        sources[row["name"]] = row["source"]
    seen = session.execute(select(channels).where(channels.c.slice == SYSTEM), of=SYSTEM).mappings()
    left = select(people).where(people.c.slice == SYSTEM, people.c.gone_at.is_not(None))
    gone = session.execute(left, of=SYSTEM).mappings()
    bound: dict[str, frozenset[str]] = {}
    for row in session.execute(select(aliases).where(aliases.c.slice == SYSTEM), of=SYSTEM).mappings():
        if row["agent"]:
            bound[row["agent"]] = bound.get(row["agent"], frozenset()) | {row["alias"]}
    over = select(agent_acts.c.mind).where(
        agent_acts.c.slice == SYSTEM, agent_acts.c.act.in_(CLOSING), agent_acts.c.undone_at.is_(None)
    )  # fmt: skip
    closed = frozenset(session.execute(over, of=SYSTEM).scalars())
    found = Policy(
        **fields,
        channels={(row["team"], row["channel"]): _channel(row) for row in seen},
        gone={(row["team"], row["user"]): row["gone_at"] for row in gone},
        aliases=bound,
        closed=closed.union(*bound.values()),
    )
    names_teams = bool(found.teams) and sources["teams"] != ASSUMED
    return _Held(head, key, found, names_teams, gateway_teams(session))


def _channel(row: RowMapping) -> Channel:
    trust = Trust(row["trust"]) if row["trust"] is not None else None
    return Channel(trust=trust, external=row["external"], guests=row["guests"], fell_at=row["fell_at"])


def set_fields(
    tx: SliceTransaction, values: Mapping[str, Any], *, source: str, author: Mapping[str, Any]
) -> tuple[str, ...]:
    """Write the fields whose kept value or source differs, in one event; return their names."""
    before = kept_fields(tx.session)
    changed = {name: kept for name, kept in values.items() if before.get(name) != KeptField(kept, source)}
    if changed:
        rows = [
            RowChange(policy, {"name": name}, {"value": json_text(kept), "source": source, "at": tx.now})
            for name, kept in changed.items()
        ]
        record_change(tx, "policy.changed", {"fields": sorted(changed), "source": source}, author, rows)
    return tuple(sorted(changed))


def channel_seen(session: Session, team: str, channel: str) -> Channel:
    """Return what is known of a channel."""
    row = (
        session.execute(
            select(channels).where(channels.c.slice == SYSTEM, channels.c.team == team, channels.c.channel == channel),
            of=SYSTEM,
        )
        .mappings()
        .one_or_none()
    )
    return _channel(row) if row is not None else Channel()


def put_channel(
    tx: SliceTransaction, kind: str, team: str, channel: str, known: Channel, *, author: Mapping[str, Any]
) -> bool:
    """Write what is known of a channel, if it differs; say whether it did."""
    before = channel_seen(tx.session, team, channel)
    if before == known:
        return False
    values = {
        "trust": known.trust.value if known.trust is not None else None, "external": known.external,
        "guests": known.guests, "fell_at": known.fell_at, "at": tx.now,
    }  # fmt: skip
    about = {"team": team, "channel": channel, "before": _words(before), "after": _words(known)}
    record_change(tx, kind, about, author, [RowChange(channels, {"team": team, "channel": channel}, values)])
    return True


def _words(known: Channel) -> dict[str, Any]:
    """Return what an audit says of a channel: words of ours, no names."""
    trust = known.trust.value if known.trust is not None else "by kind"
    return {"trust": trust, "external": known.external, "guests": known.guests}


def put_person(tx: SliceTransaction, team: str, user: str, *, gone: bool, author: Mapping[str, Any]) -> bool:
    """Write whether a person is gone, if that is news; say whether it was."""
    row = tx.session.execute(
        select(people.c.gone_at).where(people.c.slice == SYSTEM, people.c.team == team, people.c.user == user),
        of=SYSTEM,
    ).one_or_none()
    was_gone = row is not None and row[0] is not None
    if was_gone == gone:
        return False
    values = {"gone_at": tx.now if gone else None, "at": tx.now}
    about = {"team": team, "user": user, "before": _standing(was_gone), "after": _standing(gone)}
    record_change(tx, "person.seen", about, author, [RowChange(people, {"team": team, "user": user}, values)])
    return True


def _standing(gone: bool) -> str:
    return "gone" if gone else "here"


def record_change(
    tx: SliceTransaction, kind: str, about: Mapping[str, Any], author: Mapping[str, Any], rows: list[RowChange]
) -> None:
    """Record a change of the policy under the next version. It counts changes of the policy alone: the sequence of its
    event would count everybody's acts for whoever sees the policy (BR4)."""
    held = tx.session.execute(
        select(policy.c.value).where(policy.c.slice == SYSTEM, policy.c.name == _VERSION), of=SYSTEM
    ).scalar_one_or_none()
    before = json_value(held) if held is not None else 0
    kept = {"value": json_text(before + 1), "source": BY_HAND, "at": tx.now}
    version = RowChange(policy, {"name": _VERSION}, kept)
    about = {**about, "version_before": before, "version": before + 1}
    record(tx, kind, about=about, author=author, rows=[*rows, version])
