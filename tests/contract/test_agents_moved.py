"""Alias, rename, merge and retire: each said before, recorded, taken back, and an admin's alone (ID12, GT9)."""

from __future__ import annotations

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import Conflict, InvalidRequest, NotFound, NotPermitted, SlicewayError
from sliceway.ports import Brain, BrainDoor
from tests.contract.conftest import store_of
from tests.contract.people import ANN, MANAGER, in_channel


def as_agent(door: BrainDoor, id: str) -> Brain:
    """Return the brain as an agent on the store's own file has it: without a token that could be revoked."""
    return store_of(door).enter(Principal.agent(id))


async def save(brain: Brain, slug: str, text: str) -> None:
    """Save a page in the agent's own mind."""
    await brain.write_pages(slice="mine", pages=[{"slug": slug, "content": text}])


async def slugs(brain: Brain, query: str) -> set[tuple[str, str]]:
    """Return where a recall finds pages."""
    return {(hit.slice, hit.slug) for hit in (await brain.recall(query=query)).hits}


async def test_id12_an_alias_is_read_by_its_one_owner_and_written_by_nobody(door: BrainDoor, operator: Brain) -> None:
    """ID12 SC9: an earlier mind bound to an agent is read by it alone, written by nobody, has one owner, and goes back
    to its agent when it is taken back; a dry run changes nothing."""
    old, new, third = (as_agent(door, id) for id in ("old", "new", "third"))
    await save(old, "n", "the rollback target")
    told = await operator.alias_agent(id="new", alias="agent-old", dry_run=True)
    assert (told.outcome, told.mind, told.agent, told.into, told.pages) == (
        "would_change", "agent-old", "old", "new", 1,
    )  # fmt: skip
    assert await slugs(new, "rollback") == set()
    assert (await operator.alias_agent(id="new", alias="agent-old")).outcome == "changed"
    assert (await operator.alias_agent(id="new", alias="old")).outcome == "nochange"
    assert await slugs(new, "rollback") == {("agent-old", "n")}
    assert await slugs(old, "rollback") == await slugs(third, "rollback") == set()
    for writer, name in ((old, "mine"), (new, "agent-old")):
        with pytest.raises(SlicewayError) as refused:
            await writer.write_pages(slice=name, pages=[{"slug": "x", "content": "y"}])
        assert refused.value.status in {403, 404}
    with pytest.raises(NotPermitted):
        await old.register()
    for id, alias in (("third", "agent-old"), ("old", "agent")):
        with pytest.raises(Conflict):
            await operator.alias_agent(id=id, alias=alias)
    for name in ("new", "shared", "user-x", "_system"):
        with pytest.raises(InvalidRequest):
            await operator.alias_agent(id="new", alias=name)
    assert (await operator.alias_agent(id="new", alias="agent-old", undo=True)).outcome == "undone"
    assert await slugs(new, "rollback") == set()
    assert await slugs(old, "rollback") == {("agent-old", "n")}
    with pytest.raises(NotFound):
        await operator.alias_agent(id="third", alias="agent-old", undo=True)
    acts = [entry.act for entry in await operator.audit(slice="_system")]
    assert [act for act in acts if act.startswith("agent.")] == ["agent.alias_undone", "agent.bound"]
    assert (await operator.verify()).ok


