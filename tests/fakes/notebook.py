"""Tools over a dictionary: what an agent is given, without brain or chat. The gate is the real one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sliceway.core.gate import Verdict, verdict
from sliceway.core.pages import Action, Author, Hit, Page, PageDraft, Receipt, VersionEntry
from sliceway.core.policy import Policy
from sliceway.core.proposals import Proposal, ProposedPage, State
from sliceway.core.scope import Scope, destination, origin_of, scope_for
from sliceway.core.turns import Person, Place, PlaceKind, Turn
from sliceway.errors import InvalidRequest
from sliceway.ports import PageLike, ToolAnswer, Tools, ToolSpec

LENA = Person("T1", "U1", name="Lena")
MIA = Person("T1", "U2", name="Mia")
DEPLOYS = Place("slack", "T1", "C1", "1.0")
PRIVATE = Place("slack", "T1", "D1", "1.0", kind=PlaceKind.IM)
UNTRUSTED = Place("slack", "T1", "G1", "1.0", kind=PlaceKind.PRIVATE)
POLICY = Policy(managers=frozenset({"U2"}), teams=frozenset({"T1"}))
MIND = "agent-ada"
AT = "2026-05-04T09:30:00.000000Z"
UNTIL = "2026-05-07T09:30:00.000000Z"


def turn(text: str, *, place: Place = DEPLOYS, speaker: Person = LENA, key: str = "k1", **more: Any) -> Turn:
    """Return a turn of somebody who says `text`."""
    return Turn(key=key, agent="ada", speaker=speaker, place=place, text=text, **more)


class Notebook(Tools):
    """The tools of `turn`, over `pages` shared by the notebooks of several turns."""

    def __init__(self, turn: Turn, pages: dict[tuple[str, str], Page], done: list[Receipt]) -> None:
        """Take the turn, the pages there are, and the receipts of earlier turns, newest first."""
        self._turn, self.pages, self.done = turn, pages, done
        self._scope = scope_for(turn, POLICY)
        self.memoized: list[tuple[str, PageDraft]] = []
        self.withdrawn: list[str] = []
        self.asked: list[Proposal] = []

    @property
    def scope(self) -> Scope:
        return self._scope

    def specs(self) -> tuple[ToolSpec, ...]:
        return ()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        return ToolAnswer("failed", f"There is no tool '{name}' with {sorted(arguments)} here.")

    async def memoize(self, pages: Sequence[PageLike], *, target: str = "mine") -> ToolAnswer:
        [page] = pages
        assert isinstance(page, PageDraft)
        self.memoized.append((target, page))
        try:
            where = destination(target, self._turn, self._scope)
        except InvalidRequest as error:
            return ToolAnswer("failed", error.detail)
        judged = verdict("write", where, self._scope) if where is not None else Verdict.DENY
        if where is None or judged is Verdict.DENY:
            return ToolAnswer("denied", "I keep nothing from here.", code="not_permitted")
        if judged is Verdict.ASK:
            return self._ask("write", where, ProposedPage(page.slug, None, page))
        before = self.pages.get((where, page.slug))
        action = Action.STORE if before is None else Action.REPLACE
        if before is not None and before.content == page.content:
            action = Action.NOCHANGE
        else:
            self.pages[where, page.slug] = self._page(where, page)
        return ToolAnswer("written", "Saved.", receipts=(self._receipt(where, page.slug, action),))

    async def recall(
        self, query: str, *, limit: int = 5, saved_by: str | None = None, tags: Sequence[str] = ()
    ) -> ToolAnswer:
        wanted = set(query.casefold().split())
        found = [
            Hit(page.slice, page.slug, page.title, page.content[:20], float(score), ("keyword",), page.author,
                page.approver, page.version, page.updated_at, page.tags)
            for page in self.pages.values()
            if page.slice in self._scope.reads
            and (score := len(wanted & set(page.content.casefold().replace("?", "").split())))
        ]  # fmt: skip
        found.sort(key=lambda hit: -hit.score)
        read = tuple(sorted({page.slice for page in self.pages.values()} & self._scope.reads))
        return ToolAnswer("found" if found else "nothing", "", hits=tuple(found[:limit]), slices_read=read)

    async def read_page(self, slice: str, slug: str) -> ToolAnswer:
        page = self.pages.get((slice, slug)) if slice in self._scope.reads else None
        if page is None:
            return ToolAnswer("nothing", "There is no such page.", code="not_found")
        return ToolAnswer("found", "", pages=(page,))

    async def list_pages(self, *, limit: int = 20) -> ToolAnswer:
        found = tuple(page for page in self.pages.values() if page.slice in self._scope.reads)[:limit]
        return ToolAnswer("found" if found else "nothing", "", pages=found)

    async def page_history(self, slice: str, slug: str) -> ToolAnswer:
        versions: tuple[VersionEntry, ...] = ()
        return ToolAnswer("nothing", f"{slug} in {slice} has no history here.", versions=versions)

    async def forget(self, slice: str, slug: str) -> ToolAnswer:
        judged = verdict("delete", slice, self._scope)
        if judged is Verdict.DENY:
            return ToolAnswer("denied", "I may not.", code="not_permitted")
        if judged is Verdict.ASK:
            return self._ask("delete", slice, ProposedPage(slug, 1))
        del self.pages[slice, slug]
        return ToolAnswer("written", "Deleted.", receipts=(self._receipt(slice, slug, Action.DELETE),))

    async def undo(self, slice: str, slug: str, event: str) -> ToolAnswer:
        if not any(receipt.event_id == event for receipt in self.done):
            return ToolAnswer("failed", "Something newer happened.", code="stale_event")
        self.pages.pop((slice, slug), None)
        return ToolAnswer("written", "Took back.", receipts=(self._receipt(slice, slug, Action.UNDO),))

    async def recent(self) -> tuple[Receipt, ...]:
        return tuple(self.done)

    async def proposals(self) -> ToolAnswer:
        if not self.asked:
            return ToolAnswer("nothing", "Nothing waits.")
        say = "\n".join(f"{one.id}: {one.op} in {one.slice}, pending until {one.expires_at}" for one in self.asked)
        return ToolAnswer("found", say, proposal=self.asked[0])

    async def withdraw(self, id: str) -> ToolAnswer:
        self.withdrawn.append(id)
        return ToolAnswer("written", "Taken back; nobody will be asked any more.")

    def _author(self) -> Author:
        return Author("ada", None, self._turn.speaker, "slack", self._turn.place)

    def _page(self, slice: str, draft: PageDraft) -> Page:
        return Page(
            slice, draft.slug, draft.title or draft.slug, draft.content, None, draft.tags, draft.kind, 1,
            self._author(), None, AT, AT, f"e{len(self.pages)}",
        )  # fmt: skip

    def _receipt(self, slice: str, slug: str, action: Action) -> Receipt:
        return Receipt(slice, slug, 1, action, self._author(), f"e{slug}-{action}", AT)

    def _ask(self, op: str, slice: str, page: ProposedPage) -> ToolAnswer:
        state = State.DRAFT if self._scope.private else State.PENDING
        asked = Proposal(
            "P1", slice, 1, state, op, "ada", (page,), self._turn.speaker, origin_of(self._turn, self._scope), AT, UNTIL
        )
        self.asked.append(asked)
        if state is State.DRAFT:
            return ToolAnswer("draft", "Nobody else sees it yet.", proposal=asked)
        return ToolAnswer("pending", f"Mia can decide. It waits until {UNTIL}.", proposal=asked)


def page(slice: str, slug: str, content: str, **more: Any) -> Page:
    """Return a page that Lena had saved in #deploys."""
    author = Author("ada", None, LENA, "slack", DEPLOYS)
    made = Page(slice, slug, content[:30], content, None, (), "note", 1, author, None, AT, AT, "e")
    return replace(made, **more)
