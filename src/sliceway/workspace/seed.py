"""Who and what is there when the workspace starts: people of every kind, channels of every kind."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.model import App, Channel, ChannelKind, Person, Role, Team, Workspace

HOME = Team("THARBOR", "Harbor", "harbor")
FAR = Team("TMERIDIAN", "Meridian", "meridian")
APP = App(id="ASLICEWAY", name="sliceway", bot_user="USLICEWAY", bot_id="BSLICEWAY", acts_as="UCLEO")

PEOPLE = (
    Person("UADA", "ada", "Ada Moreno", Role.MEMBER),
    Person("UBEN", "ben", "Ben Okafor", Role.MEMBER),
    Person("UCLEO", "cleo", "Cleo Tanaka", Role.MEMBER),
    Person("UMIA", "mia", "Mia Lindqvist", Role.MANAGER),
    Person("UMAX", "max", "Max Adeyemi", Role.MANAGER),
    Person("UGUS", "gus", "Gus Ferrari", Role.GUEST),
    Person("USASHA", "sasha", "Sasha Petrov", Role.STRANGER),
    Person("UDORA", "dora", "Dora Klein", Role.MEMBER, deleted=True),
    Person("USLICEWAY", "sliceway", "Sliceway", Role.BOT, bot_id="BSLICEWAY"),
    Person("UALERTS", "alerts", "Alerts", Role.BOT, bot_id="BALERTS"),
)

_TEAM = ("UADA", "UBEN", "UCLEO", "UMIA", "UMAX", "USLICEWAY")
CHANNELS = (
    Channel("CDEPLOYS", "deploys", ChannelKind.PUBLIC, _TEAM),
    Channel("COPS", "ops", ChannelKind.PUBLIC, _TEAM),
    Channel("CRANDOM", "random", ChannelKind.PUBLIC, _TEAM[:-1]),
    Channel("CLAUNCH", "launch", ChannelKind.PRIVATE, ("UADA", "UMIA", "USLICEWAY")),
    Channel("CAPPROVALS", "approvals", ChannelKind.PRIVATE, ("UMIA", "UMAX", "USLICEWAY")),
    Channel("CPARTNERS", "partners", ChannelKind.EXTERNAL, ("UMIA", "UGUS", "USASHA", "USLICEWAY")),
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the app proves itself with, and what it checks the workspace by; new ones at each start."""

    bot: str = field(repr=False)
    app: str = field(repr=False)
    user: str = field(repr=False)
    signing_secret: str = field(repr=False)

    @classmethod
    def fresh(cls) -> Tokens:
        """Return tokens that nobody has seen."""
        return cls(
            bot=f"xoxb-local-{secrets.token_hex(12)}",
            app=f"xapp-1-{APP.id}-local-{secrets.token_hex(12)}",
            user=f"xoxp-local-{secrets.token_hex(12)}",
            signing_secret=secrets.token_hex(16),
        )


def direct_channel_id(user: str) -> str:
    """Return the id of the direct message between somebody and the app."""
    return f"D{user[1:]}"


def seeded(clock: VirtualClock) -> Workspace:
    """Return a workspace with everybody in it, and a direct message with the app for each active person of the team."""
    workspace = Workspace(home=HOME, far=FAR, app=APP, clock=clock)
    for person in PEOPLE:
        workspace.put_person(person)
        if person.role in (Role.MEMBER, Role.MANAGER, Role.GUEST) and not person.deleted:
            members = (person.id, APP.bot_user)
            workspace.put_channel(Channel(direct_channel_id(person.id), "", ChannelKind.IM, members))
    for channel in CHANNELS:
        workspace.put_channel(channel)
    return workspace
