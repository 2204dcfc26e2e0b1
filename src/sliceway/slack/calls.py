"""One call of Slack's Web API: its client, its deadline, and its failures in the product's own words."""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import Awaitable, Mapping
from typing import Any
from urllib.parse import urlsplit
from urllib.request import proxy_bypass

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from sliceway.errors import ChatError

DEADLINE = 15.0
"""Seconds that one call may take."""
UNREACHED = 2.0
"""Seconds after which what was not reached may be tried again."""
_CURES = {
    "invalid_auth": "the token is not valid; check SLACK_BOT_TOKEN",
    "not_authed": "no token was sent; set SLACK_BOT_TOKEN",
    "account_inactive": "the token's account is deactivated; install the app again",
    "token_revoked": "the token was revoked; install the app again and set the new one",
    "token_expired": "the token has expired; set the new one",
    "missing_scope": "the app lacks a scope; compare it with config/slack-manifest.yaml and install it again",
    "not_in_channel": "the agent is not in that channel; invite it there",
    "channel_not_found": "there is no such channel for the agent",
    "is_archived": "the channel is archived",
    "messages_tab_disabled": "direct messages to the app are off; turn on its Messages tab",
    "expired_trigger_id": "the click was too long ago; please click again",
    "ratelimited": "Slack asks to slow down",
}


def client_for(token: str, api_url: str, session: aiohttp.ClientSession) -> AsyncWebClient:
    """Return a client on a shared session (T18) that retries nothing by itself (T11), with no proxy between it and a
    host that is this machine or that NO_PROXY names (T15)."""
    client = AsyncWebClient(token=token, base_url=api_url, session=session, retry_handlers=[])
    if is_direct(api_url):
        client.proxy = None
    return client


def is_direct(url: str) -> bool:
    """Say whether no proxy may stand before an address: this machine, or a host that NO_PROXY names (T15)."""
    host = urlsplit(url).hostname or ""
    return is_loopback(host) or bool(proxy_bypass(host))


def is_loopback(host: str) -> bool:
    """Say whether a host name or address is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


async def call(answer: Awaitable[AsyncSlackResponse], what: str, *, changes: bool = False) -> Mapping[str, Any]:
    """Return what a method answered.

    :param what: the method's name, for the error.
    :param changes: the method changes something, so that without an answer it may have happened.
    :raises ChatError: Slack refused, could not be reached, or did not answer.
    """
    try:
        async with asyncio.timeout(DEADLINE):
            response = await answer
    except SlackApiError as error:
        raise _refusal(error, what, changes=changes) from error
    except aiohttp.ClientConnectorError as error:
        said = f"{what}: Slack cannot be reached ({error})."
        raise ChatError(said, reason="unreachable", retry_after=UNREACHED) from error
    except (aiohttp.ClientError, OSError, TimeoutError, SlackClientError, json.JSONDecodeError) as error:
        said = str(error) or type(error).__name__
        raise ChatError(
            f"{what}: no answer came from Slack ({said}).", reason="no_answer", ambiguous=changes
        ) from error
    data = response.data
    return data if isinstance(data, dict) else {}


def _refusal(error: SlackApiError, what: str, *, changes: bool) -> ChatError:
    """Return a refusal of Slack's in our words: its own code as reason, when to try again where it says so (T12)."""
    response = error.response
    data = response.data if isinstance(response, AsyncSlackResponse) else None
    status = response.status_code if isinstance(response, AsyncSlackResponse) else getattr(response, "status", 0)
    code = str(data["error"]) if isinstance(data, Mapping) and data.get("error") else ""
    if status == 429 or code == "ratelimited":
        wait = _seconds(response.headers.get("Retry-After"))
        return ChatError(f"{what}: {_CURES['ratelimited']}.", reason="ratelimited", retry_after=wait)
    if not code:
        return ChatError(f"{what}: Slack answered {status} without words.", reason=f"http_{status}", ambiguous=changes)
    unsure = changes and (status >= 500 or code in {"internal_error", "fatal_error"})
    return ChatError(f"{what}: {_CURES.get(code, code)}.", reason=code, ambiguous=unsure)


def _seconds(text: object) -> float:
    """Return a `Retry-After` in seconds; one where it cannot be read."""
    try:
        return max(0.0, float(str(text)))
    except ValueError:
        return 1.0
