"""Events of Slack's, turned into turns and observations. Pure; whatever the payload, nothing raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sliceway.core.turns import Person, Place, PlaceKind, Standing, Turn
from sliceway.ports.chat import Me
from sliceway.ports.inbound import Observed
from sliceway.slack.people import NO_TEAM, facts_of, is_me, part_of, text_of, words_of
from sliceway.slack.wire_text import forwarded, mentions, plain, without_mention

SURFACE = "slack"
_HEARD = frozenset({"file_share", "thread_broadcast"})
"""Subtypes of messages that a person wrote; all others are edits, deletions, notices and bots (R8, R16, R17)."""
_ASKS_ALOUD = "!1on1"
"""What starts a `/1on1` without a mention, where slash commands do not exist (OO2)."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """A payload that nothing follows from, and why, for the log."""

    why: str


def ids_of(me: Me) -> frozenset[str]:
    """Return every id the agent may appear under (T7)."""
    return frozenset(filter(None, (me.user, me.bot, me.app, *me.also)))


def tenancy(envelope: Mapping[str, Any]) -> str:
    """Return the team that an event was delivered for: the installation's, not the author's (R31, R32)."""
    given = envelope.get("authorizations")
    first = given[0] if isinstance(given, list) and given and isinstance(given[0], Mapping) else {}
    return text_of(first, "team_id") or text_of(envelope, "context_team_id") or text_of(envelope, "team_id")


def queue_of(place: Place) -> str:
    """Return the queue of a place: team, channel and thread root; a direct message is one queue, root and threads."""
    return "/".join((place.team, place.channel, "" if place.kind is PlaceKind.IM else place.thread or ""))


def turn_of(envelope: Mapping[str, Any], me: Me) -> Turn | Ignored:
    """Return the turn of a `message` or `app_mention`, or why there is none.

    A message and the mention in it are one turn: same key, whichever comes first (R4). A copy that does not address
    the agent is no turn, so that it never uses up the key (R5). A root begins the thread that its answers go to,
    whether or not Slack repeats its time as `thread_ts` (R22).
    """
    event = part_of(envelope, "event")
    team, channel, ts = tenancy(envelope), text_of(event, "channel"), text_of(event, "ts")
    wire, user = words_of(event, "text"), text_of(event, "user")
    if (why := _why_not(event, me)) is not None:
        return Ignored(why)
    if not (team and channel and ts and user):
        return Ignored("it has no team, channel, time or user")
    kind = kind_of_channel(channel, text_of(event, "channel_type"))
    passed_on = forwarded(event.get("attachments"))
    direct = kind is PlaceKind.IM
    mentioned = event.get("type") == "app_mention" or any(mentions(wire, one) for one in (me.user, *me.also))
    if not (direct or mentioned or wire.startswith(_ASKS_ALOUD)):
        return Ignored("it does not address the agent")
    if direct and not wire.strip() and passed_on is None:
        return Ignored("it has no text")
    text, names = plain(without_mention(wire, (me.user, *me.also)))
    root = text_of(event, "thread_ts") or ts
    place = Place(SURFACE, team, channel, root, kind, external=envelope.get("is_ext_shared_channel") is True)
    return Turn(
        key=f"message/{team}/{channel}/{ts}",
        agent="",
        speaker=_author(envelope, event, team),
        place=place,
        text=text,
        raw=wire,
        forwarded=passed_on,
        names=names,
    )


def _why_not(event: Mapping[str, Any], me: Me) -> str | None:
    """Return why an event is nothing a person said, None where it is."""
    if text_of(event, "type") not in {"message", "app_mention"}:
        return "it is no message"
    if is_me(event, ids_of(me)):
        return "it is the agent's own"
    if event.get("bot_id") or event.get("bot_profile") or event.get("user") == "USLACKBOT":
        return "a bot wrote it"
    if event.get("hidden") or not _is_heard(event):
        return f"it is a {text_of(event, 'subtype') or 'hidden message'}"
    if event.get("edited"):
        return "it is an edit"
    return None


def _is_heard(event: Mapping[str, Any]) -> bool:
    """Say whether a message is of a kind that people write."""
    subtype = event.get("subtype")
    return not subtype or (isinstance(subtype, str) and subtype in _HEARD)


def kind_of_channel(channel: str, said: str = "") -> PlaceKind:
    """Return the kind of a channel as far as a payload tells; what is not told is taken for private."""
    match said:
        case "im" | "directmessage":
            return PlaceKind.IM
        case "mpim":
            return PlaceKind.MPIM
        case "group" | "privategroup":
            return PlaceKind.PRIVATE
    if said.startswith("mpdm-"):
        return PlaceKind.MPIM
    return {"D": PlaceKind.IM, "C": PlaceKind.CHANNEL}.get(channel[:1], PlaceKind.PRIVATE)


def _author(envelope: Mapping[str, Any], event: Mapping[str, Any], team: str) -> Person:
    """Return who wrote a message, by the author's own team; where it is not told in a shared channel, nobody's."""
    own = {text_of(envelope, "enterprise_id"), text_of(envelope, "context_enterprise_id")} - {""}
    said = text_of(event, "user_team") or text_of(event, "team") or text_of(event, "source_team")
    if not said:
        said = NO_TEAM if envelope.get("is_ext_shared_channel") is True else team
    if said in own:
        return Person(team, text_of(event, "user"), enterprise=said, standing=Standing.STRANGER)
    enterprise = next(iter(sorted(own)), None) if said == team else None
    return Person(said, text_of(event, "user"), enterprise=enterprise, standing=Standing.STRANGER)


def observed_in(envelope: Mapping[str, Any], me: Me) -> tuple[Observed, ...]:
    """Return what an event tells of places and people, beside any turn."""
    event, key = part_of(envelope, "event"), text_of(envelope, "event_id")
    team, channel = tenancy(envelope), text_of(event, "channel")
    kind = text_of(event, "type")
    place = Place(SURFACE, team, channel, kind=kind_of_channel(channel, text_of(event, "channel_type")))
    shared = Place(SURFACE, team, channel, kind=place.kind, external=True)
    match kind:
        case "tokens_revoked" | "app_uninstalled":
            return (Observed(key, "revoked"),)
        case "user_change":
            user = part_of(event, "user")
            return (Observed(key, "person", person=facts_of(user, team).person),) if text_of(user, "id") else ()
        case "app_home_opened" if text_of(event, "user") and text_of(event, "tab") != "messages":
            return (Observed(key, "home", place=place, person=_author(envelope, event, team)),)
        case "channel_shared" if channel:
            return (Observed(key, "external", place=shared),)
        case "channel_unshared" if channel:
            still = event.get("is_ext_shared") is not False
            return (Observed(key, "external" if still else "internal", place=shared if still else place),)
        case "channel_id_changed":
            new, old = text_of(event, "new_channel_id"), text_of(event, "old_channel_id")
            moved = Place(SURFACE, team, new, kind=kind_of_channel(new))
            return (Observed(key, "renamed", place=moved, was=old),) if new and old else ()
        case "member_joined_channel" | "message" | "app_mention" if channel:
            return _presence(envelope, event, me, place, shared, key)
    return ()


def _presence(
    envelope: Mapping[str, Any], event: Mapping[str, Any], me: Me, place: Place, shared: Place, key: str
) -> tuple[Observed, ...]:
    """Return what somebody's coming or speaking tells: that the place is shared, and that they are in it (SC7, T19)."""
    seen = []
    if envelope.get("is_ext_shared_channel") is True:
        seen.append(Observed(f"{key}/external", "external", place=shared, passing=True))
    joined = text_of(event, "type") == "member_joined_channel"
    bot_s = event.get("bot_id") or event.get("user") == "USLACKBOT" or is_me(event, ids_of(me))
    heard = not bot_s if joined else _why_not(event, me) is None
    if text_of(event, "user") and heard and place.kind is not PlaceKind.IM:
        who = _author(envelope, event, place.team)
        what = "joined" if joined else "spoke"
        seen.append(Observed(f"{key}/{what}", what, place=place, person=who, passing=not joined))
    return tuple(seen)
