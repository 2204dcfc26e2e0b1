"""The record as a whole, on every engine: given out as far as one may read, and taken in as one's own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, NotPermitted
from sliceway.ports import Brain, BrainDoor
from sliceway.ports.outcomes import ExportedEvent, ExportLine, Manifest
from sliceway.wire.record_lines import bytes_of
from tests.contract.conftest import store_of
from tests.contract.office import ANN, ANNS, alone, ask, at, gateway, page, settle, written


async def exported(brain: Brain, **fields: Any) -> list[ExportLine]:
    """Return an export, line by line."""
    return [line async for line in brain.export(**fields)]


def events_of(lines: Iterable[ExportLine]) -> list[ExportedEvent]:
    """Return the events of an export."""
    return [line for line in lines if isinstance(line, ExportedEvent)]


async def cut(data: bytes, size: int = 7000) -> AsyncIterator[bytes]:
    """Give bytes as a wire cuts them: anywhere."""
    for start in range(0, len(data), size):
        yield data[start : start + size]


def file_of(lines: Iterable[ExportLine]) -> bytes:
    """Return an export as the file it makes."""
    return b"".join(bytes_of(line) for line in lines)


def pages_of(*pages: dict[str, Any]) -> bytes:
    """Return lines that load pages."""
    return b"".join(json.dumps({"page": each}).encode() + b"\n" for each in pages)


def loaded(slug: str, content: str = "loaded", *, slice: str = "shared", **more: Any) -> dict[str, Any]:
    """Return a page as a line gives it."""
    return {"slice": slice, "slug": slug, "content": content, **more}


async def _lived(door: BrainDoor, ada: Brain) -> None:
    """Let a store see pages, a decision, a proposal that waits, a draft and a corner."""
    await settle(door)
    ours = gateway(door)
    await written(ours)
    await ask(ours, page("next", "Next week: [[oncall]]."), origin=at(ANN, thread="2.2"))
    await ours.propose(op="write", slice="shared", pages=[page("d", "drafted")], origin=alone(ANN))
    await ours.write_pages(slice="user", pages=[page("p", "Ann's own")], origin=alone(ANN))
    await ada.write_pages(slice="mine", pages=[page("n", "one")])
    await ada.write_pages(slice="mine", pages=[page("n", "two")])
    await ada.delete(slice="mine", slug="n", reason="old")


async def test_br2_an_export_holds_what_its_caller_may_read(door: BrainDoor, ada: Brain, bob: Brain) -> None:
    """BR2 BR4: an agent is given its own mind and the team's slices; an admin and a reader no mind and no corner; of
    a slice they may not read there is no name, head or text."""
    await _lived(door, ada)
    assert {one.slice for one in events_of(await exported(ada))} == {"agent-ada", "shared"}
    for brain in (bob, door.enter(Principal.reader(["shared"])), door.enter(Principal.admin())):
        lines = await exported(brain)
        assert {one.slice for one in events_of(lines)} == {"shared"}
        for hidden in ("agent-ada", "_system", "Ann's own", "drafted"):
            assert hidden not in file_of(lines).decode()
    assert events_of(await exported(door.enter(Principal.reader(["public"])))) == []


async def test_ap26_who_may_not_see_proposals_is_given_pages_alone(door: BrainDoor, ada: Brain, bob: Brain) -> None:
    """AP26: of the team's slices an agent is given the events of pages, without a number or a link that would count
    what stands between them; an admin the whole chain."""
    await _lived(door, ada)
    lines = await exported(bob)
    assert isinstance(lines[0], Manifest)
    assert "shared" not in lines[0].head
    for one in events_of(lines):
        assert one.kind.startswith("page.")
        assert (one.seq, one.prev, one.hash, one.digest, one.salt) == (0, "", "", None, None)
    assert ANNS not in file_of(lines).decode()
    before = file_of(lines[1:])
    await ask(gateway(door), page("later", "Later."), origin=at(ANN, thread="7.7"))
    assert file_of((await exported(bob))[1:]) == before
    whole = await exported(door.enter(Principal.admin()))
    assert [one.seq for one in events_of(whole)] == list(range(1, len(whole)))
    assert isinstance(whole[0], Manifest)
    assert whole[0].head == {"shared": events_of(whole)[-1].hash}
    own = [one for one in events_of(await exported(ada)) if one.slice == "agent-ada"]
    assert [one.seq for one in own] == [1, 2, 3]


async def test_br5_a_gateway_says_of_which_slices_it_wants_an_export(door: BrainDoor, ada: Brain) -> None:
    """BR5: a gateway names slices and where it speaks from; named and not readable is as if never written."""
    await _lived(door, ada)
    ours = gateway(door)
    with pytest.raises(InvalidRequest):
        await exported(ours)
    assert events_of(await exported(ours, slices=[ANNS, "agent-bob"], origin=at(ANN, channel="C1"))) == []
    assert {one.slice for one in events_of(await exported(ours, slices=[ANNS], origin=alone(ANN)))} == {ANNS}
    assert "drafted" not in file_of(await exported(ours, slices=[ANNS], origin=alone(ANN))).decode()


async def test_br11_the_operators_export_is_the_whole_record(door: BrainDoor, ada: Brain, operator: Brain) -> None:
    """BR11: who holds the file is given every slice, heads as `head` tells them, and every line as the contract names
    it."""
    await _lived(door, ada)
    lines = await exported(operator)
    manifest = json.loads(bytes_of(lines[0]))
    assert {"sliceway": 1, "head": await operator.head()}.items() <= manifest.items()
    assert manifest["exported_at"].endswith("Z")
    named = {"slice", "seq", "event_id", "kind", "at", "author", "payload", "prev", "hash"}
    assert all(named <= set(json.loads(bytes_of(line))) for line in lines[1:])
    keys = [(one.slice, one.seq) for one in events_of(lines)]
    assert keys == sorted(keys)
    assert {"_system", "agent-ada", "shared", ANNS} == {name for name, _ in keys}


async def test_gt9_only_who_administers_imports(door: BrainDoor, ada: Brain, operator: Brain) -> None:
    """GT9 OP1: to all others an import is refused, nothing comes in, and the refusal is in the record."""
    await settle(door)
    for brain in (ada, gateway(door), door.enter(Principal.reader(["shared"]))):
        with pytest.raises(NotPermitted):
            await brain.import_(cut(pages_of(loaded("x"))))
    acts = [entry for entry in await operator.audit(slice="_system") if entry.act == "refused"]
    assert [entry.about["op"] for entry in acts] == ["import"] * 3
    assert (await operator.list_pages(slice="shared")).items == ()


async def test_br2_an_admin_imports_into_what_is_nobodys_own(door: BrainDoor, operator: Brain) -> None:
    """BR2: what an admin may not read no import of theirs goes into, whether there is something or not; who holds the
    file imports everywhere but into the brain's own record and an alias."""
    await settle(door)
    admin = door.enter(Principal.admin())
    names = ["shared", "public", "kb-docs", "agent-ada", "agent-never", ANNS, "agent", "_system"]
    report = await admin.import_(cut(pages_of(*(loaded("x", slice=name) for name in names))))
    assert (report.imported, report.skipped, report.refused) == (3, 0, 5)
    assert {(fault.line, fault.code) for fault in report.errors} == {(line, "slice_forbidden") for line in range(4, 9)}
    assert len({fault.detail for fault in report.errors}) == 1
    report = await operator.import_(cut(pages_of(*(loaded("x", slice=name) for name in names))))
    assert (report.imported, report.skipped) == (3, 3)
    assert [fault.line for fault in report.errors] == [7, 8]


