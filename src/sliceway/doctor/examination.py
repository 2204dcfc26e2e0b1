"""One part after another, as an operator would look at them; nothing is changed by looking."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import aiohttp

from sliceway.brain.local import SCRIPTS as STORE_SCRIPTS
from sliceway.brain.local import look_local
from sliceway.core.checks import Check
from sliceway.core.policy import Policy, approvers_of
from sliceway.core.principals import Principal
from sliceway.core.slices import PUBLIC, SHARED
from sliceway.doctor.elsewhere import NAME_THERE, look_at_brain, teams_named
from sliceway.doctor.gateway import look_at_gateway
from sliceway.doctor.model import look_at_model
from sliceway.errors import PluginError, SettingsError, SlicewayError
from sliceway.flows.admission import token_checks
from sliceway.flows.presence import others_there
from sliceway.plugins import list_plugins, load_plugins
from sliceway.ports import Desk, WhoAmI
from sliceway.settings import Found, Settings
from sliceway.slack.calls import client_for
from sliceway.slack.doctor import Account, SlackDoctor
from sliceway.store.desk import SCRIPTS as DESK_SCRIPTS
from sliceway.store.desk import look_at_desk
from sliceway.store.doctor import examine_desk, examine_store, is_current
from sliceway.store.last_run import last_agents
from sliceway.wiring.fresh import new_id, now

_CORRECT = "Correct it where it is set: in the environment, or in the file. config/sliceway.toml lists every key."
_DECISIONS = (
    ("approvers", SHARED, "what is for `shared`"),
    ("managers", PUBLIC, "what is for `public`, and which channels are trusted"),
)
"""What is looked at of those who decide: the check's name, the slice, and what they decide about."""


async def examine(found: Found, who: Principal) -> AsyncIterator[Check]:
    """Look at one part after another; what hangs on a setting that is wrong, or on a part that is down, is left out,
    and nothing else.

    :param who: whom the store is entered as, to read its policy.
    """
    settings = found.settings
    for problem in found.problems:
        yield Check("settings", False, f"{problem.field}: {problem.detail}", _CORRECT)
    if not found.problems:
        yield Check("settings", True, "Every setting is known and has a value of the right kind.")
    for check in (*_plugins(found), *_slack_settings(found)):
        yield check
    policy: Policy | None = None
    elsewhere = settings.brain.url is not None
    who_am_i: WhoAmI | None = None
    if elsewhere:
        if found.knows("brain.url", "brain.token"):
            seen = await look_at_brain(settings)
            who_am_i, policy = seen.who, seen.policy
            for check in seen.checks:
                yield check
    elif found.knows("store.url"):
        maintenance = settings.store.maintenance_url if found.knows("store.maintenance_url") else None
        look = partial(examine_store, "store", settings.store_url, STORE_SCRIPTS, maintenance=maintenance)
        store = await asyncio.to_thread(look)
        for check in store:
            yield check
        serves = all(check.ok for check in store if check.name != "store_maintenance")
        policy = await _policy(settings, who) if serves else None
        if found.knows("embed.model", "embed.url", "embed.key"):
            yield await look_at_model(settings.embed)
    account: Account | None = None
    if found.knows("slack.api_url"):
        async with aiohttp.ClientSession() as session:
            chat = _chat(settings, session)
            if settings.slack.posting_token is not None:
                account, checks = await chat.token()
                for check in checks:
                    yield check
            if settings.slack.app_token is not None:
                yield await chat.socket(settings.slack.app_token.get_secret_value(), account)
            if account is not None:
                async for check in _people(found, chat, account, policy, elsewhere=elsewhere):
                    yield check
    agent = settings.agent_id or (account.user if account is not None else None)
    agent = agent if found.knows("agent_id") else None
    if agent is not None and found.knows("store.url", "state.url"):
        yield _identity(settings, agent, account)
        if who_am_i is not None:
            team = account.team if account is not None else None
            for check in (*token_checks(who_am_i, agent=agent, team=team), *teams_named(policy, team)):
                yield check
        for check in await asyncio.to_thread(examine_desk, settings.desk_url(agent), agent, DESK_SCRIPTS):
            yield check
        yield await _processes(settings, agent)
    if found.knows("server.host", "server.port"):
        for check in await look_at_gateway(settings, agent):
            yield check


def _plugins(found: Found) -> Iterable[Check]:
    """Say of each plugin whether it runs, and whether they give the gateway what it needs."""
    if not found.knows("plugins.enabled"):
        return
    settings, cure = found.settings.plugins, "See `sliceway plugins check`."
    entries = list_plugins(settings)
    for entry in entries:
        if entry.problem is not None:
            yield Check(f"plugin {entry.name}", False, entry.problem, cure)
        elif not entry.enabled:
            enable = f"Add {entry.name} to SLICEWAY_PLUGINS__ENABLED if it is meant to run."
            yield Check(f"plugin {entry.name}", True, f"{entry.distribution} is found and not enabled.", enable)
    if any(entry.problem is not None for entry in entries):
        return
    try:
        load_plugins(settings).make_agent()
    except SettingsError:
        return  # told of the plugin that they are of
    except PluginError as error:
        for line in error.detail.splitlines():
            yield Check("plugins", False, line, cure)


