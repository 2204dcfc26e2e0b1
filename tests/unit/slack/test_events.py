"""Events of Slack's as turns and observations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.turns import PlaceKind, Standing, Turn
from sliceway.slack.events import Ignored, observed_in, queue_of, turn_of
from tests.unit.slack.given import ME, event, names, payload


def turn(envelope: dict[str, Any]) -> Turn:
    """Return the turn of an envelope that leads to one."""
    found = turn_of(envelope, ME)
    assert isinstance(found, Turn), found
    return found


def test_r4_message_and_mention_are_one_turn() -> None:
    """R4: the message and the mention in it have different event ids and one key, and make the same turn."""
    message, mention = payload("message_in_channel"), payload("app_mention")
    assert message["event_id"] != mention["event_id"]
    assert turn(message) == turn(mention)
    assert turn(message).key == "message/T0TEAM/C0DEPLOY/1767225600.000100"


def test_r5_a_copy_that_does_not_address_the_agent_uses_up_no_key() -> None:
    """R5: where the message copy carries no mention that counts it is no turn, and the mention's copy still is."""
    unaddressed = event("message_in_channel", text="remember that build 2301 is the rollback target")
    assert turn_of(unaddressed, ME) == Ignored("it does not address the agent")
    assert turn(payload("app_mention")).text == "remember that build 2301 is the rollback target"


def test_the_mention_is_no_part_of_what_was_said() -> None:
    """The text begins after the mention; what was on the wire is kept beside it."""
    said = turn(event("app_mention", text="<@U0BOT>: remember that a &lt;b&gt; &amp;amp; c"))
    assert said.text == "remember that a <b> &amp; c"
    assert said.raw == "<@U0BOT>: remember that a &lt;b&gt; &amp;amp; c"
    assert turn(event("app_mention", text="hey <@U0BOT> undo")).text == "hey undo"
    assert turn(event("app_mention", text="<@U0BOT>")).text == ""


@pytest.mark.parametrize(
    ("wire", "text", "people"),
    [
        ("ask <@W012ABC> or <@U7|bo>", "ask @W012ABC or @bo", {"W012ABC": "W012ABC", "U7": "bo"}),
        ("in <#C1|ops> and <#C2>", "in #ops and #C2", {}),
        ("<!subteam^S1|@oncall> <!subteam^S2> <!here> <!channel|channel>", "@oncall @S2 @here @channel", {}),
        ("<https://x.example/a|the plan> <https://x.example>", "the plan (https://x.example/a) https://x.example", {}),
        ("<http://x.example|x.example> <mailto:a@x.example|a@x.example>", "x.example a@x.example", {}),
        ("&lt;@U7&gt; is not a mention", "<@U7> is not a mention", {}),
        ("<!date^1767225600^{date}|New Year> a < b", "New Year a < b", {}),
    ],
)
def test_r36_wire_text_reads_as_it_was_written(wire: str, text: str, people: dict[str, str]) -> None:
    """R36: mentions of every kind, links and entities come out in words, once, with the people mentioned by id."""
    said = turn(event("message_in_dm", text=wire))
    assert said.text == text
    assert said.names == people


def test_r22_a_thread_of_its_own_time_is_a_root() -> None:
    """R22: `thread_ts` equal to `ts` is a root like one without: it begins the thread that its answers go to."""
    root = turn(event("message_in_dm", thread_ts="1767225600.000100"))
    assert root.place == turn(payload("message_in_dm")).place
    assert root.place.thread == "1767225600.000100"
    assert turn(payload("message_in_dm_thread")).place == root.place


def test_r23_a_direct_message_is_one_queue() -> None:
    """R23: roots and threads of a direct message are worked off in one order."""
    later = turn(event("message_in_dm", ts="1767225900.000100"))
    assert later.place != turn(payload("message_in_dm")).place
    assert {queue_of(later.place), queue_of(turn(payload("message_in_dm_thread")).place)} == {"T0TEAM/D0MARA/"}


