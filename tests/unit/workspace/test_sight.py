"""Who sees what in the seeded workspace."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.model import Change, ChannelKind, Message, Role, Workspace
from sliceway.workspace.seed import seeded
from sliceway.workspace.sight import can_read, seen

READERS = {
    "CDEPLOYS": "UADA UBEN UCLEO UMIA UMAX USLICEWAY",
    "COPS": "UADA UBEN UCLEO UMIA UMAX USLICEWAY",
    "CRANDOM": "UADA UBEN UCLEO UMIA UMAX",
    "CLAUNCH": "UADA UMIA USLICEWAY",
    "CAPPROVALS": "UMIA UMAX USLICEWAY",
    "CPARTNERS": "UMIA UGUS USASHA USLICEWAY",
    "DADA": "UADA USLICEWAY",
    "DGUS": "UGUS USLICEWAY",
}


@pytest.fixture
def workspace() -> Workspace:
    """A freshly seeded workspace."""
    return seeded(VirtualClock(lambda: 1000.0))


def test_the_seed_has_every_kind_of_person(workspace: Workspace) -> None:
    """At least three members, two managers, a guest, a stranger, somebody deactivated, the bot and another one."""
    roles = [person.role for person in workspace.people.values() if not person.deleted]
    counts = {role: roles.count(role) for role in Role}
    assert counts == {Role.MEMBER: 3, Role.MANAGER: 2, Role.GUEST: 1, Role.STRANGER: 1, Role.BOT: 2}
    assert [person.id for person in workspace.people.values() if person.deleted] == ["UDORA"]
    assert workspace.team_of(workspace.person("USASHA")) != workspace.home


@pytest.mark.parametrize(("channel", "readers"), READERS.items())
def test_who_may_read_a_channel(workspace: Workspace, channel: str, readers: str) -> None:
    """Members read their channels, full members every public one, outsiders and the deactivated nothing else."""
    place = workspace.channel(channel)
    assert {p.id for p in workspace.people.values() if can_read(p, place)} == set(readers.split())


def test_full_members_read_a_public_channel_they_left(workspace: Workspace) -> None:
    """A public channel is open to every full member, and to no guest, stranger or bot."""
    place = replace(workspace.channel("COPS"), members=())
    assert {p.id for p in workspace.people.values() if can_read(p, place)} == {"UADA", "UBEN", "UCLEO", "UMIA", "UMAX"}


def test_a_private_message_is_seen_by_one_person(workspace: Workspace) -> None:
    """Of an ephemeral message nobody but its person sees anything, not even in the count of replies."""
    root = Message("COPS", "1.000000", "UADA", "root")
    aside = Message("COPS", "2.000000", "USLICEWAY", "psst", thread_ts="1.000000", visible_to="UBEN")
    for message in (root, aside):
        workspace.put_message(message)
    place = workspace.channel("COPS")
    assert seen(workspace, place, "1.000000", workspace.person("UADA")) == [root]
    assert seen(workspace, place, "1.000000", workspace.person("UBEN")) == [root, aside]
    assert seen(workspace, place, "1.000000", None) == [root, aside]
    assert seen(workspace, place, None, workspace.person("UBEN")) == [root]


def test_a_direct_message_of_others_is_empty(workspace: Workspace) -> None:
    """Somebody else's direct message shows nothing, to managers neither."""
    workspace.put_message(Message("DADA", "1.000000", "UADA", "secret"))
    assert seen(workspace, workspace.channel("DADA"), None, workspace.person("UMIA")) == []


def test_every_change_is_told_to_watchers(workspace: Workspace) -> None:
    """Whoever watches hears of each change, until they stop."""
    heard: list[Change] = []
    stop = workspace.watch(heard.append)
    message = Message("COPS", "1.000000", "UADA", "hello")
    workspace.put_message(message)
    workspace.put_channel(replace(workspace.channel("COPS"), kind=ChannelKind.EXTERNAL))
    workspace.drop_message(message)
    stop()
    workspace.put_message(message)
    assert [(change.kind, change.id) for change in heard] == [
        ("message", "1.000000"),
        ("channel", "COPS"),
        ("message", "1.000000"),
    ]
