"""Making two minds one, and two again: in steps of one slice each, gone on with after a crash (ID12, BR15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sliceway.brain.agents import TOKENS_END, AgentsPart, Known, Plan, free_to_bind, undoable
from sliceway.core.access import merging
from sliceway.core.agents import mind_named
from sliceway.core.ids import check_agent_id
from sliceway.core.pages import Author, Imported
from sliceway.core.principals import PrincipalKind
from sliceway.core.slices import SYSTEM, agent_slice
from sliceway.errors import Conflict, NotFound
from sliceway.ports.outcomes import AgentChange
from sliceway.store import acts as store
from sliceway.store import merges
from sliceway.store.acts import NOBODY, AgentAct
from sliceway.store.ledger import slice_transaction
from sliceway.store.merges import Step
from sliceway.store.record import RowChange
from sliceway.store.session import Session
from sliceway.wire.calls import MergeAgentCall
from sliceway.wire.checks import checked
from sliceway.wire.codec import to_json


class MergingPart(AgentsPart):
    """The part of the brain that merges agents.

    A merge first closes the mind that is taken in, and lets its pages be read as an alias until they are all copied;
    then it copies them; then it ends the alias. Taken back, it first opens that mind again, then removes the copies.
    """

    async def merge_agent(
        self,
        *,
        id: str,
        mind: str,
        undo: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> AgentChange:
        """See `Brain.merge_agent`."""
        call = checked(MergeAgentCall, id=id, mind=mind, undo=undo, dry_run=dry_run)
        await self._only_for_agents()
        agent, source = check_agent_id(call.id, allow_default=True), mind_named(call.mind, "mind")
        look = self._unmerged if call.undo else self._begun
        report = await self._carried_out(
            lambda known: look(known, agent, source), dry_run=call.dry_run, undo=call.undo
        )  # fmt: skip
        if call.dry_run or report.id is None:
            return report
        if call.undo:
            return await self._removed(report, report.id, agent)
        return await self._merged(report, report.id, agent, source, progress)

    def _begun(self, known: Known, agent: str, source: str) -> Plan:
        """The beginning of a merge, or the one that was begun and not ended."""
        whose, done = store.owner_of(known.session, source), known.closing(source)
        moved = merges.moved_slugs(known.session, source, agent_slice(agent))
        is_operator = self._principal.kind is PrincipalKind.OPERATOR  # an admin reads nothing of a mind (BR2)
        report = known.report(
            "merge", source, whose, agent, conflicts=len(moved), moved=moved if is_operator else None
        )  # fmt: skip
        if done is not None and (done.act, done.into) == ("merge", agent):
            ended = replace(report, id=done.id, conflicts=0, moved=None) if done.done else replace(report, id=done.id)
            return Plan(ended)
        self._takes(known, agent)
        if source == agent_slice(agent):
            raise Conflict("An agent is not merged into itself.")
        held = store.holding(known.session, source, whose, known.now)
        if not held.exists and (whose is None or not store.is_known(known.session, whose)):
            raise NotFound("There is no such mind.")
        owner = known.owner(source)
        if owner != agent:
            free = replace(known, acts=tuple(one for one in known.acts if one.act != "retire"))
            free_to_bind(free, source, None)
        retired = done is not None
        aliases = tuple(sorted(known.policy.aliases.get(whose, ()))) if whose is not None else ()
        ending = store.live_tokens(known.session, whose, known.now) if whose is not None else ()
        details = {
            "tokens": list(ending), "aliases": list(aliases), "was_alias": owner == agent, "was_retired": retired,
        }  # fmt: skip
        act = AgentAct(self._new_id(), "merge", source, whose, agent, details, done=False)
        rows: list[RowChange] = [store.binding(name, agent, known.now) for name in (source, *aliases)]
        rows += [store.token_change(token, revoked_at=known.now) for token in ending]
        notes = (TOKENS_END,) if ending else ()
        told = replace(report, id=act.id, tokens=len(ending), aliases=aliases, notes=notes)
        return Plan(told, self._begins(act, rows))

    async def _merged(
        self,
        report: AgentChange,
        id: str,
        agent: str,
        source: str,
        progress: Callable[[int, int | None], None] | None,
    ) -> AgentChange:
        """Copy what is not copied yet, and end the merge."""
        into, after, changed = agent_slice(agent), None, 0
        await self._store.writing(lambda session: self._kept_from_writing(session, source))
        while True:
            take = partial(self._step, id=id, source=source, into=into, after=after)
            step = await self._store.writing(take)
            changed, after = changed + step.changed, step.at
            if progress is not None:
                progress(changed, None)
            if after is None:
                break
        ended = await self._store.writing(partial(self._ended, id=id, agent=agent, source=source))
        return replace(report, outcome="changed" if changed or ended else report.outcome)

    def _kept_from_writing(self, session: Session, source: str) -> None:
        """Wait for whoever writes that mind at this moment; whoever comes later finds it closed."""
        session.enter(merging(self._principal, source, source))
        session.land(source)

    def _step(self, session: Session, *, id: str, source: str, into: str, after: int | None) -> Step:
        self._under_way(session, id)
        session.enter(merging(self._principal, source, into))
        with slice_transaction(session, into, clock=self._clock, new_id=self._new_id) as tx:
            return merges.take_events(tx, source, id, after, self._signed_merge)

    def _under_way(self, session: Session, id: str) -> AgentAct:
        """Return an act that was not taken back.

        :raises Conflict: it was, meanwhile.
        """
        act = next(one for one in store.acts_known(session) if one.id == id)
        if act.undone:
            raise Conflict("This merge was taken back meanwhile; what it had copied is removed with it.")
        return act

    def _signed_merge(self, imported_from: Imported | None) -> Mapping[str, Any]:
        return {**self._actor(), **to_json(self._merger(imported_from))}

    def _merger(self, imported_from: Imported | None = None) -> Author:
        return Author(self._principal.agent_id, self._principal.token_id, None, merges.SURFACE, None, imported_from)

    def _ended(self, session: Session, *, id: str, agent: str, source: str) -> bool:
        """End a merge whose pages are all there; say whether it was under way."""
        known = self._known(session)
        act = next(one for one in known.acts if one.id == id)
        if act.done or act.undone:
            return False
        rows = [store.binding(source, NOBODY, known.now)] if known.owner(source) == agent else []
        with slice_transaction(session, SYSTEM, clock=self._clock, new_id=self._new_id) as tx:
            store.end_act(tx, act, author=self._actor(), rows=rows)
        return True

    def _unmerged(self, known: Known, agent: str, source: str) -> Plan:
        """The mind that was taken in is its own again."""
        act = undoable(known, "merge", source, agent)
        report = known.report("merge", source, act.agent, agent, id=act.id)
        if act.undone:
            return Plan(report)
        if is_gone := known.closing(agent_slice(agent)):
            raise Conflict(f"{agent} was {is_gone.act}d itself since: take that back first.")
        held = known.policy.aliases.get(agent, frozenset())
        aliases = tuple(name for name in act.details["aliases"] if name in held)
        back = agent if act.details["was_alias"] else NOBODY
        rows: list[RowChange] = [store.binding(source, back, known.now)]
        rows += [store.binding(name, act.agent or NOBODY, known.now) for name in aliases]
        notes = ("It has no token: make new ones.",) if act.details["tokens"] else ()
        return Plan(replace(report, aliases=aliases, notes=notes), self._undoes(act, rows))

    async def _removed(self, report: AgentChange, id: str, agent: str) -> AgentChange:
        """Remove the copies that stand as they came; one that changed since is the agent's own by now."""
        after: str | None = None
        changed = kept = 0
        while True:
            step = await self._store.writing(partial(self._step_back, id=id, into=agent_slice(agent), after=after))
            changed, kept, after = changed + step.changed, kept + step.kept, step.at
            if after is None:
                break
        return replace(report, outcome="undone" if changed else report.outcome, pages=changed, kept=kept)

    def _step_back(self, session: Session, *, id: str, into: str, after: str | None) -> Step:
        session.enter(merging(self._principal, into, into))
        with slice_transaction(session, into, clock=self._clock, new_id=self._new_id) as tx:
            return merges.put_back(tx, id, after, self._merger())
