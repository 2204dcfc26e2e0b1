"""Alias, rename and retire: what an admin does to agents, each recorded and each taken back by its reverse (ID12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sliceway.brain.actor import ActorPart
from sliceway.core.access import administering
from sliceway.core.agents import mind_named
from sliceway.core.clock import to_text
from sliceway.core.ids import check_agent_id, display_name
from sliceway.core.policy import Policy, is_closed
from sliceway.core.slices import SYSTEM, agent_slice
from sliceway.errors import Conflict, FieldError, InvalidRequest, NotFound
from sliceway.ports.outcomes import AgentChange
from sliceway.store import acts as store
from sliceway.store.acts import NOBODY, AgentAct
from sliceway.store.agents import agents_known, put_agent
from sliceway.store.ledger import SliceTransaction, slice_transaction
from sliceway.store.policy import BY_HAND, set_fields, to_kept
from sliceway.store.record import RowChange
from sliceway.store.session import Session
from sliceway.wire.calls import AliasAgentCall, RenameAgentCall, RetireAgentCall
from sliceway.wire.checks import checked

TOKENS_END = "Its tokens are revoked for good; after --undo make new ones."
Write = Callable[[SliceTransaction], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What an act comes to, and how it is written; None where there is nothing to do."""

    report: AgentChange
    carry: Write | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What there is, at the moment of an act."""

    session: Session
    now: str
    policy: Policy
    acts: tuple[AgentAct, ...]

    def owner(self, alias: str) -> str | None:
        """Return whose alias a mind is now."""
        return next((agent for agent, names in self.policy.aliases.items() if alias in names), None)

    def closing(self, mind: str) -> AgentAct | None:
        """Return the act by which a mind's agent may not act now."""
        found = (
            one for one in self.acts if one.mind == mind and not one.undone and one.act not in {"alias", "display"}
        )
        return next(found, None)

    def last(self, act: str, mind: str, into: str | None = None) -> AgentAct | None:
        """Return the last act of a kind on a mind."""
        found = [one for one in self.acts if (one.act, one.mind) == (act, mind) and into in {None, one.into}]
        return found[-1] if found else None

    def report(self, act: str, mind: str, agent: str | None, into: str | None = None, **more: Any) -> AgentChange:
        """Return the report of an act, with what is counted of the mind."""
        held = store.holding(self.session, mind, agent, self.now)
        counted = {"pages": held.pages, "versions": held.versions, "proposals": held.proposals, "grants": held.grants}
        return AgentChange(act, "changed", mind, agent, into, **{**counted, **more})


def invalid(field: str, detail: str) -> InvalidRequest:
    """Return the refusal of one field."""
    return InvalidRequest(errors=[FieldError(field, "invalid_request", detail)])


def undoable(known: Known, act: str, mind: str, into: str | None = None) -> AgentAct:
    """Return the last such act, to be taken back.

    :raises NotFound: there was none.
    """
    found = known.last(act, mind, into)
    if found is None:
        raise NotFound("There is nothing of that kind to take back; `sliceway agent list` says what was done.")
    return found