async def test_id12_a_renamed_agent_goes_on_under_its_new_id(door: BrainDoor, operator: Brain) -> None:
    """ID12 ID10 BR2 OP1: a rename gives a new mind that reads the earlier one, its aliases and its reference; its
    tokens are the new id's from the next request on; the old id may not act; taken back, all of it returns."""
    await operator.set_policy(kb={"old": ["kb-a"]})
    await as_agent(door, "older").write_pages(slice="mine", pages=[{"slug": "p", "content": "rollback once"}])
    await operator.alias_agent(id="old", alias="older")
    await save(as_agent(door, "old"), "n", "the rollback target")
    made = await operator.create_token(kind="agent", agent="old")
    local = store_of(door)
    told = await operator.rename_agent(id="old", to="new", dry_run=True)
    assert (told.tokens, told.aliases, told.kb, told.pages) == (1, ("agent-older",), ("kb-a",), 1)
    assert (await local.principal_of(made.token)).agent_id == "old"
    await operator.rename_agent(id="old", to="new", display="Nova")
    assert (await operator.rename_agent(id="old", to="new")).outcome == "nochange"
    holder = local.enter(await local.principal_of(made.token))
    await save(holder, "m", "the rollback target of today")
    assert await slugs(holder, "rollback") == {("agent-new", "m"), ("agent-old", "n"), ("agent-older", "p")}
    assert "kb-a" in (await holder.whoami()).reads
    assert await slugs(as_agent(door, "old"), "rollback") == set()
    known = {one.id: one for one in await operator.agents()}
    assert (known["new"].display, known["new"].aliases) == ("Nova", ("agent-old", "agent-older"))
    with pytest.raises(InvalidRequest):
        await operator.create_token(kind="agent", agent="old")
    for id, to in (("old", "third"), ("new", "old")):
        with pytest.raises(Conflict):
            await operator.rename_agent(id=id, to=to)
    with pytest.raises(NotFound):
        await operator.rename_agent(id="nobody-here", to="third")
    back = await operator.rename_agent(id="old", undo=True)
    assert (back.outcome, back.tokens, back.aliases) == ("undone", 1, ("agent-older",))
    assert (await local.principal_of(made.token)).agent_id == "old"
    assert await slugs(as_agent(door, "old"), "rollback") == {("agent-old", "n"), ("agent-older", "p")}
    assert (await operator.policy()).kb == {"old": frozenset({"kb-a"})}
    assert (await operator.verify()).ok


async def test_id12_a_later_act_is_taken_back_before_an_earlier_one(door: BrainDoor, operator: Brain) -> None:
    """ID12: a chain of renames is taken back from its end; until then the earlier undo is refused."""
    await save(as_agent(door, "a"), "n", "the rollback target")
    await operator.rename_agent(id="a", to="b")
    await operator.rename_agent(id="b", to="c")
    assert await slugs(as_agent(door, "c"), "rollback") == {("agent-a", "n")}
    with pytest.raises(Conflict):
        await operator.rename_agent(id="a", undo=True)
    await operator.rename_agent(id="b", undo=True)
    await operator.rename_agent(id="a", undo=True)
    assert await slugs(as_agent(door, "a"), "rollback") == {("agent-a", "n")}
    assert [await slugs(as_agent(door, id), "rollback") for id in "bc"] == [set(), set()]


async def test_id12_a_retired_agent_does_nothing_and_its_mind_is_kept(
    door: BrainDoor, operator: Brain, gateway: Brain
) -> None:
    """ID12 BR2 AP17: its tokens end for good and its grants with it, its mind is read by nobody; taken back, it acts
    again with a token that is made anew."""
    local = store_of(door)
    embedded = local.enter(Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True))
    asked = await embedded.write_pages(
        slice="shared", pages=[{"slug": "s", "content": "some words"}], origin=in_channel(ANN)
    )
    assert asked.proposal is not None
    await embedded.decide(id=asked.proposal.id, decision="approve", revision=1, decided_by=MANAGER, grant_seconds=600)
    ada = as_agent(door, "ada")
    await save(ada, "n", "the rollback target")
    waiting = await ada.propose(op="write", slice="agent-ada", pages=[{"slug": "w", "content": "raised"}])
    made = await operator.create_token(kind="agent", agent="ada")
    told = await operator.retire_agent(id="ada", dry_run=True)
    assert (told.pages, told.proposals, told.grants) == (1, 1, 1)
    await operator.retire_agent(id="ada")
    assert (await operator.retire_agent(id="ada")).outcome == "nochange"
    with pytest.raises(SlicewayError) as refused:
        await local.principal_of(made.token)
    assert refused.value.code == "unauthorized"
    assert await slugs(ada, "rollback words") == set()
    for listed in (ada.proposals(), embedded.grants(), ada.audit(), ada.list_pages(), embedded.changes()):
        assert (await listed).items == ()
    done = await embedded.done_in(turn="t", origin=in_channel(ANN))
    assert (done.receipts, done.proposals, (await ada.whoami()).reads) == ((), (), ("public",))
    for call in (ada.register(), embedded.set_trust(team="T1", channel="C9", trust="trusted", by=MANAGER)):
        with pytest.raises(NotPermitted):
            await call
    with pytest.raises(NotPermitted):
        await operator.decide(id=waiting.id, decision="approve", revision=1)
    with pytest.raises(NotFound):
        await operator.retire_agent(id="nobody-here")
    await operator.retire_agent(id="ada", undo=True)
    assert await slugs(ada, "rollback") == {("agent-ada", "n")}
    with pytest.raises(SlicewayError):
        await local.principal_of(made.token)
    assert (await operator.verify()).ok


