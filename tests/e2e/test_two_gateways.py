"""Two gateways of two agents, with desks of their own, on one brain behind a server, with one channel for approvals."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sliceway import Principal, open_brain
from sliceway.core.proposals import State
from sliceway.core.turns import Trust
from sliceway.wiring import RunningGateway
from tests.contract.workspace_client import APP, Json
from tests.e2e.elsewhere import Office, office
from tests.e2e.slack_gateway import TEAM, is_card
from tests.fakes.waiting import until
from tests.unit.slack.rich_text_check import words

ROOM, APPROVALS = "CDEPLOYS", "COPS"


@dataclass
class Both:
    """The gateways of ada and bob; the workspace reaches one of them at a time."""

    office: Office
    ada: RunningGateway
    bob: RunningGateway

    async def hear(self, gateway: RunningGateway, text: str, thread: str | None = None) -> str:
        """Have one gateway hear Ada say something, and return the thread."""
        self.office.slack.workspace.connect(f"{gateway.url}/slack/events")
        more = {"thread_ts": thread} if thread is not None else {}
        said = await self.office.slack.say("UADA", ROOM, f"{APP} {text}", **more)
        await self.office.slack.workspace.settled()
        return thread or said

    async def told(self, gateway: RunningGateway, text: str) -> str:
        """Have one gateway hear something, and return what it answers."""
        root = await self.hear(gateway, text)
        return (await self.office.answered(ROOM, root))[0]

    async def at_rest(self, gateway: RunningGateway) -> None:
        """Wait until a gateway has done what it heard."""

        async def is_idle() -> bool:
            return bool((await self.office.ready(gateway.url))[1]["inbox_depth"] == 0)

        await until(is_idle)

    async def cards(self, count: int) -> list[Json]:
        """Wait until so many cards or records stand in the channel for approvals, and return them."""

        async def enough() -> bool:
            return len(await self._cards()) >= count

        await until(enough)
        return await self._cards()

    async def _cards(self) -> list[Json]:
        return [one for one in await self.office.slack.messages(APPROVALS) if is_card(one)]

    async def press(self, gateway: RunningGateway, user: str, card: Json, label: str) -> None:
        """Press a button of a card, with one gateway to hear of it."""
        self.office.slack.workspace.connect(f"{gateway.url}/slack/events")
        (row,) = [block for block in card["blocks"] if block["type"] == "actions"]
        (action,) = [one["action_id"] for one in row["elements"] if one["text"]["text"] == label]
        pressed = await self.office.slack.control(
            "click", user=user, channel=APPROVALS, ts=card["ts"], action_id=action
        )
        assert pressed["acked"] is True

    async def came_to(self, id: str, state: State) -> None:
        """Wait for a proposal's state."""

        async def is_so() -> bool:
            return (await self.office.operator.proposal(id=id)).state is state

        await until(is_so)

    async def recorded(self, card: Json) -> Json:
        """Wait until a card is a record without buttons, and return it."""
        found: list[Json] = []

        async def is_record() -> bool:
            found[:] = [one for one in await self._cards() if one["ts"] == card["ts"]]
            return "actions" not in [block["type"] for block in found[0]["blocks"]]

        await until(is_record)
        return found[0]


def proposal_of(card: Json) -> str:
    """Return the id of the proposal that a card's buttons name."""
    (row,) = [block for block in card["blocks"] if block["type"] == "actions"]
    return str(row["elements"][0]["value"]).split(".")[1]


@pytest.fixture
async def both(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Both]:
    """Ada's gateway and Bob's on one brain; `indirect` says otherwise of the rights of Ada's."""
    rights = getattr(request, "param", {})
    async with office(tmp_path) as opened, opened.served():
        tokens = [(await opened.token("ada", **rights))[1], (await opened.token("bob"))[1]]
        ada_s = opened.gateway(tokens[0], "ada", SLICEWAY_APPROVALS__CHANNEL=APPROVALS)
        bob_s = opened.gateway(tokens[1], "bob", SLICEWAY_APPROVALS__CHANNEL=APPROVALS)
        async with ada_s as ada, bob_s as bob:
            yield Both(opened, ada, bob)


