"""A card reaches those who decide, whatever one place refuses, and goes nowhere that may not hear it (AP27, SC10)."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.core.turns import Place, PlaceKind
from sliceway.flows.parts import GatewayConfig
from sliceway.ports import PlaceFacts
from tests.fakes.chat import TEAM, dm_of, room
from tests.fakes.rig import Rig, make_rig
from tests.fakes.scripts import by_words


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    """A gateway whose cards go to the channel CA, which nobody has described yet."""
    rig = await make_rig(tmp_path, config=GatewayConfig(tick_s=0.01, approvals_channel="CA"))
    rig.agent.script = by_words
    yield rig
    await rig.close()


@pytest.fixture
async def threads(tmp_path: Path) -> AsyncIterator[Rig]:
    """A gateway whose cards go where they come from."""
    rig = await make_rig(tmp_path)
    rig.agent.script = by_words
    yield rig
    await rig.close()


def places(rig: Rig) -> list[str]:
    """Return the channels where cards stand."""
    return sorted(said.place.channel for said in rig.chat.cards())


MEMBERS = ("UM1", "UM2", "UBOT")
FALLEN = {
    "external": room("approvals", MEMBERS, external=True),
    "guests": room("approvals", (*MEMBERS, "UG"), kind=PlaceKind.PRIVATE, guests=True),
    "left": PlaceFacts(PlaceKind.PRIVATE, external=False, guests=False, name="approvals", member=False),
}


@pytest.mark.parametrize("became", sorted(FALLEN))
async def test_ap27_an_approvals_channel_that_fell_gets_no_card(rig: Rig, became: str) -> None:
    """AP27, SC10: what is asked of the team is not shown in an approvals channel that became shared, has a guest, or
    put the agent out; those who decide get it directly, and can decide."""
    rig.chat.places["CA"] = FALLEN[became]
    await rig.say("U1", "share the rotation moved")
    assert places(rig) == ["DUM1", "DUM2"]
    await rig.press("UM1", rig.chat.cards()[0], "Approve")
    assert (await rig.operator.list_pages(slice="shared")).items


@pytest.mark.parametrize("kind", [PlaceKind.CHANNEL, PlaceKind.PRIVATE])
async def test_ap27_an_approvals_channel_of_the_team_gets_the_card(rig: Rig, kind: PlaceKind) -> None:
    """AP27: a public or private channel of the team's own is where cards go, though no memory is kept from there."""
    rig.chat.places["CA"] = room("approvals", MEMBERS, kind=kind)
    await rig.say("U1", "share the rotation moved")
    assert places(rig) == ["CA"]


@pytest.mark.parametrize("reason", ["is_archived", "restricted_action", "not_in_channel"])
async def test_ap27_what_a_thread_refuses_goes_to_those_who_decide(threads: Rig, reason: str) -> None:
    """AP27, R38: a thread that takes no card is no dead end; each who decides gets it."""
    threads.chat.fail("post_card", reason)
    await threads.say("U1", "share the rotation moved")
    assert places(threads) == ["DUM1", "DUM2"]


@pytest.mark.parametrize(
    ("method", "reason"), [("open_dm", "user_disabled"), ("open_dm", "cannot_dm_bot"), ("post_card", "no_text")]
)
async def test_r38_one_manager_who_cannot_get_a_card_keeps_it_from_nobody(
    threads: Rig, method: str, reason: str
) -> None:
    """R38, R40, AP27: direct messages to one manager are refused for good; the other gets the card and decides."""
    await threads.say("U1", "share lunch is at noon", place=dm_of("U1"))
    threads.chat.fail(method, reason)
    await threads.press("U1", threads.chat.cards()[0], "Send to approvers")
    assert places(threads) == ["DU1", "DUM2"]


async def test_ap3_one_manager_who_cannot_get_a_card_now_gets_it_later(threads: Rig) -> None:
    """AP3, T12: the first copy is put off; the second is posted at once, the first when it may be, each once."""
    await threads.say("U1", "share lunch is at noon", place=dm_of("U1"))
    threads.chat.fail("post_card", "ratelimited", retry_after=5)
    await threads.press("U1", threads.chat.cards()[0], "Send to approvers")
    assert places(threads) == ["DU1", "DUM2"]
    await threads.wait(seconds=30)
    assert places(threads) == ["DU1", "DUM1", "DUM2"]


async def test_r38_a_card_that_nobody_can_get_is_said_aloud_in_the_log(
    threads: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    """R38: where no place takes a card, the log says so with the way out, and the proposal still waits."""
    caplog.set_level(logging.ERROR)
    for _ in range(3):
        threads.chat.fail("post_card", "restricted_action")
    await threads.say("U1", "share the rotation moved")
    assert "can be shown to nobody; decide it with 'sliceway proposals'" in caplog.text
    assert len((await threads.operator.proposals(state="pending")).items) == 1


@pytest.mark.parametrize("became", ["external", "guests"])
async def test_sc10_a_record_in_a_place_that_fell_says_no_more_than_what_it_came_to(threads: Rig, became: str) -> None:
    """SC10: outsiders came into the channel between card and click; the record there loses text, reason and people,
    and its buttons; the requester hears the reason alone."""
    await threads.say("U1", "share the merger is on Monday")
    (card,) = threads.chat.cards()
    threads.chat.places["C1"] = FALLEN[became]
    click = await threads.press("UM1", card, "Deny")
    await threads.submit(click, "deny", "deny", reason="not_true", note="it is off")
    (record,) = threads.chat.cards()
    assert record.card is not None
    assert (record.card.buttons, record.card.state) == ((), "denied")
    for words in ("merger", "it is off", "UM1", "Mia"):
        assert words not in str(record.card)
    told = [said for said in threads.chat.said if "it is off" in said.text]
    assert [said.only for said in told] == ["U1"]


async def test_ap4_a_telephone_shows_names_and_no_ids(threads: Rig) -> None:
    """AP4, SC14: the plain-text form of a card and of its record names requester, deciders and a public channel as chat
    calls them; a channel that not everybody knows of stays unnamed."""
    await threads.say("U1", "share words")
    (card,) = threads.chat.cards()
    assert "Asked by: Ann\nAsked in: #deploys" in card.text
    assert "Can decide: Mia, Max\n" in card.text
    await threads.press("UM1", card, "Approve")
    assert "Approved: Mia" in card.text
    for id in ("U1", "UM1", "UM2", "C1\n"):
        assert id not in card.text.replace("https://chat.example/", "")
    await threads.operator.set_policy(trusted_channels=["CP"])
    await threads.say("U1", "share other words", place=Place("slack", TEAM, "CP", "9.5", PlaceKind.PRIVATE))
    assert "Asked in: a channel" in threads.chat.cards()[-1].text
    assert "quiet" not in threads.chat.cards()[-1].text
