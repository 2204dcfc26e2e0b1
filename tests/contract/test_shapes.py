"""The JSON of what the port answers, field for field as the contract names it (BR1, BR14)."""

from __future__ import annotations

from sliceway.ports import Brain, BrainDoor
from sliceway.wire.codec import to_json
from tests.contract.office import ANN, MIA, ask, at, gateway, page, settle


async def test_br14_a_policy_always_says_who_approves(operator: Brain) -> None:
    """AP7: `approvers` is null while the managers are meant, and a list once it is set, the empty one included."""
    assert to_json(await operator.policy())["approvers"] is None
    assert to_json(await operator.set_policy(approvers=[]))["approvers"] == []


async def test_br14_a_lost_claim_and_a_new_page_say_null(door: BrainDoor) -> None:
    """BR14: `until` of a lost claim and `before` of a new page are there, and null."""
    await settle(door)
    ours = gateway(door)
    asked = await ask(ours)
    assert to_json(asked)["diff"][0]["before"] is None
    await ours.claim_card(id=asked.id, place="p", holder="one", lease_s=60)
    lost = await ours.card_posted(id=asked.id, place="p", holder="two", ref="m")
    assert to_json(lost) == {"claimed": False, "until": None}


async def test_br1_every_field_of_the_table_is_there(door: BrainDoor) -> None:
    """BR1: receipts, pages, hits, proposals and grants carry the fields of the HTTP table under their names."""
    await settle(door)
    ours, origin = gateway(door), at(ANN)
    wrote = to_json(await ours.write_pages(slice="agent-ada", pages=[page("n")], origin=origin))
    assert set(wrote) == {"outcome", "receipts"}
    assert {"slice", "slug", "version", "action", "author", "event_id"} <= set(wrote["receipts"][0])
    assert {"agent", "token_id", "on_behalf_of", "surface", "place"} == set(wrote["receipts"][0]["author"])
    asked = await ours.write_pages(slice="shared", pages=[page("s")], origin=origin)
    assert asked.proposal is not None
    waits = to_json(asked)["proposal"]
    assert {
        "id", "revision", "state", "slice", "op", "agent", "pages", "diff", "cards", "requested_by", "origin",
        "expires_at", "events",
    } <= set(waits)  # fmt: skip
    assert waits["pages"][0]["base_version"] is None
    done = to_json(
        await ours.decide(id=asked.proposal.id, decision="approve", revision=1, decided_by=MIA, grant_seconds=60)
    )  # fmt: skip
    assert {"id", "agent", "writer", "place", "slice", "granted_by", "until"} <= set(done["grant"])
    read = to_json(await ours.read_page(slice="shared", slug="s", slices=["shared"], origin=origin))
    assert set(read) - {"approver"} == {
        "slice", "slug", "title", "content", "summary", "tags", "kind", "version", "author", "created_at",
        "updated_at", "links", "backlinks", "event_id",
    }  # fmt: skip
    token = to_json(await ours.whoami())["principal"]["token_id"]  # BR3: the token that relayed it, where there is one
    assert read["approver"] == {"team": "T1", "user": "UMIA", "name": "Mia"} | ({"relayed_by": token} if token else {})
    found = to_json(await ours.recall(query="Mondays", slices=["shared"], origin=origin))
    assert set(found) == {"hits", "slices_read", "degraded"}
    assert {
        "slice", "slug", "title", "snippet", "score", "matched", "author", "approver", "version", "updated_at"
    } <= set(found["hits"][0])  # fmt: skip
