"""Response URLs: where Slack takes what a pressed message becomes, for half an hour and five times, without a token."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from sliceway.errors import ChatError
from sliceway.slack.calls import DEADLINE, is_direct

_WHAT = "a response URL"
_HOSTS = ("hooks.slack.com", "hooks.slack-gov.com")


async def answer(client: AsyncWebClient, url: str, body: Mapping[str, Any]) -> None:
    """Post an answer to a response URL, on the client's own session.

    :raises ChatError: `not_ours` where the address is neither Slack's nor of where the Web API is; `expired_url` or
        `used_url` and the like where Slack takes nothing there any more; or it could not be reached.
    """
    if not _is_slacks(url, client.base_url):
        raise ChatError(f"{_WHAT}: its host is not Slack's; nothing was sent there.", reason="not_ours")
    hook = AsyncWebhookClient(url, session=client.session, retry_handlers=[], proxy=client.proxy)
    if is_direct(url):
        hook.proxy = None
    try:
        async with asyncio.timeout(DEADLINE):
            said = await hook.send_dict(dict(body))
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise ChatError(f"{_WHAT}: Slack cannot be reached ({type(error).__name__}).", reason="unreachable") from error
    if said.status_code != 200:
        raise ChatError(f"{_WHAT}: Slack answered {said.status_code}.", reason=f"http_{said.status_code}")


def _is_slacks(url: str, api_url: str) -> bool:
    """Say whether an address is one of Slack's, or of the same place as the Web API that is used."""
    given, api = urlsplit(url), urlsplit(api_url)
    if (given.scheme, given.netloc) == (api.scheme, api.netloc):
        return True
    return given.scheme == "https" and given.hostname in _HOSTS and given.port in (None, 443)
