"""What a gateway's token for a brain elsewhere is good for, before anything is done with it (BR2, AP7, ID1-ID6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sliceway.core.checks import Check
from sliceway.core.principals import PrincipalKind
from sliceway.ports import WhoAmI

_TEAM = "TEAM"
_IF = "Make one that does, where the brain's store is, if that is not meant."


def token_checks(who: WhoAmI, *, agent: str | None, team: str | None) -> Iterable[Check]:
    """Judge a token by what the brain says of it. A check that is not ok stops a gateway; one that is ok and has a cure
    says what will not work.

    :param who: the answer to `whoami`. :param agent: the agent's id as it was learned here, None where it is not known.
    :param team: the workspace of the chat account, None where it is not known.
    """
    rights = who.principal
    kind, its_agent = rights.get("kind"), rights.get("agent")
    if kind != PrincipalKind.GATEWAY:
        says = f"The token is of kind {kind}, and a gateway shows one of kind gateway."
        yield Check("brain_token", False, says, _make(agent or "ID", team or _TEAM))
        return
    yield Check("brain_token", True, f"The token {rights.get('token_id')} is a gateway's, for agent {its_agent}.")
    if agent is not None and its_agent != agent:
        says = f"This gateway's agent is {agent}, and the token is of agent {its_agent}."
        cure = f"Set SLICEWAY_AGENT_ID={its_agent} if that agent is meant. Else: {_make(agent, team or _TEAM)}"
        yield Check("brain_agent", False, says, cure)
    teams = rights.get("teams") or []
    if team is not None and team not in teams:
        names = ", ".join(teams) or "no workspace"
        says = f"The chat account is of workspace {team}, and the token speaks for people of {names}."
        yield Check("brain_team", False, says, _make(str(its_agent), team))
    yield from _rights(rights)


def _rights(rights: dict[str, Any]) -> Iterable[Check]:
    """Say what a gateway without one of the rights does not do."""
    if not rights.get("acts_for"):
        says = (
            "The token does not act for people (--acts-for): nothing that a person asks for is written, and they are "
            "answered from `public` alone."
        )
        yield Check("brain_rights", True, says, _IF)
    if not rights.get("decides"):
        says = (
            "The token relays no decisions (--decides): this gateway posts no cards, and clicks on cards count for "
            "nothing here. A gateway whose token does posts them, in its approvals.channel."
        )
        yield Check("brain_rights", True, says, _IF)
    if rights.get("acts_for") and rights.get("decides"):
        yield Check("brain_rights", True, "The token acts for people and relays their decisions.")


def _make(agent: str, team: str) -> str:
    """Return how a token is made that would do."""
    verb = f"sliceway token create --kind gateway --agent {agent} --teams {team} --acts-for --decides"
    return f"Where the brain's store is, run `{verb}`, and set SLICEWAY_BRAIN__TOKEN to what it prints."
