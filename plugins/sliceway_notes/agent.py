"""The agent: each want is one small answer. It follows no instruction but the speaker's own (FR9)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable

from sliceway import Agent, Decision, Hit, Page, PageDraft, Receipt, Reply, ToolAnswer, Tools, Turn
from sliceway_notes import words
from sliceway_notes.phrases import Want, Wish, read
from sliceway_notes.slugs import slug_for, title_for
from sliceway_notes.words import Found

_SHOWN = 3
"""Notes that one answer quotes at most."""
_LOOKED_AT = 8
"""Notes that are read to find the one to forget."""
_GOING = frozenset({"written", "pending", "draft"})
_UNDONE = "undo"
_KEPT = "nochange"


class NotesAgent(Agent):
    """Takes notes and finds them again. It keeps nothing itself: everything is in the brain."""

    async def respond(self, turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        """Answer with one reply, or with none when the message was not for the agent."""
        if turn.addressed:
            yield Reply(await self._answer(read(turn.text), turn, tools))

    async def on_decision(self, decision: Decision) -> None:
        """Do nothing: people are told in their thread, and this agent waits for nothing."""
        del decision

    async def _answer(self, wish: Wish, turn: Turn, tools: Tools) -> str:
        match wish.want:
            case Want.REMEMBER:
                return await self._remember(wish, turn, tools)
            case Want.RECALL:
                return await self._recall(wish, turn, tools)
            case Want.WHO:
                return await self._who(wish, turn, tools)
            case Want.FORGET:
                return await self._forget(wish, turn, tools)
            case Want.UNDO:
                return await self._undo(tools)
            case Want.LIST:
                return await self._list(tools)
            case Want.WAITING:
                return words.waiting(await tools.proposals())
            case Want.WITHDRAW:
                return words.told(await tools.withdraw(wish.text))
            case Want.THANKS:
                return words.WELCOME
            case Want.HELP:
                return words.HELP
            case Want.UNKNOWN:
                return words.FORWARDED_ALONE if turn.forwarded else words.NOT_UNDERSTOOD

    async def _remember(self, wish: Wish, turn: Turn, tools: Tools) -> str:
        """Save the words, or the message that was passed on with them."""
        forwarded = turn.forwarded or ""
        passed_on = bool(forwarded.strip()) and (
            wish.this or re.match(r"(this|that)\b", wish.text, re.IGNORECASE) is not None
        )
        text = forwarded if passed_on else wish.text
        if not text.strip():
            return words.WHICH_WORDS
        page = PageDraft(
            slug=slug_for(text, turn.key, wish.target, private=tools.scope.private),
            content=text,
            title=title_for(text),
            tags=("forwarded",) if passed_on else (),
            kind="note",
        )
        answer = await tools.memoize([page], target=wish.target)
        return words.saved(answer, text, wish.target, tools.scope, forwarded=passed_on)

    async def _recall(self, wish: Wish, turn: Turn, tools: Tools) -> str:
        """Quote the best notes, each with who said it, where and when."""
        if wish.this:
            return words.RECALL_WHAT
        answer = await tools.recall(wish.text, limit=_LOOKED_AT)
        if not answer.hits:
            return words.nothing_found(answer, wish.text)
        found = [await self._whole(hit, tools) for hit in answer.hits[:_SHOWN]]
        return words.quoted(found, turn.names, tools.scope, more=len(answer.hits) - len(found))

    async def _who(self, wish: Wish, turn: Turn, tools: Tools) -> str:
        """Say who said something; `who said that?` asks about the last change in this thread."""
        if wish.this:
            for receipt in await tools.recent():
                if (page := await self._page(receipt.slice, receipt.slug, tools)) is not None:
                    return words.said_by(Found.of_page(page), turn.names, tools.scope)
            return words.WHO_SAID_WHAT
        answer = await tools.recall(wish.text, limit=1)
        if not answer.hits:
            return words.nothing_found(answer, wish.text)
        return words.said_by(await self._whole(answer.hits[0], tools), turn.names, tools.scope)

    async def _forget(self, wish: Wish, turn: Turn, tools: Tools) -> str:
        """Delete the note that is clearly meant, and its copies, among those this turn may change; else ask which."""
        if wish.text.casefold() in {"everything", "all", "me", "all of it", "anything"}:
            return words.ONE_AT_A_TIME
        scope = tools.scope
        own = {name for name in (scope.write, scope.mind if scope.proposes else None, scope.corner) if name}
        asked = {"shared", "public"} if scope.proposes else set()
        if not own | asked:
            return words.MAY_NOT_CHANGE
        answer = await tools.recall(wish.text, limit=_LOOKED_AT)
        found = [await self._whole(hit, tools) for hit in answer.hits if hit.slice in own | asked]
        for fits in (_is_it, _has_every_word, _has_half_the_words):
            for slices in (own, asked):
                meant = [note for note in found if note.slice in slices and fits(wish.text, note)]
                if len({words.fold(note.text) for note in meant}) == 1:
                    return await self._forget_all(meant, tools)
                if meant:
                    return words.which_one(meant[:_SHOWN], turn.names, scope)
        return words.nothing_to_forget(answer, wish.text)

    async def _forget_all(self, copies: list[Found], tools: Tools) -> str:
        """Delete every copy of one note that this turn may delete; say what became of the first that went, or why
        none did."""
        answers = [(await tools.forget(note.slice, note.slug), note) for note in copies]
        went = next((pair for pair in answers if pair[0].outcome in _GOING), answers[0])
        return words.forgotten(*went, tools.scope)

    async def _undo(self, tools: Tools) -> str:
        """Take back this speaker's last change in this thread that still stands."""
        receipt = _last_standing(await tools.recent())
        if receipt is None:
            return words.NOTHING_TO_UNDO
        answer = await tools.undo(receipt.slice, receipt.slug, receipt.event_id)
        return words.undone(answer, receipt, tools.scope)

    async def _list(self, tools: Tools) -> str:
        """List what can be read here."""
        answer = await tools.list_pages(limit=10)
        return words.listed(answer, tools.scope)

    async def _whole(self, hit: Hit, tools: Tools) -> Found:
        """Return a hit with its whole text, or with the snippet where the page is gone meanwhile."""
        page = await self._page(hit.slice, hit.slug, tools)
        return Found.of_page(page) if page is not None else Found.of_hit(hit)

    async def _page(self, slice: str, slug: str, tools: Tools) -> Page | None:
        answer: ToolAnswer = await tools.read_page(slice, slug)
        return next((page for page in answer.pages if isinstance(page, Page)), None)


def _is_it(query: str, note: Found) -> bool:
    """Say whether a note is just these words."""
    return words.fold(note.text) == words.fold(query)


def _has_every_word(query: str, note: Found) -> bool:
    """Say whether a note has every word that carries meaning."""
    asked = words.tokens(query)
    return bool(asked) and asked <= words.tokens(note.text, note.title, note.slug)


def _has_half_the_words(query: str, note: Found) -> bool:
    """Say whether a note has at least half of the words that carry meaning."""
    asked = words.tokens(query)
    return bool(asked) and 2 * len(asked & words.tokens(note.text, note.title, note.slug)) >= len(asked)


def _last_standing(receipts: Iterable[Receipt]) -> Receipt | None:
    """Return the newest change that was not taken back already; an undo takes back the change before it."""
    taken_back: dict[tuple[str, str], int] = {}
    for receipt in receipts:
        key = (receipt.slice, receipt.slug)
        if receipt.action == _UNDONE:
            taken_back[key] = taken_back.get(key, 0) + 1
        elif receipt.action == _KEPT:
            continue
        elif taken_back.get(key, 0):
            taken_back[key] -= 1
        else:
            return receipt
    return None