async def test_br3_what_is_imported_is_its_importers_and_keeps_where_it_came_from(
    door: BrainDoor, ada: Brain, operator: Brain
) -> None:
    """BR3: the author is who imports, whatever the file says; `imported_from` tells slice, event, time, author and
    approver as they were."""
    await _lived(door, ada)
    lines = await exported(door.enter(Principal.admin()))
    was = await operator.read_page(slice="shared", slug="oncall")
    text = file_of(lines).decode().replace('"shared"', '"kb-copy"')
    bare = [json.loads(line) for line in text.splitlines()[1:]]
    for line in bare:  # of another slice, so of another chain: as a tool would write it that knows none
        line.update(seq=0, prev="", hash="", digest=None, salt=None)
    report = await door.enter(Principal.admin()).import_(cut("\n".join(map(json.dumps, bare)).encode()))
    assert (report.imported, report.refused) == (1, 0)
    await operator.set_policy(kb={"ada": ["kb-copy"]})
    found = await ada.read_page(slice="kb-copy", slug="oncall")
    assert (found.content, found.title, found.version) == (was.content, was.title, 1)
    assert (found.author.agent, found.author.on_behalf_of, found.author.surface) == (None, None, "import")
    assert found.approver is None
    assert found.author.imported_from is not None
    told = found.author.imported_from
    assert (told.slice, told.event_id, told.at) == ("kb-copy", was.event_id, was.updated_at)
    assert (told.author, told.approver) == (was.author, was.approver)
    assert (await ada.versions(slice="kb-copy", slug="oncall")).items[0].author == found.author


