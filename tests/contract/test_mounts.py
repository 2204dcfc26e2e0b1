"""A folder that is mounted: read as reference by who may, followed, and written by nobody else (GT6, SC9, FR1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from sliceway.brain.keeper import Keeper
from sliceway.core.principals import Principal
from sliceway.errors import Conflict, InvalidRequest, NotFound, NotPermitted, SlicewayError
from sliceway.ports import Brain, BrainDoor, NewId
from tests.contract.conftest import store_of
from tests.fakes.clock import HandClock


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two pages, one of them in a part of it."""
    made = tmp_path / "book"
    (made / "ops").mkdir(parents=True)
    (made / "index.md").write_text("# The book\nSee [the rota](ops/rota.md).\n")
    (made / "ops" / "rota.md").write_text("---\ntitle: The rota\ntags: [on-call]\n---\nMondays, after [[index]].\n")
    return made


@pytest.fixture
def keeper(door: BrainDoor, clock: HandClock, new_id: NewId) -> Keeper:
    """The keeper of the store, which follows folders."""
    return Keeper(store_of(door).database, clock=clock, new_id=new_id, holder="k")


def moved(folder: Path, name: str) -> None:
    """Call a folder otherwise."""
    folder.rename(folder.with_name(name))


async def rounds(keeper: Keeper, clock: HandClock, count: int = 2) -> int:
    """Let the keeper look so often, each time when it is due; return how many pages changed."""
    changed = 0
    for _ in range(count):
        clock.advance("1m")
        changed += (await keeper.run_once()).followed
    return changed


async def test_gt6_a_mounted_folder_is_read_by_who_may_and_written_by_nobody(
    door: BrainDoor, operator: Brain, folder: Path
) -> None:
    """GT6 SC9 BR9 BR11: its pages are found, with links, by the agents that the policy lists, and by no other; nobody
    writes them; the record says that the folder did, and holds."""
    made = await operator.mount(label="book", folder=str(folder), agents=["ada"])
    assert (made.slice, made.pages, made.agents, made.problems) == ("kb-book", 2, ("ada",), ())
    ada, bob = door.enter(Principal.agent("ada")), door.enter(Principal.agent("bob"))
    (hit,) = (await ada.recall(query="rota Mondays", tags=["on-call"])).hits
    assert (hit.slice, hit.slug, hit.title, hit.author.agent, hit.author.surface) == (
        "kb-book", "ops/rota", "The rota", None, "mount",
    )  # fmt: skip
    page = await ada.read_page(slice="kb-book", slug="ops/rota", slices=["kb-book"])
    assert [link.slug for link in (*page.links, *page.backlinks)] == ["index", "index"]
    assert (await bob.recall(query="rota Mondays")).hits == ()
    assert (await door.enter(Principal.reader(["kb-book"])).recall(query="rota")).hits != ()
    for writer in (ada, bob, operator):
        for call in (
            writer.write_pages(slice="kb-book", pages=[{"slug": "x", "content": "y"}]),
            writer.propose(op="write", slice="kb-book", pages=[{"slug": "x", "content": "y"}]),
            writer.delete(slice="kb-book", slug="index"),
        ):
            with pytest.raises(SlicewayError) as refused:
                await call
            assert refused.value.status in {403, 404}
    before = await ada.read_page(slice="kb-book", slug="index")
    assert (await operator.rebuild()).ok
    assert await ada.read_page(slice="kb-book", slug="index") == before
    assert (await operator.verify()).ok


async def test_fr1_changes_and_deletions_are_followed(
    door: BrainDoor, operator: Brain, keeper: Keeper, clock: HandClock, folder: Path
) -> None:
    """FR1 BR10: what changed, came or went is taken in once it stands still, by the process that keeps the store; where
    nothing did, nothing is written; a folder that is away takes nothing with it."""
    await operator.mount(label="book", folder=str(folder), agents=["ada"])
    ada = door.enter(Principal.agent("ada"))
    heads = await operator.head()
    assert await rounds(keeper, clock, 3) == 0
    assert await operator.head() == heads
    (folder / "ops" / "rota.md").write_text("Tuesdays now.\n")
    (folder / "new.md").write_text("# New\n[[rota]]\n")
    assert await rounds(keeper, clock, 1) == 0
    assert await rounds(keeper, clock, 1) == 2
    assert (await ada.read_page(slice="kb-book", slug="ops/rota")).version == 2
    assert [link.slug for link in (await ada.read_page(slice="kb-book", slug="new", slices=["kb-book"])).links] == [
        "ops/rota"
    ]
    (folder / "index.md").unlink()
    assert await rounds(keeper, clock) == 1
    with pytest.raises(NotFound):
        await ada.read_page(slice="kb-book", slug="index")
    moved(folder, "away")
    assert await rounds(keeper, clock) == 0
    (entry,) = await operator.mounts()
    assert entry.pages == 2
    assert "cannot be read" in entry.problems[0]
    moved(folder.with_name("away"), folder.name)
    assert await rounds(keeper, clock) == 0
    assert (await operator.mounts())[0].problems == ()
    for name in ("new.md", "ops/rota.md"):
        (folder / name).unlink()
    again = Keeper(store_of(door).database, clock=clock, new_id=lambda: "Z" * 26, holder="other")
    assert (await again.run_once()).followed == 0
    assert (await operator.verify()).ok


