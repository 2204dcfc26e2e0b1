"""What the gateway that runs says of itself: it alone knows what no call of Slack's tells from outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import aiohttp

from sliceway.core.checks import Check
from sliceway.settings import Settings

_SECONDS = 5.0
_COPY = "Copy the Signing Secret of the app's Basic Information to SLACK_SIGNING_SECRET, and restart."
_TAB = "Turn on the Messages tab under App Home in the app's settings, and allow messages there."


async def look_at_gateway(settings: Settings, agent: str | None) -> tuple[Check, ...]:
    """Ask the gateway that runs, and say what cannot be seen where none does.

    :param agent: whose gateway is meant, None where that is not known.
    """
    url = f"http://{settings.server.host}:{settings.server.port}/readyz"
    try:
        timeout = aiohttp.ClientTimeout(total=_SECONDS)
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url) as answer:
            facts = await answer.json()
    except (aiohttp.ContentTypeError, ValueError):
        facts = None
    except (aiohttp.ClientError, TimeoutError):
        nobody = Check("gateway", True, f"No gateway answers at {url}.", "Start it with: sliceway gateway")
        return (nobody, *_unseen(settings, {}))
    if not isinstance(facts, dict) or "ready" not in facts:
        cure = "Set SLICEWAY_SERVER__PORT to a free port, or stop the other program."
        return (Check("gateway", False, f"Another program answers at {url}.", cure), *_unseen(settings, {}))
    if agent is not None and facts.get("agent") not in {None, agent}:
        cure = "Set SLICEWAY_SERVER__PORT to a free port: each agent has a gateway and a port of its own."
        says = f"At {url} answers the gateway of another agent, {facts['agent']}."
        return (Check("gateway", False, says, cure), *_unseen(settings, {}))
    if facts["ready"]:
        gateway = Check("gateway", True, f"The gateway at {url} is ready.")
    else:
        gateway = Check("gateway", False, f"The gateway at {url} is not ready: {facts}.", "Look at its log.")
    return (gateway, *_connections(_part(facts, "socket")), *_unseen(settings, facts))


def _connections(socket: Mapping[str, Any]) -> Iterable[Check]:
    """Say whether the app's events are shared with other connections (R57)."""
    number = socket.get("connections")
    if isinstance(number, int) and number > 1:
        says = f"{number} connections use this SLACK_APP_TOKEN: each gets only a part of what people say and press."
        cure = "Stop the others, unless they are gateways of this agent on one desk (SLICEWAY_STATE__URL)."
        yield Check("connections", False, says, cure)


def _unseen(settings: Settings, facts: Mapping[str, Any]) -> Iterable[Check]:
    """Say what only a running gateway can know, and that it is not known where none was asked."""
    tab = _part(facts, "chat").get("messages_tab")
    if tab == "off":
        says = "Slack refused a direct message of the gateway's: the app's Messages tab is off."
        yield Check("messages_tab", False, says, _TAB)
    elif tab == "on":
        yield Check("messages_tab", True, "The gateway's direct messages arrive.")
    else:
        says = "Whether the Messages tab is on cannot be seen from here, before a gateway sends a direct message."
        hint = f"If people read 'Sending messages to this app has been turned off': {_TAB}"
        yield Check("messages_tab", True, says, hint)
    signed = _part(facts, "signatures")
    good, bad = signed.get("good") or 0, signed.get("bad") or 0
    if bad:
        says = f"{bad} signed requests did not fit the gateway's signing secret, {good} did."
        yield Check("signing_secret", bool(good), says, _COPY)
    elif good:
        yield Check("signing_secret", True, f"The signing secret is the app's: {good} requests fitted it.")
    elif settings.slack.signing_secret is not None:
        says = "Whether the signing secret is the app's cannot be seen from here, before a gateway hears Slack."
        yield Check("signing_secret", True, says, "Say something to the agent while its gateway runs, then look again.")


def _part(facts: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a part of what `/readyz` says, empty where it does not say it."""
    part = facts.get(name)
    return part if isinstance(part, Mapping) else {}
