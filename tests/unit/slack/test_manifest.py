"""The manifest asks for what the gateway uses, and for nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sliceway.flows import one_on_one_words, slices_words
from sliceway.slack import app, events
from sliceway.slack.doctor import SCOPES
from sliceway.slack.events import Ignored, observed_in, turn_of
from tests.unit.slack.given import ME, payload

MANIFEST = (Path(__file__).parents[3] / "config" / "slack-manifest.yaml").read_text()
SOURCES = "\n".join(file.read_text() for file in Path(app.__file__).parent.glob("*.py"))

_HISTORY = {"channels:history", "groups:history", "im:history", "mpim:history"}
_READ = {"channels:read", "groups:read", "im:read", "mpim:read"}
NEEDED_BY_CALLS: dict[str, set[str]] = {
    "auth_test": set(), "bots_info": {"users:read"}, "chat_getPermalink": set(), "chat_postEphemeral": {"chat:write"},
    "chat_postMessage": {"chat:write"}, "chat_update": {"chat:write"}, "conversations_history": _HISTORY,
    "conversations_info": _READ, "conversations_members": _READ, "conversations_open": {"im:write"},
    "conversations_replies": _HISTORY, "users_info": {"users:read"}, "views_open": set(), "views_publish": set(),
}  # fmt: skip
"""The scopes that Slack's reference names for each method, https://docs.slack.dev/reference/methods."""
NEEDED_BY_EVENTS: dict[str, set[str]] = {
    "app_home_opened": set(), "app_mention": {"app_mentions:read"}, "app_uninstalled": set(),
    "channel_id_changed": {"channels:read"}, "channel_shared": {"channels:read"},
    "channel_unshared": {"channels:read"}, "member_joined_channel": {"channels:read", "groups:read"},
    "message.channels": {"channels:history"}, "message.groups": {"groups:history"}, "message.im": {"im:history"},
    "message.mpim": {"mpim:history"}, "tokens_revoked": set(), "user_change": {"users:read"},
}  # fmt: skip
"""The scopes that Slack's reference names for each event, https://docs.slack.dev/reference/events."""
_CHANNEL_TYPES = {"channels": "channel", "groups": "group", "im": "im", "mpim": "mpim"}


def listed(key: str) -> set[str]:
    """Return the entries of a list of the manifest."""
    found = re.search(rf"^( *){key}:\n((?:\1  - .*\n)+)", MANIFEST, re.MULTILINE)
    assert found is not None, key
    return {line.strip().removeprefix("- ") for line in found[2].splitlines()}


def test_the_scopes_are_those_of_the_calls_events_and_commands() -> None:
    """Each scope is needed by something that is used, each one needed is asked for, and the doctor looks for them."""
    calls = set(re.findall(r"client\.([a-z]+_[a-zA-Z]+)\(", SOURCES))
    assert calls == set(NEEDED_BY_CALLS)
    needed = set().union(
        *(NEEDED_BY_CALLS[call] for call in calls), *(NEEDED_BY_EVENTS[one] for one in listed("bot_events"))
    )
    assert listed("bot") == needed | {"commands"}
    assert set(SCOPES) == listed("bot")


def test_the_events_are_those_that_something_follows_from() -> None:
    """Each kind that is read is subscribed to, and no other."""
    read = {
        kind
        for kinds in re.findall(r'case ((?:"[a-z_]+"(?: \| )?)+)', _observing())
        for kind in re.findall(r"[a-z_]+", kinds)
    }
    assert read | {"message"} == {one.partition(".")[0] for one in listed("bot_events")}
    assert listed("bot_events") == set(NEEDED_BY_EVENTS)


@pytest.mark.parametrize("kind", sorted(NEEDED_BY_EVENTS))
def test_each_event_leads_to_something(kind: str) -> None:
    """A turn or an observation comes of every event that is subscribed to."""
    name, _, where = kind.partition(".")
    inner: dict[str, Any] = {
        "type": name, "user": "U0MARA", "channel": "C0DEPLOY", "ts": "1767225600.000100", "text": "<@U0BOT> hello",
        "channel_type": _CHANNEL_TYPES.get(where, "channel"),
    }  # fmt: skip
    if name == "user_change":
        inner["user"] = {"id": "U0MARA"}
    if name == "channel_id_changed":
        inner |= {"new_channel_id": "C2", "old_channel_id": "C1"}
    envelope = payload("app_mention") | {"event": inner}
    assert observed_in(envelope, ME) or not isinstance(turn_of(envelope, ME), Ignored)


def test_the_commands_are_those_that_are_answered_and_arrive_escaped() -> None:
    """Both slash commands are there, each with `should_escape`, so that people in them arrive as ids."""
    commands = re.findall(r"- command: /(\S+)\n((?: {6}.*\n)+)", MANIFEST)
    assert {name for name, _ in commands} == {one_on_one_words.NAME, slices_words.NAME}
    assert all("should_escape: true" in rest for _, rest in commands)


def test_what_the_gateway_answers_to_is_switched_on() -> None:
    """Home and messages tab, interactivity and Socket Mode are on: without one of them something is silent."""
    for switch in ("home_tab_enabled", "messages_tab_enabled", "is_enabled", "socket_mode_enabled"):
        assert f"{switch}: true" in MANIFEST
    assert "messages_tab_read_only_enabled: false" in MANIFEST


def _observing() -> str:
    """Return the source of what reads events beside messages."""
    source = Path(events.__file__).read_text()
    return source[source.index("def observed_in") : source.index("def _presence")]
