"""The policy: read by everyone as far as it concerns them, changed by few, every change recorded (SC7, AP7, CF1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sliceway.brain.actor import ActorPart
from sliceway.core.policy import Channel, Policy, is_closed, is_manager
from sliceway.core.policy_fields import checked_fields, env_name
from sliceway.core.principals import NO_ORIGIN, Origin, PrincipalKind
from sliceway.core.slices import SYSTEM
from sliceway.core.turns import Trust
from sliceway.errors import FieldError, InvalidRequest, NotEligible, NotPermitted
from sliceway.ports.brain import PersonLike
from sliceway.store.policy import (
    ASSUMED,
    BY_HAND,
    SETTINGS,
    channel_seen,
    kept_fields,
    put_channel,
    put_person,
    set_fields,
    to_kept,
)
from sliceway.store.session import Session
from sliceway.wire.calls import ObserveCall, SeenPerson, SeenPlace, TrustCall
from sliceway.wire.checks import checked, plain
from sliceway.wire.models import to_person


class PolicyPart(ActorPart):
    """The rules that people set, and what gateways saw."""

    async def policy(self) -> Policy:
        """Return the policy as it stands, as far as it concerns the caller."""
        return await self._store.reading(lambda session: self._shown(self._policy(session)))

    def _shown(self, policy: Policy) -> Policy:
        """Leave out what only other agents read, and other teams' channels and people but for those who decide."""
        if self._administers:
            return policy
        agent, teams = self._principal.agent_id, self._principal.teams
        shown = replace(
            policy,
            kb={name: slices for name, slices in policy.kb.items() if name == agent},
            aliases={name: slices for name, slices in policy.aliases.items() if name == agent},
            closed=policy.closed & {self._principal.own_slice or ""},
        )
        if self._principal.sees_all_proposals:
            return shown
        return replace(
            shown,
            channels={key: seen for key, seen in policy.channels.items() if key[0] in teams},
            gone={key: at for key, at in policy.gone.items() if key[0] in teams},
        )

    async def set_policy(self, **changes: Any) -> Policy:
        """Change fields of the policy, recorded if they differ; an admin's or the operator's.

        :raises NotPermitted: the caller may not, or the last server took the field from its settings.
        """
        values = checked_fields(changes)

        def work(session: Session) -> Policy:
            if not self._administers:
                raise NotPermitted("Only an admin or the operator changes the policy.")
            kept = kept_fields(session)
            fixed = [name for name in sorted(values) if name in kept and kept[name].source == SETTINGS]
            if fixed:
                names = ", ".join(f"{name} ({env_name(name)})" for name in fixed)
                raise NotPermitted(
                    f"The last server took this from its settings: {names}. Change it there and start it again."
                )
            with self._system(session) as tx:
                set_fields(tx, _kept(values), source=BY_HAND, author=self._actor())
            return self._policy(session)

        return await self._act(work, op="policy", slice_name=SYSTEM, origin=NO_ORIGIN)

    async def copy_settings(self, values: Mapping[str, Any], *, assumed: Mapping[str, Any] | None = None) -> Policy:
        """Take the fields that this server's settings set, and let go of those that an earlier one had set: a field
        let go keeps its value and may be set by hand again. What changes nothing is not recorded.

        :param values: by field name, as `set_policy` takes them; a field that is not set is not in it.
        :param assumed: what this server knows by itself; it gives way to what is set, here or by hand.
        :raises NotPermitted: the caller is not the operator.
        """
        taken, known_here = checked_fields(values), checked_fields(assumed or {})

        def work(session: Session) -> Policy:
            if self._principal.kind is not PrincipalKind.OPERATOR:
                raise NotPermitted("Settings are copied by the process that serves the store.")
            kept = kept_fields(session)
            by_hand = {name for name, known in kept.items() if known.source == BY_HAND and known.value}
            filled = {name: value for name, value in known_here.items() if name not in taken and name not in by_hand}
            let_go = {
                name: known.value
                for name, known in kept.items()
                if known.source == SETTINGS and name not in taken and name not in filled
            }
            with self._system(session) as tx:
                set_fields(tx, _kept(taken), source=SETTINGS, author=self._actor())
                set_fields(tx, let_go, source=BY_HAND, author=self._actor())
                set_fields(tx, _kept(filled), source=ASSUMED, author=self._actor())
            return self._policy(session)

        return await self._act(work, op="policy", slice_name=SYSTEM, origin=NO_ORIGIN)

    async def set_trust(self, *, team: str, channel: str, trust: str, by: PersonLike) -> Policy:
        """Set a channel's trust; `by` is a manager and the caller `decides` (SC7). `trusted` also says that the
        channel is no longer shared with others; a grant that ended with that stays ended."""
        call = checked(TrustCall, team=team, channel=channel, trust=trust)
        who = to_person(by)

        def work(session: Session) -> Policy:
            policy, teams = self._policy(session), self._principal.teams
            if not self._principal.decides or is_closed(policy, self._principal.agent_id or ""):
                raise NotPermitted("This caller relays no decisions of managers.")
            if call.team not in teams or who.team not in teams or not is_manager(policy, who):
                raise NotEligible("Only a manager sets the trust of a channel, in their own team.")
            before = channel_seen(session, call.team, call.channel)
            wanted = Trust(call.trust)
            known = replace(before, trust=wanted, external=before.external and wanted is not Trust.TRUSTED)
            with self._system(session) as tx:
                put_channel(tx, "channel.trust", call.team, call.channel, known, author=self._actor(person=who))
            return self._shown(self._policy(session))

        return await self._act(work, op="trust", slice_name=SYSTEM, origin=Origin(person=who))

    async def observe(
        self, *, place: Mapping[str, Any] | None = None, person: Mapping[str, Any] | None = None
    ) -> Policy:
        """Record what a gateway saw: `{team, channel, external?, guests?}`, `{team, user, deactivated}`.

        Places only fall; returning is for a manager. What changes nothing is not recorded.
        """
        call = checked(ObserveCall, place=plain(place), person=plain(person))
        if call.place is None and call.person is None:
            raise InvalidRequest(errors=[FieldError("place", "missing", "say which place or person was seen")])

        def look(session: Session) -> Policy | None:
            self._may_observe(call)
            news = self._news(session, call)
            return None if news else self._shown(self._policy(session))

        def work(session: Session) -> Policy:
            with self._system(session) as tx:
                if call.place is not None:
                    known = _fallen(channel_seen(session, call.place.team, call.place.channel), call.place, tx.now)
                    put_channel(tx, "channel.seen", call.place.team, call.place.channel, known, author=self._actor())
                if call.person is not None:
                    put_person(
                        tx, call.person.team, call.person.user, gone=call.person.deactivated, author=self._actor()
                    )
            return self._shown(self._policy(session))

        try:
            unchanged = await self._store.reading(look)
        except NotPermitted as refused:
            error = refused
        else:
            if unchanged is not None:
                return unchanged
            return await self._store.writing(work)
        await self._store.writing(
            lambda session: self._refused(session, op="observe", slice_name=SYSTEM, origin=NO_ORIGIN, error=error)
        )
        raise error

    def _may_observe(self, call: ObserveCall) -> None:
        """Refuse what no gateway of these teams can have seen.

        :raises NotPermitted: the caller is no gateway, or the team is not one of its own.
        """
        if self._principal.kind is not PrincipalKind.GATEWAY:
            raise NotPermitted("Only a gateway sees places and people.")
        teams = {seen.team for seen in (call.place, call.person) if seen is not None}
        if not teams <= self._principal.teams:
            raise NotPermitted("A gateway tells of places and people of its own teams alone.")

    def _news(self, session: Session, call: ObserveCall) -> bool:
        """Say whether something seen is not known yet."""
        policy = self._policy(session)
        if call.place is not None:
            before = policy.channels.get((call.place.team, call.place.channel), Channel())
            if _fallen(before, call.place, "") != before:
                return True
        person: SeenPerson | None = call.person
        return person is not None and person.deactivated != ((person.team, person.user) in policy.gone)


def _fallen(before: Channel, seen: SeenPlace, now: str) -> Channel:
    """Return what is known of a channel after it was seen so: it only falls (SC7).

    A guest seen for the first time ends the trust that a manager gave without knowing of guests; trust given anew,
    knowing, outlasts every later sight.
    """
    falls = bool(seen.external) and not before.external
    comes = bool(seen.guests) and not before.guests
    return replace(
        before, external=before.external or bool(seen.external), guests=before.guests or bool(seen.guests),
        trust=None if comes and before.trust is Trust.TRUSTED else before.trust,
        fell_at=now if falls else before.fell_at,
    )  # fmt: skip


def _kept(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: to_kept(name, value) for name, value in values.items()}
