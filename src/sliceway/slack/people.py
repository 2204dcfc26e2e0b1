"""What Slack says of a person, judged; whoever is not surely a member is less (R35, R37, R38)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sliceway.core.turns import Person, Standing
from sliceway.ports.chat import PersonFacts

NO_TEAM = "?"
"""The team of a person of whom no team is known: nobody's."""


def text_of(data: Mapping[str, Any], name: str) -> str:
    """Return a field that is text, else the empty text. Half a surrogate pair, which no id holds and no store takes,
    becomes U+FFFD; what people wrote is read with `words_of`."""
    return words_of(data, name).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def words_of(data: Mapping[str, Any], name: str) -> str:
    """Return a field of people's words exactly as it came, else the empty text: what is odd in it the brain refuses."""
    value = data.get(name)
    return value if isinstance(value, str) else ""


def part_of(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a field that is an object, else an empty one."""
    value = data.get(name)
    return value if isinstance(value, Mapping) else {}


def facts_of(user: Mapping[str, Any], home: str) -> PersonFacts:
    """Return what a user object of Slack's says of a person.

    :param home: the team whose place this is about; one of a grid person's teams counts as theirs.
    """
    grid = part_of(user, "enterprise_user")
    teams = [team for team in grid.get("teams") or user.get("teams") or () if isinstance(team, str)]
    team = home if home in teams else text_of(user, "team_id") or text_of(part_of(user, "profile"), "team")
    team = team or next(iter(teams), NO_TEAM)
    profile = part_of(user, "profile")
    name = text_of(profile, "display_name") or text_of(profile, "real_name") or text_of(user, "real_name")
    standing = _standing(user, team)
    person = Person(
        team=team,
        user=text_of(user, "id"),
        enterprise=text_of(grid, "enterprise_id") or text_of(user, "enterprise_id") or None,
        name=name or text_of(user, "name") or None,
        standing=standing,
    )
    return PersonFacts(person=person, standing=standing, is_bot=standing is Standing.BOT)


def _standing(user: Mapping[str, Any], team: str) -> Standing:
    """Return what a person is to the team, the least of what is said."""
    if user.get("deleted"):
        return Standing.GONE
    if user.get("is_bot") or user.get("id") == "USLACKBOT":
        return Standing.BOT
    if user.get("is_stranger") or team == NO_TEAM:
        return Standing.STRANGER
    if user.get("is_restricted") or user.get("is_ultra_restricted"):
        return Standing.GUEST
    return Standing.MEMBER


def unknown(team: str, user: str) -> PersonFacts:
    """Return what is known of a person whom Slack does not name: a stranger."""
    person = Person(team=team or NO_TEAM, user=user, standing=Standing.STRANGER)
    return PersonFacts(person=person, standing=Standing.STRANGER)


def is_me(event: Mapping[str, Any], ids: frozenset[str]) -> bool:
    """Say whether an event is of the agent's own doing, by any of its ids (T7, T19)."""
    profile = part_of(event, "bot_profile")
    said = (event.get("user"), event.get("bot_id"), event.get("app_id"), profile.get("app_id"), profile.get("id"))
    return any(isinstance(one, str) and one in ids for one in said)