async def test_br3_the_same_file_twice_changes_nothing(door: BrainDoor, ada: Brain, operator: Brain) -> None:
    """BR3 BR6: of an export that was taken in every line is skipped, in its own store too; so is a load of pages, also
    where it writes one page twice or a page was changed since. Another name for the load is another load."""
    await _lived(door, ada)
    whole = file_of(await exported(operator))
    again = await operator.import_(cut(whole))
    assert (again.imported, again.refused) == (0, 0)
    load = pages_of(loaded("a", "first"), loaded("b", "other"), loaded("a", "second"))
    for expected in ((3, 0), (0, 3)):
        report = await operator.import_(cut(load), request_id="r1")
        assert (report.imported, report.skipped) == expected
    assert (await operator.read_page(slice="shared", slug="a")).version == 2
    await operator.import_(cut(pages_of(loaded("b", "changed since"))))
    assert (await operator.import_(cut(load), request_id="r1")).imported == 0
    assert (await operator.read_page(slice="shared", slug="b")).content == "changed since"
    assert (await operator.import_(cut(load), request_id="r2")).imported == 3
    assert (await operator.verify()).ok


async def test_br6_what_an_import_found_as_it_is_does_not_come_back_later(door: BrainDoor, operator: Brain) -> None:
    """BR6: a line that changed nothing is kept as done: the same load again does not bring the old text back."""
    await settle(door)
    await operator.import_(cut(pages_of(loaded("a", "first"))))
    load = pages_of(loaded("a", "first"), loaded("a", "second"))
    for expected in ((1, 1), (0, 2)):
        report = await operator.import_(cut(load), request_id="r1")
        assert (report.imported, report.skipped) == expected
    assert (await operator.read_page(slice="shared", slug="a")).content == "second"


async def test_br5_wrong_lines_are_named_and_right_ones_come_in(door: BrainDoor, operator: Brain) -> None:
    """BR5: what cannot be taken in is listed by line, up to a hundred, and all of it counted; the rest comes in."""
    await settle(door)
    wrong = [
        b"nonsense", b'{"page": {"slice": "shared", "slug": "A", "content": "x"}}',
        b'{"page": {"slice": "nowhere", "slug": "a", "content": "x"}}', b"[]", b"\xff",
        b'{"page": {"slice": "shared", "slug": "a", "content": "x", "author": "ada"}}',
        b'{"page": {"slice": "shared", "slug": "a", "slug": "b", "content": "x"}}',
        b'{"page": {"slice": "shared", "slug": "v", "content": "x", "if_version": 3}}',
        b'{"sliceway": 1, "head": {}, "exported_at": "2026-05-04T00:00:00Z"}',
    ]  # fmt: skip
    body = b"\n".join([pages_of(loaded("good"))[:-1], *wrong, b"", pages_of(loaded("too"))[:-1]])
    report = await operator.import_(cut(body))
    assert (report.imported, report.refused) == (2, len(wrong))
    assert [fault.line for fault in report.errors] == list(range(2, len(wrong) + 2))
    assert {"author_mismatch", "invalid_request", "invalid_slug", "version_conflict"} == {
        fault.code for fault in report.errors
    }
    many = await operator.import_(cut(b"nonsense\n" * 150))
    assert (len(many.errors), many.refused) == (100, 150)


