"""What the doctor says of answers that the local workspace never gives."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from sliceway.core.checks import Check
from sliceway.slack.calls import client_for
from sliceway.slack.doctor import SCOPES, SlackDoctor, skew
from sliceway.web.serving import bound, port_of, served

MANIFEST = Path(__file__).parents[3] / "config" / "slack-manifest.yaml"
NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


class Answers:
    """What `auth.test` answers next."""

    def __init__(self) -> None:
        self.scopes = ",".join(SCOPES)
        self.date = NOW
        self.body = {
            "ok": True,
            "team_id": "T1",
            "team": "One",
            "user_id": "U1",
            "user": "bot",
            "bot_id": "B1",
            "app_id": "A1",
        }

    async def answer(self, request: web.Request) -> web.Response:
        headers = {"x-oauth-scopes": self.scopes, "Date": format_datetime(self.date, usegmt=True)}
        return web.json_response(self.body, headers=headers)

    async def open(self, request: web.Request) -> web.Response:
        return web.json_response({"ok": True, "url": "ws://nobody.goes.there"})


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
async def doctor(answers: Answers) -> AsyncIterator[SlackDoctor]:
    """A doctor whose Slack answers as the test says, at a quarter past nine."""
    app = web.Application()
    app.router.add_post("/api/auth.test", answers.answer)
    app.router.add_post("/api/apps.connections.open", answers.open)
    listener = bound(0)
    async with served(app, listener), aiohttp.ClientSession() as session:
        client = client_for("xoxb-1", f"http://127.0.0.1:{port_of(listener)}/api/", session)
        yield SlackDoctor(client, as_person=False, clock=lambda: NOW)


async def checks_of(doctor: SlackDoctor) -> dict[str, Check]:
    """Return the checks of the token by name."""
    return {check.name: check for check in (await doctor.token())[1]}


def test_the_scopes_are_those_of_the_manifest() -> None:
    """What the doctor wants is what the manifest asks for."""
    block = MANIFEST.read_text().partition("    bot:\n")[2].partition("settings:")[0]
    assert tuple(re.findall(r"- (\S+)", block)) == SCOPES


async def test_a_missing_scope_is_named(doctor: SlackDoctor, answers: Answers) -> None:
    """A token without a scope of the manifest is named with it, and the cure is the manifest."""
    answers.scopes = ",".join(scope for scope in SCOPES if scope != "users:read")
    check = (await checks_of(doctor))["scopes"]
    assert (check.ok, check.says) == (False, "The token lacks users:read.")
    assert "manifest" in check.cure


async def test_a_clock_that_is_off_is_named(doctor: SlackDoctor, answers: Answers) -> None:
    """The `Date` of Slack's answer is held against this clock."""
    assert (await checks_of(doctor))["clock"].ok
    answers.date = datetime(2026, 5, 4, 9, 20, tzinfo=UTC)
    check = (await checks_of(doctor))["clock"]
    assert (check.ok, check.says) == (False, "This clock is 600 s ahead of Slack's.")
    assert not skew(-61.0).ok


async def test_a_persons_token_where_the_bots_belongs_is_named(doctor: SlackDoctor, answers: Answers) -> None:
    """A token that posts as a person, under the bot's name, is the wrong kind; so is one that Slack refuses as such."""
    answers.body = {name: value for name, value in answers.body.items() if name != "bot_id"}
    check = (await checks_of(doctor))["token"]
    assert (check.ok, "of a person" in check.says) == (False, True)
    answers.body = {"ok": False, "error": "not_allowed_token_type"}
    check = (await checks_of(doctor))["token"]
    assert (check.ok, "xoxb-" in check.cure) == (False, True)


async def test_an_app_token_of_another_app_is_named(doctor: SlackDoctor) -> None:
    """Tokens of two apps, each good by itself, would hear of one and speak as the other."""
    account, _ = await doctor.token()
    check = await doctor.socket("xapp-1-A2-1-x", account)
    assert (check.ok, check.says) == (False, "The app-level token is of app A2, the token that posts of app A1.")
    assert "one app" in check.cure
    assert (await doctor.socket("xapp-1-A1-1-x", account)).ok
    assert (await doctor.socket("xapp-of-another-form", account)).ok