def test_a_turn_in_a_channel_belongs_to_its_thread() -> None:
    """A root in a channel begins the thread its answers go to; the queue is team, channel and thread root."""
    root = turn(payload("app_mention"))
    assert queue_of(root.place) == "T0TEAM/C0DEPLOY/1767225600.000100"
    reply = turn(event("app_mention", ts="1767225900.000100", thread_ts="1767225600.000100"))
    assert queue_of(reply.place) == queue_of(root.place)
    assert reply.key != root.key
    assert turn(payload("thread_broadcast")).place.thread == "1767225500.000900"


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("message_changed", "R16 R17"),
        ("message_deleted", "R16"),
        ("bot_message_legacy", "R8"),
        ("bot_message_modern", "R8"),
        ("own_message", "T7"),
        ("without_user", "R20"),
        ("text_null", "T5"),
        ("message_not_addressed", "R5"),
        ("member_joined_channel", "T19"),
    ],
)
def test_what_no_person_said_to_the_agent_is_no_turn(name: str, rule: str) -> None:
    """R8, R16, R17, R20, T5: edits, deletions, bots, the agent itself and empty messages lead to no turn."""
    assert isinstance(turn_of(payload(name), ME), Ignored)


@pytest.mark.parametrize("name", ["bot_message_legacy", "bot_message_modern", "message_in_channel", "message_in_dm"])
@pytest.mark.parametrize("text", ["", None])
def test_r18_an_alert_that_is_all_attachments_breaks_nothing(name: str, text: str | None) -> None:
    """R18: a bot's alert with attachments and no text is ignored, and so is a person's that addresses nobody."""
    alert = [{"fallback": "[FIRING:1] disk", "title": "disk", "text": "", "fields": [{"title": "host", "value": "a"}]}]
    assert isinstance(turn_of(event(name, text=text, attachments=alert), ME), Ignored)


@pytest.mark.parametrize("said", [{"user": "U0HUMAN"}, {"bot_id": "B0BOT"}, {"app_id": "A0SLICE"}, {"user": "U0OLD"}])
def test_t7_the_agent_never_hears_itself_under_any_of_its_ids(said: dict[str, str]) -> None:
    """T7: posting as a user, by bot id, by app id or under another token's id: no turn."""
    me = replace(ME, user="U0HUMAN", posts_as_user=True, also=("U0OLD",))
    assert turn_of(event("message_in_dm", **said), me) == Ignored("it is the agent's own")


def test_t19_its_own_joining_is_not_observed_and_another_persons_is() -> None:
    """T19: the agent's own arrival in a channel tells nothing; another's does, so that a guest is looked up."""
    assert observed_in(event("member_joined_channel", user="U0BOT"), ME) == ()
    (seen,) = observed_in(payload("member_joined_channel"), ME)
    assert seen.what == "joined"
    assert seen.person is not None
    assert (seen.person.user, seen.person.standing) == ("U0GUEST", Standing.STRANGER)


def test_r13_a_file_is_what_was_said_with_it() -> None:
    """R13: a file with text is that text; one without any is nothing."""
    assert turn(payload("file_share")).text == "remember that this is the plan"
    silent = event("file_share", text="", channel="D0MARA", channel_type="im")
    assert turn_of(silent, ME) == Ignored("it has no text")


def test_r31_r32_the_author_is_of_their_own_team_and_the_place_of_the_installations() -> None:
    """R31, R32: in a shared channel the place's team is the installation's and the speaker's is their own."""
    said = turn(payload("connect_mention"))
    assert said.place.team == "T0TEAM"
    assert said.place.external
    assert said.speaker is not None
    assert said.speaker.key == ("T0EXT", "U0EXT")


def test_r37_in_a_shared_channel_a_speaker_without_a_team_is_of_no_team() -> None:
    """R37: what does not tell the author's team does not make them one of ours."""
    said = turn(event("connect_mention", team=..., user_team=..., source_team=...))
    assert said.speaker is not None
    assert said.speaker.team == "?"


def test_id11_a_person_of_a_grid_is_known_by_the_enterprise() -> None:
    """ID11: under Enterprise Grid the enterprise identifies the person, whichever team the message came through."""
    grid = {"enterprise_id": "E0GRID", "context_enterprise_id": "E0GRID"}
    one, other = payload("message_in_dm", **grid), event("message_in_dm", user_team="E0GRID")
    other.update(grid)
    assert {turn(one).speaker.key, turn(other).speaker.key} == {("E0GRID", "U0MARA")}  # type: ignore[union-attr]  # both have a speaker


