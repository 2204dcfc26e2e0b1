"""Buttons, forms and commands of Slack's as clicks and commands."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.turns import Click, Command, PlaceKind, ShownList, Standing
from sliceway.slack.clicks import click_of, command_of, submission_of
from tests.unit.slack.given import ME, payload


def test_a_press_is_its_action_its_proposal_and_who_pressed() -> None:
    """A click has the host's action, the id and revision of the button, the presser, the card and its thread."""
    click = click_of(payload("block_actions"), ME)
    assert (click.action, click.proposal, click.revision) == ("approve", "01JABCDEFGHJKMNPQRSTVWXYZ0", 1)
    assert (click.by.key, click.by.standing) == (("T0TEAM", "U0BOSS"), Standing.STRANGER)
    assert (click.place.channel, click.place.thread) == ("C0DEPLOY", "1767225600.000100")
    assert (click.message, click.trigger, click.form) == ("1767225800.000100", "1.2.trigger", None)


def test_t17_the_cards_place_is_not_of_the_clickers_team() -> None:
    """T17: a foreign click differs from our own in who pressed, not in where the card is."""
    ours, foreign = click_of(payload("block_actions"), ME), click_of(payload("block_actions_foreign"), ME)
    assert foreign.place == ours.place
    assert foreign.by.key == ("T0EXT", "U0EXT")


def test_t17_a_press_without_a_team_is_nobodys() -> None:
    """T17, R37: under an organisation's installation `team` is null; without the user's own the clicker has no team."""
    bare = payload("block_actions", team=None, user={"id": "U0BOSS"})
    assert click_of(bare, ME).by.team == "?"


def test_r1_a_press_delivered_twice_is_one_and_two_presses_are_two() -> None:
    """R1: the key is the same for one press, and new for the next, the next person's and the next button's."""
    first = payload("block_actions")
    keys = {click_of(first, ME).key, click_of(payload("block_actions"), ME).key}
    assert len(keys) == 1
    again = payload("block_actions", actions=[{**first["actions"][0], "action_ts": "1767225811.000100"}])
    other = payload("block_actions", user={"id": "U0CHIEF", "team_id": "T0TEAM"})
    keys |= {click_of(again, ME).key, click_of(other, ME).key}
    assert len(keys) == 3


def test_t20_a_button_of_another_name_carries_nothing() -> None:
    """T20: an action id outside the host's namespace decides nothing, whatever its value says."""
    forged = payload("block_actions", actions=[{"action_id": "approve", "value": "v1.01J.1"}])
    click = click_of(forged, ME)
    assert (click.action, click.proposal, click.revision) == ("unknown", "", 0)


def test_an_ephemeral_cards_press_has_its_place() -> None:
    """A press on a message that only one person saw has no `message`; the container tells where."""
    bare = {name: value for name, value in payload("block_actions").items() if name != "message"}
    assert click_of(bare, ME).message == "1767225800.000100"


def test_a_press_in_a_list_knows_the_list_and_where_its_answer_goes() -> None:
    """A block of a list names it, and the response URL comes along; on a card, or without the URL, there is no list."""
    action = payload("block_actions")["actions"][0]
    listed = [{**action, "block_id": "list:inbox/01JABC.3"}]
    there = "https://hooks.slack.com/actions/T/1/x"
    assert click_of(payload("block_actions", actions=listed, response_url=there), ME).shown == ShownList(
        "inbox/01JABC", there
    )
    assert click_of(payload("block_actions", actions=listed, response_url=None), ME).shown is None
    assert click_of(payload("block_actions", response_url=there), ME).shown is None
    assert there not in repr(ShownList("inbox", there))


def test_a_form_is_what_its_name_asks_for() -> None:
    """A submission acts by the form's name; a name that is none of ours asks for nothing."""
    click = submission_of(payload("view_submission"), ME)
    assert (click.action, click.form, click.revision) == ("deny", "deny", 1)
    assert click.values == {"reason": "needs_edits", "note": "say which week"}
    assert (click.place.channel, click.message) == ("C0DEPLOY", "1767225800.000100")
    odd = payload("view_submission")
    odd["view"] |= {"callback_id": "other", "private_metadata": "{", "state": {"values": {"field:reason": None}}}
    click = submission_of(odd, ME)
    assert (click.action, click.form, click.proposal, click.values) == ("unknown", None, "", {})


def test_r30_a_command_has_its_text_whole() -> None:
    """R30: a command's name has no slash, its text is as typed, its place a root."""
    command = command_of(payload("command"), ME)
    assert (command.name, command.text) == ("1on1", "what is the payload limit")
    assert (command.place.channel, command.place.thread, command.place.kind) == ("C0DEPLOY", None, PlaceKind.CHANNEL)
    assert command.by.key == ("T0TEAM", "U0MARA")
    escaped = command_of(payload("command", text="ask <@U7|bo> if a &lt; b", channel_name="directmessage"), ME)
    assert (escaped.text, escaped.place.kind) == ("ask @bo if a < b", PlaceKind.IM)


ODD: st.SearchStrategy[Any] = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just([{}])
TOP = "user team container message actions channel view enterprise trigger_id text command"


@given(st.dictionaries(st.sampled_from(TOP.split()), ODD))
def test_no_payload_breaks_the_reading(changes: dict[str, Any]) -> None:
    """Whatever a field holds, there is a click or a command, and never an error."""
    assert isinstance(click_of(payload("block_actions", **changes), ME), Click)
    assert isinstance(submission_of(payload("view_submission", **changes), ME), Click)
    assert isinstance(command_of(payload("command", **changes), ME), Command)
