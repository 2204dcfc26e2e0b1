"""The doctor: it looks at settings, plugins, store, desk, Slack and the running gateway, and changes nothing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from sliceway.brain.local import SCRIPTS as STORE_SCRIPTS
from sliceway.core.checks import Check
from sliceway.core.policy import Policy, approvers_of
from sliceway.core.principals import Principal
from sliceway.core.slices import SHARED
from sliceway.errors import SlicewayError
from sliceway.flows.presence import others_there
from sliceway.plugins import list_plugins
from sliceway.ports import Desk
from sliceway.settings import Settings, sqlite_file
from sliceway.slack.calls import client_for
from sliceway.slack.doctor import Account, SlackDoctor
from sliceway.store.desk import SCRIPTS as DESK_SCRIPTS
from sliceway.store.desk import open_desk
from sliceway.store.doctor import examine_file, is_current
from sliceway.store.last_run import last_agents
from sliceway.wiring import now, open_store

_SECONDS = 5.0


async def examine(settings: Settings, who: Principal) -> AsyncIterator[Check]:
    """Look at one part after another; what depends on something broken is left out.

    :param who: whom the store is entered as, to read its policy.
    """
    yield Check("settings", True, "Every setting is known and has a value of the right kind.")
    for check in (*_plugins(settings), *_slack_settings(settings)):
        yield check
    if settings.brain.url is not None:
        says = f"brain.url is {settings.brain.url}, and the gateway of this version uses a store of its own."
        yield Check("brain_url", False, says, "Unset SLICEWAY_BRAIN__URL and its token; name a file with store.url.")
    store = await asyncio.to_thread(_store, settings)
    for check in store:
        yield check
    policy = await _policy(settings, who) if all(check.ok for check in store) else None
    account: Account | None = None
    if settings.slack.posting_token is not None:
        async with aiohttp.ClientSession() as session:
            chat = _chat(settings, session)
            account, checks = await chat.token()
            for check in checks:
                yield check
            if account is not None:
                if settings.approvals.channel is not None:
                    yield await chat.channel(settings.approvals.channel)
                judged = policy if policy is not None else Policy(**settings.policy_values())
                yield await chat.approvers(account.team, approvers_of(judged, SHARED), judged.teams)
    agent = settings.agent_id or (account.user if account is not None else None)
    if agent is not None:
        yield _identity(settings, agent, account)
        for check in await asyncio.to_thread(_desk_file, settings, agent):
            yield check
        yield await _processes(settings, agent)
    for check in await _running(settings):
        yield check


def _plugins(settings: Settings) -> Iterable[Check]:
    """Say of each plugin whether it runs."""
    for entry in list_plugins(settings.plugins):
        if entry.problem is not None:
            yield Check(f"plugin {entry.name}", False, entry.problem, "See `sliceway plugins check`.")
        elif not entry.enabled:
            cure = f"Add {entry.name} to SLICEWAY_PLUGINS__ENABLED if it is meant to run."
            yield Check(f"plugin {entry.name}", True, f"{entry.distribution} is found and not enabled.", cure)


def _slack_settings(settings: Settings) -> Iterable[Check]:
    """Say what a gateway on Slack would lack."""
    slack = settings.slack
    if slack.posting_token is None:
        cure = "Set SLACK_BOT_TOKEN to the xoxb- token of the installed app. To try it without Slack: sliceway demo."
        yield Check("token", False, "No token is set, so a gateway could not post.", cure)
    if slack.app_token is None and slack.signing_secret is None:
        cure = "Set SLACK_SIGNING_SECRET (the app's Basic Information), or SLACK_APP_TOKEN for Socket Mode."
        yield Check("signing_secret", False, "Neither a signing secret nor an app token is set.", cure)
    if slack.client_id is not None or os.environ.get("SLACK_CLIENT_ID"):
        says = "SLACK_CLIENT_ID is set. It is not used: the app is installed by its token, not by OAuth."
        yield Check("client_id", True, says, "Unset SLACK_CLIENT_ID, so that no other tool takes it for an OAuth app.")


async def _policy(settings: Settings, who: Principal) -> Policy | None:
    """Return the policy as it will stand after the next start; None where there is no store yet or it does not open."""
    if settings.brain.url is not None or not await asyncio.to_thread(is_current, settings.store_url, STORE_SCRIPTS):
        return None
    try:
        async with await open_store(settings) as door:
            kept = await door.enter(who).policy()
    except SlicewayError:
        return None
    set_here: dict[str, Any] = settings.policy_values()
    return Policy(**{**{name: getattr(kept, name) for name in Policy.__dataclass_fields__}, **set_here})


def _identity(settings: Settings, agent: str, account: Account | None) -> Check:
    """Say who the agent is, and whether it was another at the last run (ID12)."""
    source = "set by SLICEWAY_AGENT_ID" if settings.agent_id is not None else "the bot's own id on Slack"
    says = f"The agent is {agent} ({source})."
    file = sqlite_file(settings.store_url) or Path()
    was = last_agents(file).get(account.key) if account is not None else None
    if was is None or was == agent:
        return Check("identity", True, says)
    cure = f"Set SLICEWAY_AGENT_ID={was} to go on with that mind; leave it, and the agent begins with an empty one."
    return Check("identity", False, f"{says} At the last run it was {was}.", cure)


async def _processes(settings: Settings, agent: str) -> Check:
    """Say how many gateways of this agent work on its desk."""
    try:
        async with _desk(settings, agent) as desk:
            several = desk is not None and await others_there(desk) > 1
    except SlicewayError as error:
        return Check("processes", True, f"It cannot be seen whether several gateways run: {error.detail}")
    if not several:
        return Check("processes", True, "No two gateways of this agent work on one desk.")
    cure = "Stop one if that is not meant. It works: they share the work, and each event reaches one of them."
    return Check("processes", False, "Two gateways of this agent work on the same desk.", cure)


async def _running(settings: Settings) -> tuple[Check, ...]:
    """Ask the gateway that runs what it says of itself, and whether what it hears is signed with its secret."""
    url = f"http://{settings.server.host}:{settings.server.port}/readyz"
    try:
        timeout = aiohttp.ClientTimeout(total=_SECONDS)
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as answer:
            facts = await answer.json()
    except (aiohttp.ContentTypeError, ValueError):
        facts = None
    except (aiohttp.ClientError, TimeoutError):
        return (Check("gateway", True, f"No gateway answers at {url}.", "Start it with: sliceway gateway"),)
    if not isinstance(facts, dict) or "ready" not in facts:
        cure = "Set SLICEWAY_SERVER__PORT to a free port, or stop the other program."
        return (Check("gateway", False, f"Another program answers at {url}.", cure),)
    ready, signed = bool(facts.get("ready")), facts.get("signatures") or {}
    found = [Check("gateway", ready, f"The gateway at {url} is {'' if ready else 'not '}ready.")]
    if not ready:
        found = [Check("gateway", False, f"The gateway at {url} is not ready: {facts}.", "Look at its log.")]
    if signed.get("bad"):
        says = f"{signed['bad']} signed requests did not fit the gateway's signing secret, {signed.get('good', 0)} did."
        cure = "Copy the Signing Secret of the app's Basic Information to SLACK_SIGNING_SECRET, and restart."
        found.append(Check("signing_secret", bool(signed.get("good")), says, cure))
    return tuple(found)


def _store(settings: Settings) -> tuple[Check, ...]:
    """Look at the store without changing it. Call it off the event loop."""
    return examine_file("store", settings.store_url, STORE_SCRIPTS)


def _desk_file(settings: Settings, agent: str) -> tuple[Check, ...]:
    """Look at an agent's desk without changing it. Call it off the event loop."""
    return examine_file("desk", settings.desk_url(agent), DESK_SCRIPTS)


@asynccontextmanager
async def _desk(settings: Settings, agent: str) -> AsyncIterator[Desk | None]:
    """Open an agent's desk while the context is open; None where there is none yet.

    :raises StoreUnavailable: it cannot be used.
    """
    if not await asyncio.to_thread(is_current, settings.desk_url(agent), DESK_SCRIPTS):
        yield None
        return
    desk = await open_desk(settings.desk_url(agent), clock=now)
    try:
        yield desk
    finally:
        await desk.close()


def _chat(settings: Settings, session: aiohttp.ClientSession) -> SlackDoctor:
    """Return what looks at the app from Slack's side, with the token that posts."""
    token = settings.slack.posting_token or ""
    client = client_for(token, settings.slack.api_url, session)
    return SlackDoctor(client, as_person=settings.slack.user_token is not None, clock=now)
