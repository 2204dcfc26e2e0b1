"""Drafts: what leaves a private session is first seen by its owner alone, word for word, and sent or kept."""

from __future__ import annotations

from dataclasses import replace

from sliceway.core.gate import Verdict
from sliceway.core.proposals import State
from tests.fakes.chat import Said, dm_of
from tests.fakes.rig import Rig
from tests.fakes.scripts import by_words

WORDS = "the on-call phone is in the red cabinet"


async def draft(rig: Rig) -> Said:
    """Have Ann ask to share from a private session, and return what she sees."""
    rig.agent.script = by_words
    await rig.type("U1", f"share {WORDS}")
    (card,) = rig.chat.cards()
    return card


def others_saw(rig: Rig) -> list[Said]:
    """Return what anyone but Ann saw of it."""
    return [said for user in ("U2", "UM1", "UM2") for said in rig.chat.seen_by(user) if "cabinet" in said.text]


async def test_ap23_only_the_owner_sees_a_draft(rig: Rig) -> None:
    """AP23, SC14: the draft stands in the private thread with the exact text and who would see it; nobody else, the
    operator and deciding gateways included, sees any of it."""
    card = await draft(rig)
    assert card.place.channel == dm_of("U1").channel
    assert card.card is not None
    assert [button.label for button in card.card.buttons] == ["Send to approvers", "Keep private"]
    assert WORDS in card.text
    assert others_saw(rig) == []
    assert (await rig.brain.proposals()).items == ()
    assert (await rig.operator.proposals()).items == ()


async def test_ap23_sent_it_becomes_a_card_and_is_decided(rig: Rig) -> None:
    """AP23, AP27: Send makes it a proposal, carded to each approver; approved, it is in the knowledge base, and the
    owner is told in the private thread."""
    card = await draft(rig)
    await rig.press("U1", card, "Send to approvers")
    assert card.card is not None
    assert card.card.buttons == ()
    copies = [said for said in rig.chat.cards() if said is not card]
    assert sorted(copy.place.channel for copy in copies) == ["DUM1", "DUM2"]
    await rig.press("UM1", copies[0], "Approve")
    page = await rig.brain.read_page(
        slice="shared", slug="team/oncall", slices=["shared"], origin={"place": {"surface": "background"}}
    )
    assert page.content == WORDS
    (notice,) = [said for said in rig.chat.said if "approved it" in said.text]
    assert notice.place == card.place


async def test_ap23_kept_private_nobody_ever_hears_of_it(rig: Rig) -> None:
    """AP23: Keep private ends it; a later Send is told the truth."""
    card = await draft(rig)
    before = replace(card)
    await rig.press("U1", card, "Keep private")
    assert card.card is not None
    assert card.card.buttons == ()
    await rig.press("U1", before, "Send to approvers")
    assert "taken back" in [said.text for said in rig.chat.said if said.only == "U1"][-1]
    assert others_saw(rig) == []
    assert (await rig.brain.proposals()).items == ()


async def test_ap23_nobody_else_sends_or_keeps_it(rig: Rig) -> None:
    """AP23: another person's click, a manager's too, meets a card that is not active for them."""
    card = await draft(rig)
    for user in ("U2", "UM1"):
        await rig.press(user, card, "Send to approvers")
        assert "no longer active" in [said.text for said in rig.chat.said if said.only == user][-1]
    assert card.card is not None
    assert card.card.state == State.DRAFT.value
    assert card.card.buttons


async def test_ap23_a_second_send_changes_nothing(rig: Rig) -> None:
    """AP23: Send pressed twice makes one proposal, with its cards once."""
    card = await draft(rig)
    before = replace(card)
    await rig.press("U1", before, "Send to approvers")
    await rig.press("U1", before, "Send to approvers")
    assert len(rig.chat.cards()) == 3
    assert len((await rig.brain.proposals()).items) == 1


async def test_ap23_an_expired_draft_tells_its_owner_alone(rig: Rig) -> None:
    """AP14, AP23: past its time the draft's own card says expired; nothing else is said to anyone."""
    card = await draft(rig)
    said = len(rig.chat.said)
    await rig.wait(hours=73)
    await rig.quiet()
    assert card.card is not None
    assert card.card.outcome is not None
    assert card.card.outcome.label == "Expired"
    assert len(rig.chat.said) == said
    assert others_saw(rig) == []


async def test_ap3_a_draft_is_shown_once_after_a_lost_answer(rig: Rig) -> None:
    """AP3: the draft's post happened and its answer was lost: it is found, not posted again."""
    rig.chat.lose_answer("post_card")
    await draft(rig)
    await rig.restart()
    await rig.wait(seconds=5)
    assert len(rig.chat.cards()) == 1


async def test_a_plugin_that_wants_a_yes_for_the_corner_asks_its_owner_alone(rig: Rig) -> None:
    """GT, AP7: where a plugin raises a write to a person's own corner, the card stands in their direct messages and
    they alone decide."""
    rig.agent.script = by_words
    rig.hooks.verdict = Verdict.ASK
    await rig.say("U1", f"corner {WORDS}")
    (card,) = rig.chat.cards()
    assert card.place.channel == dm_of("U1").channel
    await rig.press("UM1", card, "Approve")
    assert "no longer active" in [said.text for said in rig.chat.said if said.only == "UM1"][-1]
    await rig.press("U1", card, "Approve")
    assert card.card is not None
    assert card.card.outcome is not None
    assert card.card.outcome.label == "Approved"
    rig.hooks.verdict = None
    await rig.say("U1", "find cabinet", place=dm_of("U1"))
    assert WORDS in rig.chat.said[-1].text


async def test_ap18_a_draft_of_what_was_denied_is_sent_without_a_card_and_its_owner_is_told(rig: Rig) -> None:
    """AP18, AP23: sent from private, what was denied lately gets no card, and its owner hears so in private."""
    first = await draft(rig)
    await rig.press("U1", first, "Send to approvers")
    copy = next(said for said in rig.chat.cards() if said is not first)
    click = await rig.press("UM1", copy, "Deny")
    await rig.submit(click, "deny", "deny", reason="duplicate")
    cards = len(rig.chat.cards())
    await rig.type("U1", f"share {WORDS}")
    await rig.press("U1", rig.chat.cards()[-1], "Send to approvers")
    assert len(rig.chat.cards()) == cards + 1
    assert any("gets no card" in said.text for said in rig.chat.seen_by("U1"))
