"""Claims to post cards: one card per proposal and place, whoever posts it, whatever dies between (AP3)."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, NotFound, NotPermitted
from sliceway.ports import BrainDoor
from tests.contract.office import ANN, BEN, alone, ask, at, gateway, page, settle
from tests.fakes.clock import HandClock


async def test_ap3_one_of_twenty_claims_holds(door: BrainDoor) -> None:
    """AP3: of twenty claims at once by two gateways one may post; the others are told until when."""
    await settle(door)
    asked = await ask(gateway(door))
    claims = await asyncio.gather(
        *(
            gateway(door, "ada" if number % 2 else "bob").claim_card(
                id=asked.id, place="T1/C9", holder=f"g{number}", lease_s=30
            )
            for number in range(20)
        )
    )
    assert sum(claim.claimed for claim in claims) == 1
    assert len({claim.until for claim in claims}) == 1


async def test_ap3_a_card_that_stands_is_told_to_later_claimers(door: BrainDoor, clock: HandClock) -> None:
    """AP3: after it is posted nobody posts again, however late; the proposal shows where its cards stand."""
    await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    asked = await ask(brain)
    assert (await brain.claim_card(id=asked.id, place="T1/C9", holder="g1", lease_s=30)).claimed
    posted = await brain.card_posted(id=asked.id, place="T1/C9", holder="g1", ref="C9/5.5")
    assert (posted.claimed, posted.ref) == (True, "C9/5.5")
    assert await brain.card_posted(id=asked.id, place="T1/C9", holder="g1", ref="C9/5.5") == posted
    clock.advance("1h")
    for holder in ("g1", "g2"):
        late = await other.claim_card(id=asked.id, place="T1/C9", holder=holder, lease_s=30)
        assert (late.claimed, late.ref) == (False, "C9/5.5")
    assert (await other.claim_card(id=asked.id, place="T1/DMIA", holder="g2", lease_s=30)).claimed
    assert [(card.place, card.ref) for card in (await brain.proposal(id=asked.id)).cards] == [
        ("T1/C9", "C9/5.5"),
        ("T1/DMIA", None),
    ]


async def test_ap3_a_place_and_its_text_are_one(door: BrainDoor) -> None:
    """AP3: a place named as an origin names it, and by its text, has one card between them; a part of one is none."""
    await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    asked = await ask(brain)
    place = {"surface": "slack", "team": "T1", "channel": "C9", "thread": "5.5"}
    assert (await brain.claim_card(id=asked.id, place=place, holder="g1", lease_s=30)).claimed
    assert not (await other.claim_card(id=asked.id, place="T1/C9/5.5", holder="g2", lease_s=30)).claimed
    assert (await brain.card_posted(id=asked.id, place=place, holder="g1", ref="C9/6.6")).ref == "C9/6.6"
    assert [card.place for card in (await brain.proposal(id=asked.id)).cards] == ["T1/C9/5.5"]
    with pytest.raises(InvalidRequest) as told:
        await brain.claim_card(id=asked.id, place={"channel": "C9"}, holder="g1", lease_s=30)
    assert [error.field for error in told.value.errors] == ["place"]


async def test_ap3_a_lost_lease_changes_nothing(door: BrainDoor, clock: HandClock) -> None:
    """AP3: a holder that was too slow is told so; the claim is another's to take."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    await brain.claim_card(id=asked.id, place="p", holder="slow", lease_s=10)
    clock.advance("5s")
    assert (await brain.claim_card(id=asked.id, place="p", holder="slow", lease_s=10)).claimed
    clock.advance("10s")
    assert not (await brain.card_posted(id=asked.id, place="p", holder="slow", ref="1")).claimed
    assert (await brain.claim_card(id=asked.id, place="p", holder="quick", lease_s=10)).claimed
    assert not (await brain.card_posted(id=asked.id, place="p", holder="slow", ref="1")).claimed
    assert (await brain.card_posted(id=asked.id, place="p", holder="quick", ref="2")).ref == "2"
    late = await brain.card_posted(id=asked.id, place="p", holder="slow", ref="1")
    assert (late.claimed, late.ref) == (False, "2")
    assert not (await brain.card_posted(id=asked.id, place="never claimed", holder="slow", ref="1")).claimed


async def test_ap26_only_gateways_that_see_it_claim(door: BrainDoor) -> None:
    """AP26: a draft's card is claimed with its owner in the origin; what is not seen is not there."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain, page("a"))
    draft = await ask(brain, page("b"), origin=alone(ANN))
    said = {"place": "p", "holder": "g", "lease_s": 5.0}
    for seer in (operator, door.enter(Principal.agent("ada"))):
        with pytest.raises(NotPermitted):
            await seer.claim_card(id=asked.id, **said)  # type: ignore[arg-type]  # a call with one value that may be wrong
    for seer, id, origin in (
        (gateway(door, "bob", decides=False), asked.id, None),
        (brain, draft.id, None),
        (brain, draft.id, at(BEN)),
        (gateway(door, "bob"), draft.id, alone(ANN)),
        (brain, draft.id, at(ANN)),
    ):
        with pytest.raises(NotFound):
            await seer.claim_card(id=id, origin=origin, **said)  # type: ignore[arg-type]  # a call with one value that may be wrong
    assert (await brain.claim_card(id=draft.id, origin=alone(ANN), **said)).claimed  # type: ignore[arg-type]  # a call with one value that may be wrong
    ref = await brain.card_posted(id=draft.id, place="p", holder="g", ref="1", origin=alone(ANN))
    assert ref.claimed
    sent = await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN))
    assert sent.cards == ()


async def test_br5_a_claim_says_what_it_means(door: BrainDoor) -> None:
    """BR5: no place, no holder, and a lease of no or endless time are refused."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    for place, holder, lease in (("", "g", 5.0), ("p", " ", 5.0), ("p", "g", 0.0), ("p", "g", 601), ("p", "g", True)):
        with pytest.raises(InvalidRequest):
            await brain.claim_card(id=asked.id, place=place, holder=holder, lease_s=lease)


async def test_ap22_who_sees_a_request_of_its_person_posts_no_card_of_it(door: BrainDoor) -> None:
    """AP22 AP26: through another agent's gateway Ann sees what she asked for; that gateway claims and moves no card of
    it, which could keep the real one away, unless it decides."""
    await settle(door)
    asked = await ask(gateway(door, decides=False))
    other = gateway(door, "bob", decides=False)
    assert (await other.proposal(id=asked.id, origin=at(ANN))).id == asked.id
    with pytest.raises(NotPermitted):
        await other.claim_card(id=asked.id, place="T1/C9", holder="g1", lease_s=30, origin=at(ANN))
    with pytest.raises(NotPermitted):
        await other.card_posted(id=asked.id, place="T1/C9", holder="g1", ref="C9/5.5", origin=at(ANN))
    assert (await gateway(door, decides=False).claim_card(id=asked.id, place="T1/C9", holder="g2", lease_s=30)).claimed
    assert (await gateway(door, "bob").claim_card(id=asked.id, place="T1/C8", holder="g3", lease_s=30)).claimed
