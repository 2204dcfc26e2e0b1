"""Cards, messages and forms as Block Kit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sliceway.core.card_making import card_for, record_for
from sliceway.core.cards import Button, Card, CardText, Fact, Field, Form, Message
from sliceway.core.forms import deny_form, review_form
from sliceway.core.pages import ApprovedBy, PageDraft
from sliceway.core.proposals import MAX_PROPOSAL, ProposedPage, State
from sliceway.slack.blocks import card_message, form_view, message_body, words_view
from sliceway.slack.clicks import submission_of
from sliceway.workspace.blocks import check_blocks
from sliceway.workspace.view_shapes import check_view
from tests.unit.core.proposing import NOW, POLICY, THREAD, proposal
from tests.unit.slack.given import ME, payload
from tests.unit.slack.rich_text_check import rich_text_problems, words

FORGED = "<!channel> <@U1> *Approved* by &lt;the boss&gt; ```x``` <https://evil.example|docs> :white_check_mark:"


def problems(body: dict[str, Any]) -> list[str]:
    """Return all that Slack would refuse in a message."""
    found = check_blocks(body.get("blocks", [])) + rich_text_problems(body.get("blocks", []))
    if not 0 < len(body["text"]) <= 40_000:
        found.append("no fallback, or one too long")
    return found


def test_ap4_text_on_a_card_can_ping_nobody_and_forge_nothing() -> None:
    """AP4: user text stands as it is in rich text, which Slack does not parse, and escaped in the fallback."""
    body = card_message(card_for(proposal(FORGED), POLICY, NOW))
    assert FORGED in words(body["blocks"])
    for element in (part for block in body["blocks"] for part in json_objects(block)):
        assert element.get("type") not in {"mrkdwn", "broadcast", "emoji"}
        assert element.get("emoji") is not True
    assert "<!channel>" not in body["text"]
    assert "&lt;!channel&gt;" in body["text"]
    assert "&amp;lt;the boss&amp;gt;" in body["text"]


def json_objects(node: Any) -> list[dict[str, Any]]:
    """Return every object inside a JSON value."""
    if isinstance(node, list):
        return [found for part in node for found in json_objects(part)]
    if isinstance(node, dict):
        return [node, *(found for part in node.values() for found in json_objects(part))]
    return []


def test_ap4_links_never_unfurl() -> None:
    """AP4: a card and a message unfurl neither links nor media."""
    for body in (card_message(card_for(proposal(), POLICY, NOW)), message_body(Message("see https://x.example"))):
        assert (body["unfurl_links"], body["unfurl_media"]) == (False, False)


def test_a_card_shows_people_places_and_times_by_what_slack_renders() -> None:
    """Requester and deciders, channel, source and expiry are elements that each reader sees their own way."""
    parts = json_objects(card_message(card_for(proposal(), POLICY, NOW))["blocks"])
    assert [part["user_id"] for part in parts if part.get("type") == "user"] == ["UMARA", "UBOSS", "UCHIEF"]
    assert [part["channel_id"] for part in parts if part.get("type") == "channel"] == ["CDEPLOY"]
    assert [part["url"] for part in parts if part.get("type") == "link"] == [THREAD.link]
    (moment,) = [part for part in parts if part.get("type") == "date"]
    assert (moment["timestamp"], moment["fallback"]) == (1778144400, "2026-05-07 09:00 UTC")


def test_t20_actions_are_the_hosts() -> None:
    """T20: every action id is namespaced, and buttons carry id and revision."""
    (actions,) = [b for b in card_message(card_for(proposal(), POLICY, NOW))["blocks"] if b["type"] == "actions"]
    assert [(e["text"]["text"], e["action_id"]) for e in actions["elements"]] == [
        ("Approve", "sliceway:approve"),
        ("Deny", "sliceway:deny"),
        ("Approve for this thread", "sliceway:approve_thread"),
    ]
    assert {e["value"] for e in actions["elements"]} == {"v1.01JABCDEFGHJKMNPQRSTVWXYZ0.1"}


def test_r43_block_ids_are_unique_and_new_with_each_revision() -> None:
    """R43: no block id comes twice in a card, and none of an earlier revision's comes again."""
    card = card_for(proposal(), POLICY, NOW)
    ids = [block["block_id"] for block in card_message(card)["blocks"]]
    later = [block["block_id"] for block in card_message(replace(card, revision=2))["blocks"]]
    assert len(set(ids + later)) == len(ids) + len(later)


def test_ap5_a_record_shows_the_outcome_and_no_buttons() -> None:
    """AP5: the record of an approved proposal says Approved, by whom, and has no actions block."""
    done = proposal(state=State.APPLIED, decided_by=ApprovedBy("T1", "UBOSS"), decided_at="2026-05-04T10:00:00.000000Z")
    blocks = card_message(record_for(done, POLICY, NOW))["blocks"]
    assert "Approved" in words(blocks)
    assert {"type": "user", "user_id": "UBOSS"} in json_objects(blocks)
    assert [block for block in blocks if block["type"] == "actions"] == []


