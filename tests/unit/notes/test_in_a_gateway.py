"""The notes agent in a whole gateway, over a real brain: what people say to it, and what then is in the store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.core.turns import Place
from sliceway_notes.agent import NotesAgent
from tests.fakes.chat import ROOM, TEAM, dm_of
from tests.fakes.rig import Rig, make_rig

THREAD = Place("slack", TEAM, ROOM, "5.5")
STAFF = Place("slack", TEAM, "C2", "9.5")
FACT = "build 2301 is the rollback target"


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    """A gateway whose agent takes notes."""
    rig = await make_rig(tmp_path)
    rig.agent.script = NotesAgent().respond
    yield rig
    await rig.close()


async def answer(rig: Rig, user: str, text: str, place: Place = THREAD) -> str:
    """Return what the agent says to somebody."""
    before = len(rig.chat.said)
    await rig.say(user, text, place=place)
    return "\n".join(said.text for said in rig.chat.said[before:] if said.card is None)


async def test_memoize_and_recall(rig: Rig) -> None:
    """GT2, SC5: what is remembered in one channel is recalled in another, quoted and signed; no card is shown."""
    assert await answer(rig, "U1", f"remember that {FACT}") == f"Saved “{FACT}” to my own notes (`agent-ada`)."
    told = await answer(rig, "U2", "what do we know about the rollback target?", STAFF)
    assert f"> {FACT}" in told
    assert "written by ada for Ann" in told
    assert rig.chat.cards() == []


async def test_gt7_only_what_one_caused(rig: Rig) -> None:
    """GT7: a person takes out of the agent's mind what they themselves caused, copies included, and nobody else's."""
    for _ in range(2):
        await answer(rig, "U1", f"remember that {FACT}")
    assert "came from somebody else" in await answer(rig, "U2", "forget the rollback target")
    assert FACT in await answer(rig, "U2", "recall rollback")
    assert "Forgotten" in await answer(rig, "U1", "forget the rollback target")
    assert "found nothing" in await answer(rig, "U2", "recall rollback")


async def test_undo_one_after_another(rig: Rig) -> None:
    """`undo` takes back one change after another, in the thread where they were made, and then says there is none."""
    await answer(rig, "U1", "remember that lunch is at noon")
    await answer(rig, "U1", "remember that dinner is at eight")
    assert "taken back" in await answer(rig, "U1", "undo")
    assert "dinner" not in await answer(rig, "U1", "what do you know?")
    assert "taken back" in await answer(rig, "U1", "undo that")
    assert "nothing of yours" in await answer(rig, "U1", "undo")
    assert "nothing of yours" in await answer(rig, "U2", "undo")


async def test_share_approve_and_ask(rig: Rig) -> None:
    """GT4, AP5: what is shared waits for a manager's yes and then answers everyone, signed with that yes; a later one
    about the same subject shows on its card what it replaces (AP4)."""
    asked = await answer(rig, "U1", "share with the team: the on-call rotation moved to Mondays")
    assert "(`shared`)" in asked
    assert "Mia or Max can decide" in asked
    await rig.press("UM1", rig.chat.cards()[-1], "Approve")
    told = await answer(rig, "U2", "when did the on-call rotation move?", STAFF)
    assert "approved by Mia" in told
    await answer(rig, "U2", "share with the team: the on-call rotation moved to Fridays", STAFF)
    assert "Replaces version 1" in rig.chat.cards()[-1].text


async def test_private(rig: Rig) -> None:
    """SC2, AP23: in a DM notes stay in the person's corner, and what they share is a draft only they see."""
    own = dm_of("U1")
    assert "your private corner (`user-" in await answer(rig, "U1", "remember that my review is on Thursday", own)
    assert "Thursday" in await answer(rig, "U1", "recall review", own)
    assert "Thursday" not in await answer(rig, "U1", "recall review")
    assert "Thursday" not in await answer(rig, "UM1", "recall review", dm_of("UM1"))
    assert "only you see it" in await answer(rig, "U1", "share with the team: lunch is at noon", own)
    assert "draft" in await answer(rig, "U1", "what is pending?", own)
    assert "Nothing" in await answer(rig, "UM1", "what is pending?")


@pytest.mark.parametrize("user", ["UG", "UX", "UGONE"])
async def test_outsiders(rig: Rig, user: str) -> None:
    """SC1: an outsider gets nothing saved and nothing told, and no word of what there is."""
    await answer(rig, "U1", f"remember that {FACT}")
    for words in (
        "remember that I was here",
        "share with the team: hello",
        "recall rollback",
        "forget the rollback target",
    ):
        assert "2301" not in await answer(rig, user, words)
    assert [entry.slice for entry in await rig.operator.slices() if entry.pages] == ["agent-ada"]


async def test_br5_bad_text(rig: Rig) -> None:
    """BR5: text that is too long or holds control characters is refused in words, and nothing is kept."""
    for words in ("remember that " + "x" * 300_000, "remember that \0 is bad"):
        assert "not saved" in await answer(rig, "U1", words)
    assert "no notes" in await answer(rig, "U1", "what do you know?")
