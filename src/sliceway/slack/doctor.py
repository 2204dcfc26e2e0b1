"""Looking at an app from Slack's side: its token, scopes, clock, channel and the people who may decide."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from sliceway.core.checks import Check
from sliceway.core.turns import Standing
from sliceway.errors import ChatError
from sliceway.ports.time import Clock
from sliceway.slack.calls import call
from sliceway.slack.people import facts_of, part_of, text_of
from sliceway.slack.socket_mode import SOCKET_CURES

SCOPES = (
    "app_mentions:read", "channels:history", "channels:read", "chat:write", "commands", "groups:history", "groups:read",
    "im:history", "im:read", "im:write", "mpim:history", "mpim:read", "users:read",
)  # fmt: skip
"""What the bot's token has to be allowed, as in `config/slack-manifest.yaml`."""
MOST_SKEW_S = 60.0
"""Seconds that this clock may differ from Slack's; from 300 on, Slack's own requests are refused as too old."""
_REINSTALL = "Compare the app with config/slack-manifest.yaml, add what is missing and install it again."


@dataclass(frozen=True, slots=True)
class Account:
    """Whom a token speaks for: the team, the user it posts as, and the app where Slack tells it."""

    team: str
    user: str
    app: str

    @property
    def key(self) -> str:
        """What its last run is remembered by."""
        return f"{self.team}/{self.app}"