def test_ap4_the_review_form_shows_the_largest_proposal_whole() -> None:
    """AP4: 24 KiB of the worst text, each character written out, is in the review form to the last character."""
    text = "\u202e" * (MAX_PROPOSAL // 3)
    view = form_view(review_form(proposal(text)))
    assert check_view(view) == []
    assert rich_text_problems(view["blocks"]) == []
    assert "‹U+202E›" * len(text) in words(view["blocks"])
    assert len(json.dumps(view)) < 250_000


def test_ap19_twenty_pages_fit_one_card() -> None:
    """AP19: the largest batch is one message within every limit."""
    pages = tuple(
        ProposedPage(f"p/{n}", None, PageDraft(f"p/{n}", "x" * 1000, title="t" * 100, summary="s" * 100))
        for n in range(20)
    )
    body = card_message(card_for(proposal(pages=pages), POLICY, NOW))
    assert problems(body) == []
    assert len(words(body["blocks"])) < 25_000


def test_ap12_the_deny_form_comes_back_with_its_reason_and_place() -> None:
    """AP12: what the form keeps and what is filled in make the click that denies, at the card it was opened from."""
    view = form_view(replace(deny_form(proposal()), place=THREAD, message="7.8"))
    assert check_view(view) == []
    filled = payload("view_submission")
    filled["view"] |= {"private_metadata": view["private_metadata"], "callback_id": view["callback_id"]}
    click = submission_of(filled, ME)
    assert (click.action, click.form, click.proposal, click.revision) == ("deny", "deny", proposal().id, 1)
    assert (click.place.channel, click.place.thread, click.message) == (THREAD.channel, THREAD.thread, "7.8")
    names = {block["block_id"]: block["element"]["action_id"] for block in view["blocks"] if block["type"] == "input"}
    assert names == {"field:reason": "sliceway:reason", "field:note": "sliceway:note"}
    assert click.values == {"reason": "needs_edits", "note": "say which week"}


def test_a_plain_message_is_text_alone_and_escaped() -> None:
    """A message of words has no blocks; what looks like a mention in it is shown as written."""
    body = message_body(Message("Saved *this* for <@U1> & co"))
    assert body["text"] == "Saved *this* for &lt;@U1&gt; &amp; co"
    assert "blocks" not in body


def test_a_quote_is_shown_as_it_is() -> None:
    """Quoted text is in rich text, untouched; a link that is none of the web's is text."""
    body = message_body(Message("You said:", quote=FORGED, link=("open", "javascript:alert(1)")))
    assert problems(body) == []
    assert FORGED in words(body["blocks"])
    assert [part for part in json_objects(body["blocks"]) if part.get("type") == "link"] == []


TEXT = st.text(max_size=40) | st.integers(1, 4).map(lambda n: "long & <words> " * 240 * n) | st.just(FORGED)
BUTTONS = st.lists(st.builds(Button, TEXT, TEXT, TEXT, st.sampled_from(["", "primary", "danger", "odd"])), max_size=30)
FACT = st.builds(
    Fact,
    TEXT,
    TEXT,
    people=st.lists(TEXT, max_size=3).map(tuple),
    channel=st.none() | TEXT,
    at=st.none() | st.just("2026-05-04T10:00:00.000000Z") | TEXT,
    link=st.none() | TEXT | TEXT.map(lambda text: f"https://x.example/{text}"),
)
PAGE = st.builds(
    CardText,
    TEXT,
    st.none() | TEXT,
    TEXT,
    st.none() | TEXT,
    st.none() | TEXT,
    st.lists(TEXT, max_size=3).map(tuple),
    st.none() | TEXT,
    st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple),
)
CARD = st.builds(
    Card,
    TEXT,
    st.integers(1, 10**9),
    TEXT,
    TEXT,
    st.lists(FACT, max_size=4).map(tuple),
    st.lists(PAGE, max_size=3).map(tuple) | PAGE.map(lambda page: (page,) * 60),
    TEXT,
    warnings=st.lists(TEXT, max_size=3).map(tuple),
    outcome=st.none() | FACT,
    footer=st.lists(TEXT, max_size=12).map(tuple),
    buttons=BUTTONS.map(tuple),
)
OPTIONS = st.lists(st.tuples(TEXT, TEXT), max_size=12).map(tuple) | st.tuples(TEXT, TEXT).map(lambda one: (one,) * 110)
FIELD = st.builds(Field, TEXT, TEXT, OPTIONS, max_length=st.integers(-5, 9999))
FORM = st.builds(
    Form, TEXT, TEXT, TEXT, TEXT, st.lists(TEXT, max_size=3).map(tuple), st.lists(FIELD, max_size=12).map(tuple)
)
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
MANY = settings(max_examples=30, deadline=None, suppress_health_check=SLOW)


@MANY
@given(CARD)
def test_r42_any_card_is_within_slacks_limits(card: Card) -> None:
    """R42, R43: whatever is on a card, Slack takes the blocks, by a checker of another hand."""
    assert problems(card_message(card)) == []


@MANY
@given(TEXT, st.none() | TEXT, BUTTONS, st.none() | st.tuples(TEXT, TEXT))
def test_any_message_is_within_slacks_limits(
    text: str, quote: str | None, buttons: list[Button], link: tuple[str, str] | None
) -> None:
    """Whatever is said, Slack takes it, and nobody is mentioned."""
    body = message_body(Message(text, quote, tuple(buttons), link))
    assert problems(body) == []
    assert "<" not in body["text"]


@MANY
@given(FORM, st.none() | CARD)
def test_any_form_is_within_slacks_limits(form: Form, card: Card | None) -> None:
    """Whatever a form asks and shows, Slack takes the view."""
    view = form_view(replace(form, card=card))
    assert check_view(view) == []
    assert rich_text_problems(view["blocks"]) == []


@pytest.mark.parametrize("said", ["", "no", "x" * 9000])
def test_a_view_that_only_says_something_is_within_limits(said: str) -> None:
    """A refusal in place of a form is a view that Slack takes."""
    assert check_view(words_view("Not done", said)) == []
