"""What became of people and words between a card and its click: who left, and what a notice shows (AP4, AP7, AP17)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sliceway.core.pages import PageDraft
from sliceway.core.proposals import State
from sliceway.core.turns import Person, Standing, Turn
from sliceway.errors import NotEligible
from sliceway.ports import Reply, Tools
from sliceway.ports.inbound import Observed
from tests.fakes.chat import TEAM
from tests.fakes.rig import Rig
from tests.fakes.scripts import by_words


async def state(rig: Rig) -> State:
    """Return the state of the only proposal."""
    (proposal,) = (await rig.operator.proposals()).items
    return proposal.state


@pytest.mark.parametrize("told_to_brain", [True, False])
async def test_ap17_nothing_is_written_for_who_left(rig: Rig, told_to_brain: bool) -> None:
    """AP17, SC4: a request of a person who was deactivated since is not approved, by event or by look-up; it may be
    denied, and the manager is told why in words."""
    rig.agent.script = by_words
    await rig.say("U1", "share the rotation moved")
    rig.chat.person("U1", "Ann", Standing.GONE)
    if told_to_brain:
        gone = Person(TEAM, "U1", standing=Standing.GONE)
        await rig.gateway.observe(Observed("e1", "person", person=gone))
        await rig.quiet()
    await rig.press("UM1", rig.chat.cards()[0], "Approve")
    assert await state(rig) is State.PENDING
    assert "has left the team" in rig.chat.said[-1].text
    click = await rig.press("UM1", rig.chat.cards()[0], "Deny")
    await rig.submit(click, "deny", "deny", reason="not_true")
    assert await state(rig) is State.DENIED


async def test_ap7_the_brain_too_writes_nothing_for_who_left(rig: Rig) -> None:
    """AP7, AP17: a gateway that does not look is refused by the brain."""
    rig.agent.script = by_words
    await rig.say("U1", "share the rotation moved")
    await rig.brain.observe(person={"team": TEAM, "user": "U1", "deactivated": True})
    (proposal,) = (await rig.brain.proposals()).items
    with pytest.raises(NotEligible, match="has left"):
        await rig.brain.decide(id=proposal.id, decision="approve", revision=1, decided_by=Person(TEAM, "UM1"))


async def test_ap4_a_notice_shows_what_a_reader_would_not_see(rig: Rig) -> None:
    """AP4: a title that turns the direction of reading, and a reason that does, are written out in notices too."""

    async def odd(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        await tools.memoize([PageDraft("n/a", turn.text, title="for\u202eyas")], target="shared")
        yield Reply("asked")

    rig.agent.script = odd
    await rig.say("U1", "one")
    click = await rig.press("UM1", rig.chat.cards()[0], "Deny")
    await rig.submit(click, "deny", "deny", note="no\u2066w")
    notice = rig.chat.said[-1].text
    assert "for‹U+202E›yas" in notice
    assert "no‹U+2066›w" in notice
