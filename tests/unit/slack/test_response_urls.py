"""Answers to response URLs go to Slack and nowhere else."""

from __future__ import annotations

import aiohttp
import pytest

from sliceway.core.cards import Message
from sliceway.errors import ChatError
from sliceway.slack.calls import client_for
from sliceway.slack.chat import SlackChat
from tests.e2e.slack_side import slack_side


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/actions/T/1/x",
        "http://hooks.slack.com/actions/T/1/x",
        "https://hooks.slack.com:8443/x",
        "https://hooks.slack.com.evil.example/x",
        "http://127.0.0.1:1/x",
        "",
    ],
)
async def test_nothing_is_sent_to_an_address_that_is_not_slacks(url: str) -> None:
    """An address of another host, port or scheme is refused before anything is sent."""
    async with aiohttp.ClientSession() as session:
        chat = SlackChat(client_for("xoxb-1", "https://slack.com/api/", session))
        with pytest.raises(ChatError) as caught:
            await chat.put_anew(url, Message("hello"))
    assert caught.value.reason == "not_ours"


async def test_an_address_that_holds_no_more_is_a_refusal_in_words() -> None:
    """What Slack does not take is a chat error with its status, not a silent loss."""
    async with slack_side("http") as side:
        with pytest.raises(ChatError) as caught:
            await side.chat.put_anew(f"{side.slack.workspace.url}/response/unknown", Message("hello"))
    assert caught.value.reason == "http_404"