def test_a_forwarded_message_is_kept_apart_from_what_was_said() -> None:
    """A forwarded message's text comes along as such, unescaped; its blocks are read where it has no text."""
    said = turn(payload("forwarded"))
    assert (said.text, said.forwarded) == ("remember this", "on-call moves to <Mondays>")
    envelope = payload("forwarded")
    envelope["event"]["attachments"][0]["text"] = ""
    assert turn(envelope).forwarded == "on-call moves to <Mondays>"
    envelope["event"]["attachments"] = [{"text": "a link's preview", "from_url": "https://x.example"}]
    assert turn(envelope).forwarded is None


def test_oo2_a_1on1_asked_for_aloud_needs_no_mention() -> None:
    """OO2: `!1on1` in a thread reaches the gateway although it mentions nobody."""
    assert turn(event("message_not_addressed", text="!1on1 hello")).text == "!1on1 hello"


@pytest.mark.parametrize(
    ("name", "what", "external"),
    [
        ("channel_shared", "external", True),
        ("channel_unshared", "internal", False),
        ("connect_mention", "external", True),
    ],
)
def test_sc7_a_shared_channel_is_observed(name: str, what: str, external: bool) -> None:
    """SC7: becoming shared is observed from the event, and from any message in such a channel."""
    seen = observed_in(payload(name), ME)[0]
    assert seen.what == what
    assert seen.place is not None
    assert seen.place.external is external


def test_ap17_a_deactivated_person_is_observed() -> None:
    """AP17: the change that deactivates a person is observed with what they now are."""
    (seen,) = observed_in(payload("user_change"), ME)
    assert seen.what == "person"
    assert seen.person is not None
    assert (seen.person.user, seen.person.standing, seen.person.name) == ("U0MARA", Standing.GONE, "Mara")


def test_other_events_are_observed_as_what_they_are() -> None:
    """Revoked tokens and an opened home are told; a place in them is a direct message."""
    assert [one.what for one in observed_in(payload("tokens_revoked"), ME)] == ["revoked"]
    (home,) = observed_in(payload("app_home_opened"), ME)
    assert (home.what, home.place and home.place.kind) == ("home", PlaceKind.IM)
    assert observed_in(event("app_home_opened", tab="messages"), ME) == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.text(max_size=6) | st.integers(), lambda inner: st.lists(inner, max_size=3)
)


@given(
    st.sampled_from(names()),
    st.dictionaries(
        st.sampled_from(
            ["text", "user", "ts", "channel", "attachments", "bot_profile", "thread_ts", "subtype", "team", "type"]
        ),
        JSON,
    ),
)
def test_no_payload_breaks_the_reading(name: str, changes: dict[str, Any]) -> None:
    """Whatever a field holds, an event is a turn or ignored, and never an error."""
    envelope = payload(name)
    envelope["event"] = {**(envelope.get("event") or {}), **changes}
    assert isinstance(turn_of(envelope, ME), Turn | Ignored)
    assert isinstance(observed_in(envelope, ME), tuple)


@pytest.mark.parametrize(
    "odd", [{"user": "USLACKBOT"}, {"bot_profile": {"id": "BX"}}, {"edited": {}}, {"hidden": True}]
)
def test_sc7_what_no_person_says_tells_of_nobody_in_a_place(odd: dict[str, Any]) -> None:
    """SC7: what Slackbot or a bot says, and what is an edit or hidden, is no sign that somebody is in a channel: it
    would make the place unknown for all."""
    event = {"type": "message", "user": "U1", "text": "hi", "ts": "1.0", "channel": "C1", "channel_type": "channel"}
    heard = observed_in({"team_id": "T1", "event_id": "Ev1", "event": event}, ME)
    assert [one.what for one in heard] == ["spoke"]
    odd = {name: value or {"ts": "2.0"} for name, value in odd.items()}
    assert observed_in({"team_id": "T1", "event_id": "Ev1", "event": {**event, **odd}}, ME) == ()
