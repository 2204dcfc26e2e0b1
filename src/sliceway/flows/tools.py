"""The tools of one turn: target, destination, verdict, then the brain; every answer in words (GT1-GT11, SC10)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from sliceway.core.gate import Verdict, tightest, verdict
from sliceway.core.pages import Action, PageDraft, Receipt
from sliceway.core.policy import Policy
from sliceway.core.principals import Origin
from sliceway.core.proposals import Proposal, State
from sliceway.core.refusal_words import words_of
from sliceway.core.scope import Scope, destination, origin_of
from sliceway.core.slices import Landing, kind_of
from sliceway.core.turns import Turn
from sliceway.errors import IdempotencyConflict, InvalidRequest, NotFound, RateLimited, SlicewayError
from sliceway.flows import tool_words as words
from sliceway.flows.deciders import deciders_words
from sliceway.flows.grants import is_granter_fallen
from sliceway.flows.parts import Parts
from sliceway.flows.standing import scope_now, session_of
from sliceway.flows.tool_args import SPECS, TOOLS
from sliceway.flows.trouble import BRAIN_AWAY
from sliceway.ports import Done, Outcome, PageLike, ToolAnswer, Tools, ToolSpec

Write = Callable[[Origin, str], Awaitable[Outcome]]
"""Asks the brain for something that changes it, given the origin and a request id."""

NOTHING_DONE = Done((), ())
_RECENT_TURNS = 10
_ACTIONS = {
    "write": frozenset({Action.STORE, Action.REPLACE, Action.NOCHANGE}),
    "delete": frozenset({Action.DELETE}),
    "undo": frozenset({Action.UNDO}),
}
"""What each op leaves on a receipt."""


class TurnTools(Tools):
    """Tools bound to a turn. Its frozen scope is an upper bound: each call is judged by what both it and the scope of
    now allow (SC10). `receipts` and `proposals` hold what the turn did so far."""

    def __init__(self, parts: Parts, turn: Turn, scope: Scope, done: Done = NOTHING_DONE) -> None:
        """Take the turn, the scope it was frozen with, and what an earlier run of it did (BR6)."""
        self._parts, self._turn, self._scope, self._done = parts, turn, scope, done
        self._writes = 0
        self.receipts: list[Receipt] = list(done.receipts)
        self.proposals_made: list[Proposal] = list(done.proposals)

    @property
    def scope(self) -> Scope:
        return self._scope

    def specs(self) -> tuple[ToolSpec, ...]:
        return SPECS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        if (model := TOOLS.get(name)) is None:
            return ToolAnswer("failed", f"There is no tool of that name; there are {', '.join(TOOLS)}.", "no_tool")
        try:
            given = model.model_validate(dict(arguments))
        except ValidationError as error:
            wrong = "; ".join(
                f"{'.'.join(map(str, at['loc']))}: {words_of(at['type'], at.get('ctx', {}))}" for at in error.errors()
            )
            return ToolAnswer("failed", f"{name} was called wrongly: {wrong}. Nothing changed.", code="invalid_request")
        values = {field: getattr(given, field) for field in type(given).model_fields}
        if name == "memoize":
            drafts = [page.draft() for page in values["pages"]]
            return await self.memoize(drafts, target=values["target"])
        answer: ToolAnswer = await getattr(self, name)(**values)
        return answer

    async def memoize(self, pages: Sequence[PageLike], *, target: str = "mine") -> ToolAnswer:
        turn, scope, policy = await self._now()
        try:
            where = destination(target, turn, scope)
        except InvalidRequest as error:
            return words.refused(error)
        if where is None:
            return await self._deny("write", scope.mind, scope, target)

        async def write(origin: Origin, request: str) -> Outcome:
            return await self._parts.brain.write_pages(slice=where, pages=pages, origin=origin, request_id=request)

        async def ask(origin: Origin, request: str) -> Outcome:
            asked = await self._parts.brain.propose(
                op="write", slice=where, pages=pages, origin=origin, request_id=request
            )
            return Outcome("pending", proposal=asked)

        slugs = frozenset(page.slug if isinstance(page, PageDraft) else str(page.get("slug")) for page in pages)
        return await self._change("write", where, slugs, write, ask, judged=(turn, scope, policy))

    async def recall(
        self, query: str, *, limit: int = 5, saved_by: str | None = None, tags: Sequence[str] = ()
    ) -> ToolAnswer:
        turn, scope, _ = await self._now()
        origin, began = origin_of(turn, scope), self._parts.clock()
        try:
            found = await self._parts.brain.recall(
                query=query, slices=sorted(scope.reads), saved_by=saved_by, tags=tags, limit=limit, origin=origin
            )
        except SlicewayError as error:
            return _answer_of(error)
        self._parts.metrics.took("recall", (self._parts.clock() - began).total_seconds())
        for missing in found.degraded:
            self._parts.metrics.count("degraded_reads", without=missing)
        say = words.quoted(found.hits, found.reason)
        return ToolAnswer("found" if found.hits else "nothing", say, hits=found.hits, slices_read=found.slices_read)

    async def read_page(self, slice: str, slug: str) -> ToolAnswer:
        turn, scope, _ = await self._now()
        if verdict("read", slice, scope) is not Verdict.ALLOW:
            return words.refused(NotFound())
        reads, origin = sorted(scope.reads), origin_of(turn, scope)
        try:
            page = await self._parts.brain.read_page(slice=slice, slug=slug, slices=reads, origin=origin)
        except SlicewayError as error:
            return _answer_of(error)
        return ToolAnswer("found", words.quoted_page(page), pages=(page,), slices_read=(slice,))

    async def list_pages(self, *, limit: int = 20) -> ToolAnswer:
        turn, scope, _ = await self._now()
        reads, origin = sorted(scope.reads), origin_of(turn, scope)
        try:
            listed = await self._parts.brain.list_pages(slices=reads, limit=limit, origin=origin)
        except SlicewayError as error:
            return _answer_of(error)
        lines = [f"{page.slug} in {page.slice}: {page.title}" for page in listed]
        if listed.next_cursor is not None:
            lines.append("There are more.")
        say = "\n".join(lines) or "There is no page yet."
        return ToolAnswer("found" if lines else "nothing", say, pages=listed.items, slices_read=tuple(reads))

    async def page_history(self, slice: str, slug: str) -> ToolAnswer:
        turn, scope, _ = await self._now()
        if verdict("read", slice, scope) is not Verdict.ALLOW:
            return words.refused(NotFound())
        reads, origin = sorted(scope.reads), origin_of(turn, scope)
        try:
            listed = await self._parts.brain.versions(slice=slice, slug=slug, slices=reads, origin=origin)
        except SlicewayError as error:
            return _answer_of(error)
        lines = [words.version(entry) for entry in listed]
        return ToolAnswer("found", "\n".join(lines), versions=listed.items, slices_read=(slice,))

    async def forget(self, slice: str, slug: str) -> ToolAnswer:
        async def write(origin: Origin, request: str) -> Outcome:
            return await self._parts.brain.delete(slice=slice, slug=slug, origin=origin, request_id=request)

        async def ask(origin: Origin, request: str) -> Outcome:
            asked = await self._parts.brain.propose(
                op="delete", slice=slice, slug=slug, origin=origin, request_id=request
            )
            return Outcome("pending", proposal=asked)

        return await self._remove("delete", slice, slug, write, ask)

    async def undo(self, slice: str, slug: str, event: str) -> ToolAnswer:
        async def write(origin: Origin, request: str) -> Outcome:
            return await self._parts.brain.undo(
                slice=slice, slug=slug, expected_event=event, origin=origin, request_id=request
            )

        async def ask(origin: Origin, request: str) -> Outcome:
            asked = await self._parts.brain.propose(
                op="undo", slice=slice, slug=slug, expected_event=event, origin=origin, request_id=request
            )
            return Outcome("pending", proposal=asked)

        return await self._remove("undo", slice, slug, write, ask)

    async def recent(self) -> tuple[Receipt, ...]:
        if self._turn.speaker is None:
            return ()
        turn, scope, _ = await self._now()
        origin = origin_of(turn, scope)
        found: list[Receipt] = []
        keys = await self._parts.desk.turns_in(session_of(self._turn), self._turn.speaker, limit=_RECENT_TURNS)
        for key in keys:
            if key != self._turn.key:
                done = await self._parts.brain.done_in(turn=key, origin=origin)
                found += [receipt for receipt in done.receipts if receipt.slice in scope.reads]
        return tuple(sorted(found, key=lambda receipt: receipt.at, reverse=True))

    async def proposals(self) -> ToolAnswer:
        turn, scope, _ = await self._now()
        if turn.speaker is None:
            return ToolAnswer("nothing", "Nobody asked for anything here.")
        try:
            listed = await self._parts.brain.proposals(limit=50, origin=origin_of(turn, scope))
        except SlicewayError as error:
            return _answer_of(error)
        open_states = {State.PENDING, State.DRAFT} if scope.private else {State.PENDING}
        mine = [
            one
            for one in listed
            if one.state in open_states and one.requested_by is not None and one.requested_by.key == turn.speaker.key
        ]
        lines = [f"{one.id}: {one.op} in {one.slice}, {one.state.value} until {one.expires_at}" for one in mine]
        say = "\n".join(lines) or "Nothing of this person's waits for a decision."
        return ToolAnswer("found" if mine else "nothing", say, proposal=mine[0] if mine else None)

    async def withdraw(self, id: str) -> ToolAnswer:
        turn, scope, _ = await self._now()
        origin = origin_of(turn, scope)
        try:
            asked = await self._parts.brain.proposal(id=id, origin=origin)
            by, speaker = asked.requested_by, turn.speaker
            if by is None or speaker is None or by.key != speaker.key:
                return words.refused(NotFound())
            taken = await self._parts.brain.withdraw(id=id, revision=asked.revision, origin=origin)
        except SlicewayError as error:
            return _answer_of(error)
        return ToolAnswer("written", "Taken back; nobody will be asked any more.", proposal=taken)

    async def _now(self) -> tuple[Turn, Scope, Policy]:
        """Return the turn and policy of now, with the scope that both then and now allow (SC10)."""
        fresh, now, policy = await scope_now(self._parts, self._turn)
        return fresh, self._scope.meet(now), policy

    async def _remove(self, op: str, slice: str, slug: str, write: Write, ask: Write) -> ToolAnswer:
        """Delete or undo, where the turn may; from the agent's mind only what the speaker caused (GT7)."""
        turn, scope, policy = await self._now()
        if verdict("read", slice, scope) is not Verdict.ALLOW:
            return words.refused(NotFound())
        kind = kind_of(slice)
        if kind is not None and kind.landing is Landing.AGENT and turn.speaker is not None:
            try:
                listed = await self._parts.brain.versions(
                    slice=slice, slug=slug, limit=1, slices=sorted(scope.reads), origin=origin_of(turn, scope)
                )
            except SlicewayError as error:
                return _answer_of(error)
            cause = listed.items[0].author.on_behalf_of if listed.items else None
            if cause is None or cause.key != turn.speaker.key:
                await self._report(op, slice, turn, scope, "caused by somebody else")
                return words.not_yours(slug)
        return await self._change(op, slice, frozenset({slug}), write, ask, judged=(turn, scope, policy))

    async def _change(
        self,
        op: str,
        where: str,
        slugs: frozenset[str],
        write: Write,
        ask: Write,
        *,
        judged: tuple[Turn, Scope, Policy],
    ) -> ToolAnswer:
        """Judge a change and have the brain make it, or propose it where a plugin wants a person's yes."""
        turn, scope, policy = judged
        self._writes += 1
        if (before := self._done_before(op, where, slugs)) is not None:
            return await self._answer(before, turn, policy)
        own = verdict(op, where, scope)
        if own is Verdict.DENY:
            return await self._deny(op, where, scope, where)
        final = await self._tightened(op, where, own)
        self._judged(where, final)
        if final is Verdict.DENY:
            await self._report(op, where, turn, scope, "a plugin forbids it")
            return words.tightened(op)
        at_most = self._parts.config.writes_a_minute
        if turn.speaker is not None and not self._parts.pace.allows(turn.speaker, self._parts.clock(), at_most):
            return words.refused(RateLimited(f"More than {at_most} changes a minute for one person; try again later."))
        try:
            asks = final is not own or (
                own is Verdict.ASK and await is_granter_fallen(self._parts, turn, where, policy)
            )
            outcome = await self._act(ask if asks else write, origin_of(turn, scope))
        except SlicewayError as error:
            return _answer_of(error)
        self.receipts += outcome.receipts
        if outcome.proposal is not None:
            self.proposals_made.append(outcome.proposal)
        return await self._answer(outcome, turn, policy)

    async def _act(self, act: Write, origin: Origin) -> Outcome:
        """Have the brain do it under a request id of this turn's (BR6)."""
        request = f"{self._turn.key}#{self._writes}"
        try:
            return await act(origin, request)
        except IdempotencyConflict:  # an earlier run of this turn used the number for something else
            return await act(origin, f"{request}+")

    async def _tightened(self, op: str, where: str, own: Verdict) -> Verdict:
        """Return the gateway's own verdict, or a stricter one that a plugin wants."""
        if not self._parts.hooks.can_tighten:
            return own
        return tightest(own, await self._parts.hooks.tighten(op, where, own, self._parts.clock()))

    async def _answer(self, outcome: Outcome, turn: Turn, policy: Policy) -> ToolAnswer:
        """Return an outcome in words."""
        if outcome.proposal is None:
            return words.written(outcome.receipts, turn)
        asked = outcome.proposal
        deciders = await deciders_words(self._parts, policy, asked.slice, asked.requested_by)
        return words.waiting(asked, deciders, quiet=asked.quiet)

    def _done_before(self, op: str, where: str, slugs: frozenset[str]) -> Outcome | None:
        """Return what an earlier run of this turn already did there, so that a re-run repeats nothing (BR6)."""
        actions = _ACTIONS[op]
        found: dict[str, Receipt] = {}
        for one in self._done.receipts:
            if one.slice == where and one.slug in slugs and one.action in actions:
                found.setdefault(one.slug, one)
        if found.keys() == slugs:
            used = tuple(found.values())
            self._done = replace(self._done, receipts=tuple(one for one in self._done.receipts if one not in used))
            return Outcome("written", receipts=used)
        for asked in self._done.proposals:
            if (asked.op, asked.slice) == (op, where) and {page.slug for page in asked.pages} == slugs:
                return Outcome("pending", proposal=asked)
        return None

    async def _deny(self, op: str, where: str, scope: Scope, target: str) -> ToolAnswer:
        """Refuse kindly, and have the brain record it (OP1)."""
        self._judged(where, Verdict.DENY)
        await self._report(op, where, self._turn, scope, words.no_right(scope))
        return words.denied(scope, op, target, self._turn)

    def _judged(self, where: str, final: Verdict) -> None:
        """Count a verdict on a change, by the kind of its destination (OP2)."""
        kind = kind_of(where)
        self._parts.metrics.count("writes", destination=kind.kind if kind else "none", verdict=final.name.lower())

    async def _report(self, op: str, where: str, turn: Turn, scope: Scope, reason: str) -> None:
        """Record a refusal decided here."""
        await self._parts.brain.report_denial(op=op, slice=where, origin=origin_of(turn, scope), reason=reason)


def _answer_of(error: SlicewayError) -> ToolAnswer:
    """Return a refusal in words; an outage is raised, so that the turn runs again (FR7)."""
    if isinstance(error, BRAIN_AWAY):
        raise error
    return words.refused(error)