async def test_id12_two_minds_become_one_and_two_again(door: BrainDoor, operator: Brain) -> None:
    """ID12 BR3 BR8: every page of a mind with its history comes into the other as the merger's own, saying what it was;
    a taken slug comes in under the mind's name; taken back, what did not change since goes, and the mind is there."""
    old, new = as_agent(door, "old"), as_agent(door, "new")
    for text in ("first plan", "second plan"):
        await save(old, "plan", text)
    await save(old, "both", "alpha [[plan]]")
    await save(old, "gone", "dropped")
    await old.delete(slice="mine", slug="gone")
    await save(new, "both", "beta")
    told = await operator.merge_agent(id="new", mind="old", dry_run=True)
    assert (told.pages, told.versions, told.conflicts, told.moved) == (2, 5, 1, {"both": "old/both"})
    assert await slugs(new, "plan") == set()
    done = await operator.merge_agent(id="new", mind="old")
    assert (done.outcome, done.conflicts) == ("changed", 1)
    assert (await operator.merge_agent(id="new", mind="old")).outcome == "nochange"
    assert await slugs(new, "plan alpha beta") == {
        ("agent-new", "plan"), ("agent-new", "both"), ("agent-new", "old/both"),
    }  # fmt: skip
    history = (await new.versions(slice="mine", slug="plan")).items
    assert [entry.version for entry in history] == [2, 1]
    author = history[0].author
    assert author.agent is None
    assert author.imported_from is not None
    assert (author.imported_from.slice, author.imported_from.author.agent) == ("agent-old", "old")
    assert (await new.read_page(slice="mine", slug="both")).content == "beta"
    assert await slugs(old, "plan") == set()
    await save(new, "plan", "changed since")
    back = await operator.merge_agent(id="new", mind="old", undo=True)
    assert (back.outcome, back.pages, back.kept) == ("undone", 1, 1)
    assert await slugs(new, "plan alpha beta changed") == {("agent-new", "plan"), ("agent-new", "both")}
    assert await slugs(old, "plan") == {("agent-old", "plan"), ("agent-old", "both")}
    again = await operator.merge_agent(id="new", mind="old")
    assert (again.outcome, again.moved) == ("changed", {"both": "old/both"})
    assert (await operator.verify()).ok


async def test_gt9_only_who_administers_does_any_of_it(door: BrainDoor, operator: Brain, gateway: Brain) -> None:
    """GT9 BR2 BR4: an agent and a gateway are refused alike for what is there and what is not, and it is recorded; an
    admin does all of it, and is told of no slug of a mind."""
    await save(as_agent(door, "bob"), "n", "the rollback target")
    await save(as_agent(door, "eve"), "n", "another")
    for caller in (door.enter(Principal.agent("ada")), gateway, door.enter(Principal.reader(["shared"]))):
        said = set()
        for id in ("bob", "nobody-here"):
            for call in (
                caller.retire_agent(id=id), caller.alias_agent(id=id, alias="agent-bob"),
                caller.merge_agent(id="eve", mind=id), caller.rename_agent(id=id, to="x"),
            ):  # fmt: skip
                with pytest.raises(NotPermitted) as refused:
                    await call
                said.add(refused.value.detail)
        assert len(said) == 1
    assert (await operator.audit(slice="_system")).items[0].about["op"] == "agents"
    admin = door.enter(Principal.admin())
    told = await admin.merge_agent(id="eve", mind="bob")
    assert (told.conflicts, told.moved) == (1, None)
    assert (await admin.merge_agent(id="eve", mind="bob", undo=True)).pages == 1
    with pytest.raises(InvalidRequest):
        await admin.rename_agent(id="bob")