async def test_ap3_ap9_ap10_one_card_and_one_decision_through_either(both: Both) -> None:
    """AP3, AP9, AP10, AP22: what either agent proposes has one card, and a press that the other's gateway hears decides
    it, once; a second one is told of the first, and the card becomes a record."""
    for number, gateway in enumerate((both.ada, both.bob, both.ada), 1):
        await both.told(gateway, f"share with the team: rule {number} of the runbook")
        card = (await both.cards(number))[-1]
        other = both.bob if gateway is both.ada else both.ada
        await both.press(other, "UMIA", card, "Approve")
        await both.came_to(proposal_of(card), State.APPLIED)
        await both.recorded(card)
        await both.press(gateway, "UMAX", card, "Approve")
        await both.came_to(proposal_of(card), State.APPLIED)
    cards = await both.cards(3)
    assert len(cards) == 3
    assert all("Approved" in words(card["blocks"]) for card in cards)
    pages = (await both.office.operator.list_pages(slice="shared")).items
    assert [page.version for page in pages] == [1, 1, 1]


async def test_sc9_minds_are_apart_and_what_is_shared_is_both_agents(both: Both) -> None:
    """SC9: what Ada keeps in her own notes Bob does not find; what was approved both do."""
    assert (await both.told(both.ada, "remember that build 2301 is the rollback target")).startswith("Saved")
    assert "rollback target" in await both.told(both.ada, "what do we know about build 2301?")
    assert "rollback target" not in await both.told(both.bob, "what do we know about build 2301?")
    await both.told(both.ada, "share with the team: the rotation moved to Mondays")
    (card,) = await both.cards(1)
    await both.press(both.bob, "UMIA", card, "Approve")
    await both.recorded(card)
    for gateway in (both.ada, both.bob):
        assert "moved to Mondays" in await both.told(gateway, "what do we know about the rotation?")


@pytest.mark.parametrize("both", [{}, {"decides": None}], indirect=True, ids=["both decide", "one decides"])
async def test_ap22_what_an_agent_without_a_gateway_proposes_is_carded(both: Both) -> None:
    """AP22, AP26: a script with an agent's token asks over HTTP, and one card comes from a gateway that `decides`; an
    approval there writes the page, signed by the script's agent, and the script sees it."""
    made = await both.office.operator.create_token(kind="agent", agent="scout")
    async with open_brain(both.office.url, token=made.token) as door:
        scout = door.enter()
        asked = await scout.write_pages(slice="shared", pages=[{"slug": "rota", "content": "On call: Mondays"}])
        assert asked.proposal is not None
        (card,) = await both.cards(1)
        assert "On call: Mondays" in words(card["blocks"])
        await both.press(both.bob, "UMIA", card, "Approve")
        await both.recorded(card)
        page = await scout.read_page(slice="shared", slug="rota")
        assert (page.author.agent, page.approver and page.approver.user) == ("scout", "UMIA")
    assert len(await both.cards(1)) == 1


async def test_sc7_ap17_policy_and_revocations_reach_both(both: Both) -> None:
    """SC7, AP15, AP16, AP17: a standing yes given through one gateway holds in the other, and ends in both when it is
    taken back; a channel that is trusted no more is so for both agents at once."""
    root = await both.hear(both.ada, "share with the team: the rotation moved to Mondays")
    (card,) = await both.cards(1)
    await both.press(both.bob, "UMIA", card, "Approve for this thread")
    await both.came_to(proposal_of(card), State.APPLIED)
    await both.hear(both.ada, "share with the team: the rotation moved to Tuesdays", root)

    async def is_under_grant() -> bool:
        return "standing yes" in str(await both.office.answers(ROOM, root))

    await until(is_under_grant)
    (grant,) = (await both.office.operator.grants()).items
    await both.office.operator.revoke_grant(id=grant.id)
    await both.hear(both.ada, "share with the team: the rotation moved to Fridays", root)
    assert len(await both.cards(2)) == 2
    store = both.office.store
    manager = {"team": TEAM, "user": "UMIA"}
    ada = store.enter(Principal.gateway("ada", teams=[TEAM], decides=True))
    await ada.set_trust(team=TEAM, channel=ROOM, trust=Trust.PUBLIC.value, by=manager)
    for gateway, agent in ((both.ada, "ada"), (both.bob, "bob")):
        await both.hear(gateway, "remember that the port is 7100")
        await both.at_rest(gateway)
        assert (await store.enter(Principal.agent(agent)).list_pages(slice="mine")).items == ()
