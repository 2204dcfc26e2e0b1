"""What a page must be to be found at all: filters, as values and as conditions on the rows of pages (FR4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select

from sliceway.errors import FieldError, InvalidRequest
from sliceway.store import ledger
from sliceway.store.session import Session
from sliceway.store.tables import pages


@dataclass(frozen=True, slots=True)
class Filters:
    """What a page must be to be looked at: hard, and before any limit (FR4). Times as the store writes them."""

    agent: str | None = None
    tags: tuple[str, ...] = ()
    kind: str | None = None
    since: str | None = None
    until: str | None = None

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return self != _NO_FILTERS

    @property
    def given(self) -> Mapping[str, str]:
        """Those that are set, but for tags."""
        named = {"agent": self.agent, "kind": self.kind, "since": self.since, "until": self.until}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def values(self) -> Mapping[str, str]:
        """What their conditions name."""
        return {**self.given, **_tag_values(self.tags)}


_NO_FILTERS = Filters()

_CONDITIONS = {
    "agent": "pages.agent = :agent",
    "kind": "pages.kind = :kind",
    "since": "pages.updated_at >= :since",
    "until": "pages.updated_at < :until",
}


def _tag_condition(at: int) -> str:
    """Return the condition for one tag: a whole string of the JSON list, first or after a comma.

    REPLACE heeds the case of letters on every engine, which LIKE does not.
    """
    return (
        f"(REPLACE(pages.tags, :first{at}, '') <> pages.tags OR REPLACE(pages.tags, :later{at}, '') <> pages.tags)"
    )  # fmt: skip


def _tag_values(tags: Sequence[str]) -> dict[str, str]:
    values = {}
    for at, tag in enumerate(tags):
        quoted = ledger.json_text(tag)
        values[f"first{at}"] = f"[{quoted}"
        values[f"later{at}"] = f",{quoted}"
    return values


def tags_hold(tag: str) -> ColumnElement[bool]:
    """Return the condition that a page has a tag."""
    values = _tag_values([tag])
    return or_(*(func.replace(pages.c.tags, value, "") != pages.c.tags for value in values.values()))


def conditions(given: Iterable[str], tags: int) -> str:
    """Return the conditions of filters, after others, on the columns of `pages`.

    :param given: the names of those that are set. :param tags: how many tags there are.
    """
    listed = [_CONDITIONS[name] for name in given] + [_tag_condition(at) for at in range(tags)]
    return "".join(f" AND {condition}" for condition in listed)


def agent_named(session: Session, readable: Sequence[str], saved_by: str) -> str | None:
    """Return the author that `saved_by` means among the live pages of the readable slices, None for nobody (FR4).

    :raises InvalidRequest: it is no author's exact name and, case folded, that of two.
    """
    wanted = saved_by.strip()
    if not readable:
        return None
    authors = select(pages.c.agent).where(
        pages.c.slice.in_(readable), pages.c.deleted_at.is_(None), pages.c.agent.is_not(None)
    )
    if session.execute(authors.where(pages.c.agent == wanted).limit(1), of=readable).first() is not None:
        return wanted
    return agent_meant(wanted, set(session.execute(authors.distinct(), of=readable).scalars()))


def agent_meant(saved_by: str, agents: Collection[str]) -> str | None:
    """Return which of `agents` is meant: the very one, or else the only one that is the same case folded (FR4).

    :raises InvalidRequest: it is no author's exact name and, case folded, that of two.
    """
    wanted = saved_by.strip()
    if wanted in agents:
        return wanted
    folded = sorted(agent for agent in agents if agent.casefold() == wanted.casefold())
    if len(folded) > 1:
        said = f"it could be {' or '.join(folded)}; write it exactly"
        raise InvalidRequest(errors=[FieldError("saved_by", "invalid_request", said)])
    return folded[0] if folded else None


def passes(row: Mapping[str, Any], filters: Filters) -> bool:
    """Say whether a version passes the filters."""
    tags = ledger.json_value(row["tags"])
    return (
        (filters.agent is None or row["agent"] == filters.agent)
        and (filters.kind is None or row["kind"] == filters.kind)
        and (filters.since is None or row["updated_at"] >= filters.since)
        and (filters.until is None or row["updated_at"] < filters.until)
        and all(tag in tags for tag in filters.tags)
    )