class AgentsPart(ActorPart):
    """Administration of agents."""

    async def alias_agent(self, *, id: str, alias: str, undo: bool = False, dry_run: bool = False) -> AgentChange:
        """See `Brain.alias_agent`."""
        call = checked(AliasAgentCall, id=id, alias=alias, undo=undo, dry_run=dry_run)
        await self._only_for_agents()
        agent, mind = check_agent_id(call.id, allow_default=True), mind_named(call.alias, "alias")
        look = self._unbound if call.undo else self._bound
        return await self._carried_out(lambda known: look(known, agent, mind), dry_run=call.dry_run, undo=call.undo)

    async def rename_agent(
        self, *, id: str, to: str | None = None, display: str | None = None, undo: bool = False, dry_run: bool = False
    ) -> AgentChange:
        """See `Brain.rename_agent`."""
        call = checked(RenameAgentCall, id=id, to=to, display=display, undo=undo, dry_run=dry_run)
        await self._only_for_agents()
        agent = check_agent_id(call.id, allow_default=True)
        new = check_agent_id(call.to) if call.to is not None else None
        shown = display_name(call.display) if call.display is not None else None
        if new == agent or (new is None and not shown and not call.undo):
            raise invalid("to", "give the new id, or the new display name")

        def look(known: Known) -> Plan:
            if call.undo:
                return self._unrenamed(known, agent, new)
            return self._renamed(known, agent, new, shown) if new is not None else self._displayed(known, agent, shown)

        return await self._carried_out(look, dry_run=call.dry_run, undo=call.undo)

    async def retire_agent(self, *, id: str, undo: bool = False, dry_run: bool = False) -> AgentChange:
        """See `Brain.retire_agent`."""
        call = checked(RetireAgentCall, id=id, undo=undo, dry_run=dry_run)
        await self._only_for_agents()
        agent = check_agent_id(call.id, allow_default=True)
        look = self._unretired if call.undo else self._retired
        return await self._carried_out(lambda known: look(known, agent), dry_run=call.dry_run, undo=call.undo)

    async def _only_for_agents(self) -> None:
        await self._only(self._administers, "Only an admin or the operator administers agents.", op="agents")

    def _known(self, session: Session) -> Known:
        """Go on as who administers agents, and look at what there is."""
        policy = self._policy(session)
        session.enter(administering(self._principal))
        return Known(session, to_text(self._clock()), policy, store.acts_known(session))

    async def _carried_out(self, look: Callable[[Known], Plan], *, dry_run: bool, undo: bool) -> AgentChange:
        """Do an act in one transaction, or say what it would come to."""

        def tried(session: Session) -> AgentChange:
            plan = look(self._known(session))
            return replace(plan.report, outcome="would_change" if plan.carry is not None else "nochange")

        def work(session: Session) -> AgentChange:
            plan = look(self._known(session))
            if plan.carry is None:
                return replace(plan.report, outcome="nochange")
            with slice_transaction(session, SYSTEM, clock=self._clock, new_id=self._new_id) as tx:
                plan.carry(tx)
            return replace(plan.report, outcome="undone" if undo else "changed")

        return await (self._store.reading(tried) if dry_run else self._store.writing(work))

    def _begins(self, act: AgentAct, rows: Sequence[RowChange] = ()) -> Write:
        return lambda tx: store.begin_act(tx, act, author=self._actor(), rows=rows)

    def _undoes(self, act: AgentAct, rows: Sequence[RowChange] = ()) -> Write:
        return lambda tx: store.undo_act(tx, act, author=self._actor(), rows=rows)

    def _bound(self, known: Known, agent: str, mind: str) -> Plan:
        """An earlier mind becomes readable for an agent, and is written by nobody from now on."""
        whose = store.owner_of(known.session, mind)
        report = known.report("alias", mind, whose, agent)
        if known.owner(mind) == agent:
            return Plan(report)
        self._takes(known, agent)
        if mind == agent_slice(agent):
            raise invalid("alias", "that is the agent's own mind already")
        free_to_bind(known, mind, whose)
        notes = (f"{whose} may not act while its mind is an alias.",) if whose is not None else ()
        act = AgentAct(self._new_id(), "alias", mind, whose, agent)
        report = replace(report, id=act.id, notes=notes)
        return Plan(report, self._begins(act, [store.binding(mind, agent, known.now)]))

    def _unbound(self, known: Known, agent: str, mind: str) -> Plan:
        act = undoable(known, "alias", mind, agent)
        report = known.report("alias", mind, act.agent, agent, id=act.id)
        if act.undone or known.owner(mind) != agent:
            return Plan(report)
        return Plan(report, self._undoes(act, [store.binding(mind, NOBODY, known.now)]))

    def _takes(self, known: Known, agent: str) -> None:
        """Refuse to give a mind to an agent that may not act.

        :raises Conflict: it was retired, renamed or merged.
        """
        if is_closed(known.policy, agent):
            raise Conflict(
                f"{agent} was retired, renamed or merged itself: take that back first, or name another agent."
            )

    def _renamed(self, known: Known, agent: str, new: str, shown: str | None) -> Plan:
        """An agent goes on under another id, whose mind is a new slice; its earlier one becomes an alias."""
        mind, done = agent_slice(agent), known.closing(agent_slice(agent))
        report = known.report("rename", mind, agent, new)
        if done is not None and (done.act, done.into) == ("rename", new):
            return Plan(replace(report, id=done.id))
        if done is not None or known.owner(mind) is not None:
            raise Conflict(
                f"{agent} may not act any more, so it cannot be renamed: take back what was done to it first."
            )
        if not store.is_known(known.session, agent):
            raise NotFound(f"There is no agent {agent}.")
        self._takes(known, new)
        carried = store.live_tokens(known.session, agent, known.now)
        aliases = tuple(sorted(known.policy.aliases.get(agent, ())))
        mounted = tuple(sorted(known.policy.kb.get(agent, frozenset()) - known.policy.kb.get(new, frozenset())))
        details = {"tokens": list(carried), "aliases": list(aliases), "kb": list(mounted)}
        act = AgentAct(self._new_id(), "rename", mind, agent, new, details)
        rows: list[RowChange] = [store.binding(name, new, known.now) for name in (mind, *aliases)]
        rows += [store.token_change(token, agent=new) for token in carried]
        before = next(iter(agents_known(known.session, only=agent)), None)

        def write(tx: SliceTransaction) -> None:
            self._begins(act, rows)(tx)
            put_agent(
                tx, new, display=shown or (before.display if before is not None else None), source="renamed",
                author=self._actor(),
            )  # fmt: skip
            self._mount_for(tx, known.policy, new, known.policy.kb.get(new, frozenset()) | set(mounted), bool(mounted))

        notes = (f"Give its gateway the new id, and stop the one that runs as {agent}.",)
        told = replace(report, id=act.id, tokens=len(carried), aliases=aliases, kb=mounted, notes=notes)
        return Plan(told, write)

    def _mount_for(
        self, tx: SliceTransaction, policy: Policy, agent: str, names: frozenset[str], changes: bool
    ) -> None:  # fmt: skip
        if changes:
            kb = {**policy.kb, agent: names}
            kept = {"kb": to_kept("kb", {name: slices for name, slices in kb.items() if slices})}
            set_fields(tx, kept, source=BY_HAND, author=self._actor())

    def _unrenamed(self, known: Known, agent: str, new: str | None) -> Plan:
        mind = agent_slice(agent)
        acts = [one for one in known.acts if one.mind == mind and one.act in {"rename", "display"}]
        acts = [one for one in acts if new in {None, one.into}]
        if not acts:
            undoable(known, "rename", mind, new)
        act = next((one for one in reversed(acts) if not one.undone), acts[-1])
        report = known.report("rename", mind, agent, act.into, id=act.id)
        if act.undone:
            return Plan(report)
        if act.act == "display" or act.into is None:
            row = store.display_change(agent, act.details["before"])
            return Plan(report, self._undoes(act, [row]))
        into = act.into
        if known.owner(mind) != into:
            raise Conflict(f"{into} was renamed or merged itself since: take that back first.")
        held = known.policy.aliases.get(into, frozenset())
        aliases = tuple(name for name in act.details["aliases"] if name in held)
        live = set(store.live_tokens(known.session, into, known.now))
        carried = [token for token in act.details["tokens"] if token in live]
        rows: list[RowChange] = [store.binding(mind, NOBODY, known.now)]
        rows += [store.binding(name, agent, known.now) for name in aliases]
        rows += [store.token_change(token, agent=agent) for token in carried]
        mounted, here = set(act.details["kb"]), known.policy.kb.get(into, frozenset())

        def write(tx: SliceTransaction) -> None:
            self._undoes(act, rows)(tx)
            self._mount_for(tx, known.policy, into, here - mounted, bool(mounted & here))

        notes = (f"What {into} saved since stays in its own mind: `sliceway agent merge` takes it over.",)
        return Plan(replace(report, tokens=len(carried), aliases=aliases, notes=notes), write)

    def _displayed(self, known: Known, agent: str, shown: str | None) -> Plan:
        mind = agent_slice(agent)
        before = next(iter(agents_known(known.session, only=agent)), None)
        if before is None:
            raise NotFound(f"No agent {agent} is registered.")
        report = known.report("rename", mind, agent)
        if before.display == shown:
            return Plan(report)
        act = AgentAct(self._new_id(), "display", mind, agent, None, {"before": before.display})
        row = store.display_change(agent, shown)
        return Plan(replace(report, id=act.id), self._begins(act, [row]))

    def _retired(self, known: Known, agent: str) -> Plan:
        """An agent does nothing any more; its mind is kept, and read by nobody but through an alias or a merge."""
        mind, done = agent_slice(agent), known.closing(agent_slice(agent))
        report = known.report("retire", mind, agent)
        if done is not None and done.act == "retire":
            return Plan(replace(report, id=done.id))
        if done is not None:
            raise Conflict(f"{agent} does not act any more: it was renamed or merged.")
        if not store.is_known(known.session, agent):
            raise NotFound(f"There is no agent {agent}.")
        ending = store.live_tokens(known.session, agent, known.now)
        act = AgentAct(self._new_id(), "retire", mind, agent, None, {"tokens": list(ending)})
        rows = [store.token_change(token, revoked_at=known.now) for token in ending]
        told = replace(report, id=act.id, tokens=len(ending), notes=(TOKENS_END,) if ending else ())
        return Plan(told, self._begins(act, rows))

    def _unretired(self, known: Known, agent: str) -> Plan:
        act = undoable(known, "retire", agent_slice(agent))
        report = known.report("retire", act.mind, agent, id=act.id)
        if act.undone:
            return Plan(report)
        if (owner := known.owner(act.mind)) is not None:
            raise Conflict(f"Its mind is an alias of {owner}: take that back first.")
        return Plan(replace(report, notes=("It has no token: make new ones.",)), self._undoes(act))


def free_to_bind(known: Known, mind: str, whose: str | None) -> None:
    """Refuse to make a mind an alias that has an owner already, or whose agent is at work.

    :raises Conflict: it is one's, or its agent was renamed or merged, or has tokens that are good.
    """
    if (owner := known.owner(mind)) is not None:
        raise Conflict(f"{mind} is an alias of {owner} already: an alias has one owner.")
    done = known.closing(mind)
    if done is not None and done.act != "retire":
        raise Conflict(f"{mind} went to {done.into} already: take that back first.")
    if whose is not None and store.live_tokens(known.session, whose, known.now):
        raise Conflict(
            f"{whose} has tokens that are good, so somebody works as it: retire, rename or merge it instead."
        )
