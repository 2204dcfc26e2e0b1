"""What a brain elsewhere answers: whether it is reached, takes the token, speaks this contract and knows the time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import aiohttp

from sliceway.core.checks import Check
from sliceway.core.policy import Policy
from sliceway.errors import Forbidden, SlicewayError, Unauthorized, Unavailable
from sliceway.ports import WhoAmI
from sliceway.server.openapi import CONTRACT
from sliceway.settings import Settings
from sliceway.settings.values import is_loopback
from sliceway.wiring.doors import open_door
from sliceway.wiring.fresh import now

MOST_SKEW_S = 30.0
"""Seconds that this clock may be off the brain's: claims on cards and the times shown on them are compared."""
NAME_THERE = (
    "Name full members of the team where the brain's store is: sliceway policy set managers U012AB3CD (or TEAM:USER), "
    "or SLICEWAY_POLICY__MANAGERS of its server."
)
"""How somebody is named who decides, at a brain elsewhere."""
_SECONDS = 5.0
_START = "Start it there with `sliceway brain serve`, or correct SLICEWAY_BRAIN__URL; check the network and its proxy."
_ANOTHER = (
    "It is wrong, was revoked or rotated, or its time is over: set SLICEWAY_BRAIN__TOKEN to a good one. Where the "
    "store is, `sliceway token list` shows them."
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found, who the token is there, and the policy; None where that was not told."""

    checks: tuple[Check, ...]
    who: WhoAmI | None = None
    policy: Policy | None = None


async def look_at_brain(settings: Settings) -> Seen:
    """Look at the brain that the settings name, with their token."""
    url = settings.brain.url or ""
    try:
        async with await open_door(settings) as door:
            brain = door.enter()
            who = await brain.whoami()
            try:
                policy = await brain.policy()
            except Forbidden:  # a reader's; that it is no gateway's is told of its kind
                policy = None
    except Unauthorized:
        return Seen((Check("brain", False, f"The brain at {url} does not take the token.", _ANOTHER),))
    except Unavailable as error:
        return Seen((Check("brain", False, error.detail, _START),))
    except SlicewayError as error:
        return Seen((Check("brain", False, error.detail, "Correct SLICEWAY_BRAIN__URL and SLICEWAY_BRAIN__TOKEN."),))
    reached = Check("brain", True, f"The brain at {url} answers and takes the token.")
    return Seen((reached, *await _described(url)), who, policy)


async def _described(url: str) -> tuple[Check, ...]:
    """Compare the contract that the server describes with this program's, and its clock with this one's."""
    timeout = aiohttp.ClientTimeout(total=_SECONDS)
    away = not is_loopback(urlsplit(url).hostname)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, trust_env=away) as session,
            session.get(f"{url.rstrip('/')}/openapi.json") as answer,
        ):
            told, date = await answer.json(), answer.headers.get("Date", "")
        version = str(told["info"]["version"])
    except (aiohttp.ClientError, TimeoutError, ValueError, KeyError, TypeError):
        says = "The brain's server does not describe its calls at /openapi.json."
        return (Check("brain_version", False, says, "Let /openapi.json through the proxy in front of it."),)
    same = version == CONTRACT
    says = f"The brain's server speaks version {version} of the contract" + ("." if same else f", this one {CONTRACT}.")
    return (Check("brain_version", same, says, "" if same else "Upgrade the older of the two."), *_clock(date))


def _clock(date: str) -> Iterable[Check]:
    """Compare this clock with the brain's, where it said what time it is."""
    try:
        theirs = parsedate_to_datetime(date)
    except ValueError:
        return
    yield skew((now() - (theirs if theirs.tzinfo else theirs.replace(tzinfo=UTC))).total_seconds())


def skew(off_s: float) -> Check:
    """Judge how far this machine's clock is from the brain's, in seconds; ahead is positive."""
    if abs(off_s) <= MOST_SKEW_S:
        return Check("brain_clock", True, "This clock and the brain's agree.")
    says = f"This clock is {abs(off_s):.0f} s {'ahead of' if off_s > 0 else 'behind'} the brain's."
    return Check("brain_clock", False, says, "Set both clocks by NTP: cards are claimed and expire by them.")


def teams_named(policy: Policy | None, team: str | None) -> Iterable[Check]:
    """Say whether the brain's policy knows the workspace of the chat account."""
    if policy is None or team is None:
        return
    if team in policy.teams:
        yield Check("brain_teams", True, f"The brain's policy knows workspace {team}.")
        return
    cure = f"Where the store is: sliceway policy set teams {','.join(sorted({*policy.teams, team}))}"
    says = f"The brain's policy does not name workspace {team}: its people count as outsiders."
    yield Check("brain_teams", False, says, cure)