async def test_br10_a_file_that_stays_after_its_page_was_erased_goes_on_with_its_versions(
    door: BrainDoor, operator: Brain, folder: Path, keeper: Keeper, clock: HandClock
) -> None:
    """BR10 BR7: a page that was erased while its file is still there comes back when the file changes, with a version
    that no earlier page had."""
    await operator.mount(label="book", folder=str(folder), agents=["ada"])
    ada = door.enter(Principal.agent("ada"))
    await rounds(keeper, clock)
    (folder / "index.md").write_text("# The book\nTwice.\n")
    await rounds(keeper, clock)
    before = await ada.read_page(slice="kb-book", slug="index")
    await operator.erase(slice="kb-book", slug="index")
    with pytest.raises(NotFound):
        await ada.read_page(slice="kb-book", slug="index")
    (folder / "index.md").write_text("# The book\nThrice, and longer.\n")
    await rounds(keeper, clock)
    assert (await ada.read_page(slice="kb-book", slug="index")).version == before.version + 1
    assert (await operator.verify()).ok


async def test_br5_what_is_no_page_is_said_and_nothing_is_half_taken(
    operator: Brain, keeper: Keeper, clock: HandClock, folder: Path, door: BrainDoor
) -> None:
    """BR5: what is not UTF-8, too large, or has broken front matter is named with the reason, and its last good page
    stays; links are not followed, whatever they lead to."""
    secret = folder.parent / "secret"
    secret.mkdir()
    (secret / "s.md").write_text("the vault code")
    (folder / "link.md").symlink_to(secret / "s.md")
    (folder / "part").symlink_to(secret, target_is_directory=True)
    (folder / "latin.md").write_bytes(b"caf\xe9")
    (folder / "big.md").write_text("x" * (256 * 1024 + 1))
    (folder / "empty.md").write_text("")
    (folder / "fm.md").write_text("---\ntitle: [\n---\ntext")
    (folder / ".hidden.md").write_text("hidden")
    made = await operator.mount(label="book", folder=str(folder), agents=["ada"])
    assert made.pages == 2
    assert [problem.partition(":")[0] for problem in made.problems] == [
        "big.md", "empty.md", "fm.md", "latin.md", "link.md",
    ]  # fmt: skip
    (folder / "index.md").write_bytes(b"\xff\xff")
    assert await rounds(keeper, clock) == 0
    ada = door.enter(Principal.agent("ada"))
    assert "The book" in (await ada.read_page(slice="kb-book", slug="index")).content
    assert "index.md: it is not UTF-8, at byte 0" in (await operator.mounts())[0].problems
    assert (await ada.recall(query="vault hidden")).hits == ()


async def test_gt9_folders_are_mounted_by_the_operator_alone(
    door: BrainDoor, operator: Brain, gateway: Brain, folder: Path
) -> None:
    """GT9 BR2: an admin, a gateway and an agent mount nothing, not even see what is mounted: a path on the server is
    not theirs to name. A label is one folder's; taken away, its pages go, and it is in no policy."""
    for caller in (door.enter(Principal.admin()), gateway, door.enter(Principal.agent("ada"))):
        for call in (caller.mount(label="book", folder=str(folder)), caller.unmount(label="book"), caller.mounts()):
            with pytest.raises(NotPermitted, match="where the store is"):
                await call
    await operator.mount(label="book", folder=str(folder), agents=["ada", "bob"])
    assert (await operator.mount(label="book", folder=str(folder))).agents == ("ada", "bob")
    with pytest.raises(Conflict):
        await operator.mount(label="book", folder=str(folder / "ops"))
    for label, place in (("Book", folder), ("a/b", folder), ("b--c", folder), ("x", folder / "index.md")):
        with pytest.raises(InvalidRequest):
            await operator.mount(label=label, folder=str(place))
    gone = await operator.unmount(label="book")
    assert (gone.pages, gone.agents, gone.removed_at is not None) == (0, (), True)
    assert await operator.mounts() == ()
    assert (await operator.policy()).kb == {}
    assert (await operator.unmount(label="book")).pages == 0
    with pytest.raises(NotFound):
        await operator.unmount(label="other")
    assert (await operator.mount(label="book", folder=str(folder / "ops"))).pages == 1
    acts = [entry.act for entry in await operator.audit(slice="_system")]
    assert acts.count("kb.added") == 2
    assert (await operator.verify()).ok