class SlackDoctor:
    """Asks Slack, changes nothing, and posts nothing."""

    def __init__(self, client: AsyncWebClient, *, as_person: bool, clock: Clock) -> None:
        """Take the client with the token that posts, and whether that token is a person's."""
        self._client, self._as_person, self._clock = client, as_person, clock
        self._people: dict[str, Mapping[str, Any]] = {}

    async def token(self) -> tuple[Account | None, tuple[Check, ...]]:
        """Return whose the token is, None where Slack did not say, and what is to say of it."""
        heard: list[AsyncSlackResponse] = []

        async def ask() -> AsyncSlackResponse:
            heard.append(await self._client.auth_test())
            return heard[0]

        try:
            said = await call(ask(), "auth.test")
        except ChatError as error:
            refused = error.__cause__.response if isinstance(error.__cause__, SlackApiError) else None
            clock = self._skew(getattr(refused, "headers", None) or {})
            return None, (Check("token", False, error.detail, _token_cure(error.reason)), *clock)
        headers, bot = heard[0].headers, text_of(said, "bot_id")
        account = Account(text_of(said, "team_id"), text_of(said, "user_id"), await self._app(said, bot))
        who = (
            f"The token is good: {text_of(said, 'user')} ({account.user}) in {text_of(said, 'team')} ({account.team})."
        )
        checks = [Check("token", True, who)]
        if bool(bot) is self._as_person:
            kind, name = ("a bot", "SLACK_USER_TOKEN") if bot else ("a person", "SLACK_BOT_TOKEN")
            cure = "Put the xoxb- token in SLACK_BOT_TOKEN; a person's xoxp- token belongs in SLACK_USER_TOKEN."
            checks = [Check("token", False, f"The token in {name} is of {kind}.", cure)]
        if not self._as_person:
            checks.append(self._scopes(headers))
        return account, (*checks, *self._skew(headers))

    async def socket(self, app_token: str, account: Account | None) -> Check:
        """Say whether the app-level token lets the agent connect by Socket Mode. The address that Slack gives for it
        is not gone to: no connection is made that would take events from a gateway.

        :param account: of the token that posts, where it is known: both have to be of one app.
        """
        try:
            await call(self._client.apps_connections_open(app_token=app_token), "apps.connections.open")
        except ChatError as error:
            says = f"Slack does not let the agent connect by Socket Mode ({error.reason})."
            cure = SOCKET_CURES.get(error.reason)
            return Check(
                "socket", False, says, f"SLACK_APP_TOKEN: {cure}." if cure is not None else _token_cure(error.reason)
            )
        named = re.match(r"xapp-\d+-(A[A-Z0-9]+)-", app_token)
        if account is not None and account.app and named is not None and named[1] != account.app:
            says = f"The app-level token is of app {named[1]}, the token that posts of app {account.app}."
            return Check("socket", False, says, "Copy SLACK_APP_TOKEN and SLACK_BOT_TOKEN from the pages of one app.")
        return Check("socket", True, "Slack lets the agent connect by Socket Mode.")

    async def _app(self, said: Mapping[str, Any], bot: str) -> str:
        """Return the app's id, where Slack tells it."""
        if (app := text_of(said, "app_id")) or not bot:
            return app
        try:
            return text_of(part_of(await call(self._client.bots_info(bot=bot), "bots.info"), "bot"), "app_id")
        except ChatError:
            return ""

    @staticmethod
    def _scopes(headers: Mapping[str, Any]) -> Check:
        """Compare what the token is allowed with what is needed."""
        given = {scope.strip() for scope in _header(headers, "x-oauth-scopes").split(",") if scope.strip()}
        missing = [scope for scope in SCOPES if scope not in given]
        if not given:
            return Check("scopes", True, "Slack did not say what the token is allowed.")
        if missing:
            return Check("scopes", False, f"The token lacks {', '.join(missing)}.", _REINSTALL)
        return Check("scopes", True, "The token is allowed all that is needed.")

    def _skew(self, headers: Mapping[str, Any]) -> tuple[Check, ...]:
        """Compare this clock with Slack's, where Slack said what time it is."""
        try:
            theirs = parsedate_to_datetime(_header(headers, "date"))
        except ValueError:
            return ()
        off = (self._clock() - (theirs if theirs.tzinfo else theirs.replace(tzinfo=UTC))).total_seconds()
        return (skew(off),)

    async def channel(self, id: str) -> Check:
        """Say whether the agent can post cards in the approvals channel."""
        channel = id.rpartition(":")[2]
        cure = (
            f"Invite the agent there (/invite), or set SLICEWAY_APPROVALS__CHANNEL to another channel than {channel}."
        )
        try:
            said = await call(self._client.conversations_info(channel=channel), "conversations.info")
        except ChatError as error:
            return Check("approvals_channel", False, f"The approvals channel {channel}: {error.detail}", cure)
        told = part_of(said, "channel")
        if told.get("is_archived"):
            return Check("approvals_channel", False, f"The approvals channel {channel} is archived.", cure)
        if told.get("is_member") is not True:
            return Check("approvals_channel", False, f"The agent is not in the approvals channel {channel}.", cure)
        return Check("approvals_channel", True, f"Cards go to #{text_of(told, 'name') or channel}.")

    async def deciders(self, name: str, what: str, team: str, listed: Collection[str], teams: Collection[str]) -> Check:
        """Say whether anybody who is listed can decide: a full member of the team, and active (AP7, R38).

        :param name: what the check is called by. :param what: what they decide about, in words.
        :param listed: people as USER or TEAM:USER. :param teams: the workspaces that belong together.
        """
        cure = "Name full members of the team with SLICEWAY_POLICY__MANAGERS (USER or TEAM:USER ids), then restart."
        if not listed:
            return Check(name, False, f"Nobody is named who may decide about {what}: it would all expire.", cure)
        able: list[str] = []
        unable: list[str] = []
        for entry in sorted(listed):
            why = await self._unable(team, entry, frozenset(teams) | {team})
            (unable if why else able).append(f"{entry} {why}" if why else entry)
        if not able:
            says = f"None of those named can decide about {what}: {', '.join(unable)}."
            return Check(name, False, says, cure)
        left_out = f" Not: {', '.join(unable)}." if unable else ""
        return Check(name, True, f"{len(able)} can decide about {what}.{left_out}")

    async def _unable(self, team: str, entry: str, teams: frozenset[str]) -> str:
        """Return why somebody who is listed cannot decide, empty where they can."""
        user = entry.rpartition(":")[2]
        try:
            if user not in self._people:
                self._people[user] = part_of(await call(self._client.users_info(user=user), "users.info"), "user")
        except ChatError as error:
            return f"is not known to Slack ({error.reason})"
        told = self._people[user]
        facts = facts_of(told, team)
        if facts.standing is Standing.GONE:
            return "is deactivated"
        if facts.standing is not Standing.MEMBER:
            return f"is a {facts.standing.value}"
        return "" if facts.person.team in teams else "is of another workspace"


def skew(off_s: float) -> Check:
    """Judge how far this machine's clock is from Slack's, in seconds; ahead is positive."""
    if abs(off_s) <= MOST_SKEW_S:
        return Check("clock", True, "This clock and Slack's agree.")
    says = f"This clock is {abs(off_s):.0f} s {'ahead of' if off_s > 0 else 'behind'} Slack's."
    return Check("clock", False, says, "Set the clock by NTP: Slack's requests are refused from 5 minutes on.")


def _header(headers: Mapping[str, Any], name: str) -> str:
    """Return a header of Slack's answer, whatever its case."""
    found: Sequence[Any] = [value for key, value in headers.items() if key.lower() == name]
    first = found[0] if found else ""
    return str(first[0] if isinstance(first, list) and first else first)


def _token_cure(reason: str) -> str:
    """Return what to do about what Slack says of a token."""
    if reason in {"unreachable", "no_answer", "ratelimited"} or reason.startswith("http_"):
        return "Check the network, the proxy and SLACK_API_URL; Slack's own state is at https://slack-status.com."
    if reason == "not_allowed_token_type":
        return "That is another kind of token; copy the Bot User OAuth Token (xoxb-) to SLACK_BOT_TOKEN."
    return "Open the app's page, install it to the workspace again, and set SLACK_BOT_TOKEN to the new xoxb- token."