@pytest.mark.parametrize("how", ["text", "hash", "gone", "swapped", "again"])
async def test_br11_a_file_that_does_not_hold_stops_where_it_breaks(
    door: BrainDoor, ada: Brain, operator: Brain, how: str
) -> None:
    """BR11: a changed text or hash, a line that is missing, moved or doubled: the import ends there and names the
    line; what stood before it is taken in."""
    await ada.write_pages(slice="mine", pages=[page(f"p{n}", f"text {n}") for n in range(5)])
    lines = [json.loads(bytes_of(line)) for line in await exported(operator, slices=["agent-ada"])]
    if how == "text":
        lines[3]["payload"]["page"]["content"] = "forged"
    elif how == "hash":
        lines[3]["hash"] = "0" * 64
    elif how == "gone":
        del lines[3]
    elif how == "swapped":
        lines[3], lines[4] = lines[4], lines[3]
    else:
        lines.insert(3, lines[2])
    with pytest.raises(InvalidRequest) as refused:
        await operator.import_(cut("\n".join(map(json.dumps, lines)).encode()))
    assert refused.value.facts["line"] == 4
    assert [error.code for error in refused.value.errors] == ["broken_record"]


async def test_op1_an_import_that_stops_half_way_leaves_an_act_of_how_far_it_came(
    door: BrainDoor, operator: Brain
) -> None:
    """OP1: what was taken in before the file broke is in the record with who imported it and where it stopped."""
    await operator.import_(cut(pages_of(loaded("before"))))
    [event] = events_of(await exported(operator, slices=["shared"]))
    forged = json.loads(bytes_of(event)) | {"hash": "0" * 64}
    with pytest.raises(InvalidRequest, match="line 3"):
        await operator.import_(cut(pages_of(loaded("a"), loaded("b")) + json.dumps(forged).encode()), request_id="r1")
    acts = [one.about for one in await operator.audit(slice="_system") if one.act == "ledger.imported"]
    whole, stopped = sorted(acts, key=lambda about: "stopped_at" in about)
    assert whole == {"imported": 1, "skipped": 0, "refused": 0}
    assert stopped == {"imported": 2, "skipped": 0, "refused": 0, "stopped_at": 3, "request": "r1"}


async def test_br11_a_file_that_ends_too_early_is_said_to(door: BrainDoor, ada: Brain, operator: Brain) -> None:
    """BR11: the manifest promises heads; where the file ends before one, the last line is named with it."""
    await ada.write_pages(slice="mine", pages=[page(f"p{n}", f"text {n}") for n in range(3)])
    lines = await exported(operator, slices=["agent-ada"])
    report = await operator.import_(cut(file_of(lines[:-1])))
    assert [(fault.line, fault.code) for fault in report.errors] == [(3, "incomplete")]


async def test_br11_the_record_is_rebuilt_by_the_operator_alone(door: BrainDoor, ada: Brain, operator: Brain) -> None:
    """BR11: a rebuild is refused to every token, with the words where it is done; the operator's leaves every read
    as it was."""
    await _lived(door, ada)
    for brain in (ada, gateway(door), door.enter(Principal.admin())):
        with pytest.raises(NotPermitted, match="where the store is"):
            await brain.rebuild()
    before = await ada.read_page(slice="shared", slug="oncall")
    report = await operator.rebuild()
    assert (report.ok, report.errors) == (True, ())
    assert await ada.read_page(slice="shared", slug="oncall") == before
    assert (await operator.verify()).ok
    assert store_of(door) is not None