def _slack_settings(found: Found) -> Iterable[Check]:
    """Say what a gateway on Slack would lack, and by which way events come."""
    slack = found.settings.slack
    posts = found.knows("slack.bot_token", "slack.user_token")
    if slack.posting_token is None and posts:
        cure = "Set SLACK_BOT_TOKEN to the xoxb- token of the installed app. To try it without Slack: sliceway demo."
        yield Check("token", False, "No token is set, so a gateway could not post.", cure)
    if slack.app_token is not None:
        also = ", and signed requests are taken too" if slack.signing_secret is not None else ""
        hint = "Turn on Socket Mode in the app's settings: with it off nothing comes this way."
        yield Check("way_in", True, f"With SLACK_APP_TOKEN the gateway connects by Socket Mode{also}.", hint)
    elif slack.signing_secret is not None:
        says = "Without SLACK_APP_TOKEN Slack has to reach the gateway's /slack/events over HTTP."
        hint = "Turn off Socket Mode in the app's settings and set its request URLs, or set SLACK_APP_TOKEN (xapp-…)."
        yield Check("way_in", True, says, hint)
    elif found.knows("slack.app_token", "slack.signing_secret"):
        cure = "Set SLACK_SIGNING_SECRET (the app's Basic Information), or SLACK_APP_TOKEN for Socket Mode."
        yield Check("signing_secret", False, "Neither a signing secret nor an app token is set.", cure)
    if slack.client_id is not None or os.environ.get("SLACK_CLIENT_ID"):
        says = "SLACK_CLIENT_ID is set. It is not used: the app is installed by its token, not by OAuth."
        yield Check("client_id", True, says, "Unset SLACK_CLIENT_ID, so that no other tool takes it for an OAuth app.")


async def _people(
    found: Found, chat: SlackDoctor, account: Account, policy: Policy | None, *, elsewhere: bool
) -> AsyncIterator[Check]:
    """Say where cards go, and whether there is somebody to decide about each kind of them."""
    settings = found.settings
    if settings.approvals.channel is not None:
        yield await chat.channel(settings.approvals.channel)
    if not found.knows("store.url", "policy.managers", "policy.approvers", "policy.teams"):
        return
    if policy is None and elsewhere:
        return  # who decides there is not known here
    judged = policy if policy is not None else Policy(**settings.policy_values())
    for name, slice_name, what in _DECISIONS:
        check = await chat.deciders(name, what, account.team, approvers_of(judged, slice_name), judged.teams)
        yield replace(check, cure=NAME_THERE) if elsewhere and not check.ok else check


async def _policy(settings: Settings, who: Principal) -> Policy | None:
    """Return the policy as it will stand after the next start; None where there is no store yet or it does not open."""
    if not await asyncio.to_thread(is_current, settings.store_url, STORE_SCRIPTS):
        return None
    try:
        async with await look_local(settings.store_url, clock=now, new_id=new_id) as door:
            kept = await door.enter(who).policy()
    except SlicewayError:
        return None
    set_here: dict[str, Any] = settings.policy_values()
    return Policy(**{**{name: getattr(kept, name) for name in Policy.__dataclass_fields__}, **set_here})


def _identity(settings: Settings, agent: str, account: Account | None) -> Check:
    """Say who the agent is, and whether it was another at the last run (ID12)."""
    source = "set by SLICEWAY_AGENT_ID" if settings.agent_id is not None else "the bot's own id on Slack"
    says = f"The agent is {agent} ({source})."
    here = settings.brain.url is None  # elsewhere the token is of one agent, which cannot change unseen
    was = last_agents(settings.store_file).get(account.key) if here and account is not None else None
    if was is None or was == agent:
        return Check("identity", True, says)
    cure = (
        f"Have {agent} go on with that mind: sliceway agent rename {was} {agent} (first with --dry-run); or set "
        f"SLICEWAY_AGENT_ID={was} to stay {was}. Leave it, and the agent begins with an empty mind."
    )
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


@asynccontextmanager
async def _desk(settings: Settings, agent: str) -> AsyncIterator[Desk | None]:
    """Look at an agent's desk while the context is open; None where there is none yet.

    :raises StoreUnavailable: it cannot be read.
    """
    if not await asyncio.to_thread(is_current, settings.desk_url(agent), DESK_SCRIPTS, desk_of=agent):
        yield None
        return
    desk = await look_at_desk(settings.desk_url(agent), clock=now, agent=agent)
    try:
        yield desk
    finally:
        await desk.close()


def _chat(settings: Settings, session: aiohttp.ClientSession) -> SlackDoctor:
    """Return what looks at the app from Slack's side, with the token that posts."""
    token = settings.slack.posting_token or ""
    client = client_for(token, settings.slack.api_url, session)
    return SlackDoctor(client, as_person=settings.slack.user_token is not None, clock=now)
