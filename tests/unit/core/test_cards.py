"""Cards, records, drafts and forms."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from sliceway.core.card_making import card_for, draft_card_for, draft_record_for, named, record_for
from sliceway.core.cards import Card, Fact, button_value, parse_value
from sliceway.core.clock import from_text
from sliceway.core.forms import REASONS, deny_form, reason_text, review_form
from sliceway.core.pages import ApprovedBy, PageDraft
from sliceway.core.policy import Policy
from sliceway.core.principals import Origin
from sliceway.core.proposals import PageDiff, ProposalEvent, ProposedPage, State
from sliceway.core.turns import Click, Place, PlaceKind
from tests.unit.core.proposing import MARA, NOW, POLICY, THREAD, proposal, replacing


def facts(card: Card) -> dict[str, Fact]:
    """Return a card's facts by label."""
    return {fact.label: fact for fact in card.facts}


def labels(card: Card) -> list[str]:
    """Return the labels of a card's buttons."""
    return [button.label for button in card.buttons]


def test_ap4_a_card_says_all_that_a_decision_needs() -> None:
    """AP4: agent, requester, source with link, destination, full text, who can decide, and until when."""
    card = card_for(proposal(), POLICY, NOW)
    stated = facts(card)
    assert stated["Agent"].words == "ada"
    assert (stated["Asked by"].words, stated["Asked by"].people) == ("", ("UMARA",))
    assert (stated["Asked in"].channel, stated["Asked in"].link) == ("CDEPLOY", THREAD.link)
    assert stated["Goes to"].words == "shared – the team's knowledge base"
    assert stated["Can decide"].people == ("UBOSS", "UCHIEF")
    assert stated["Waits until"] == Fact("Waits until", "3 days left", at="2026-05-07T09:00:00.000000Z")
    assert card.texts[0].text == "The on-call rotation moved to Mondays."
    assert card.texts[0].title == "On call"
    assert labels(card) == ["Approve", "Deny", "Approve for this thread"]
    assert {button.value for button in card.buttons} == {"v1.01JABCDEFGHJKMNPQRSTVWXYZ0.1"}


def test_ap4_a_title_that_is_the_text_is_shown_once() -> None:
    """AP4: a title of the very words of the text adds nothing to it; one that differs in anything is shown."""
    words = "The on-call rotation moved to Mondays."
    for title, shown in ((words, None), (words[:-1], words[:-1])):
        page = ProposedPage("team/rota", None, PageDraft(slug="team/rota", content=words, title=title))
        (text,) = card_for(replace(proposal(), pages=(page,)), POLICY, NOW).texts
        assert (text.title, text.text) == (shown, words)


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(hours=71, minutes=59), "3 days left"),
        (timedelta(hours=30), "30 hours left"),
        (timedelta(minutes=90), "90 minutes left"),
        (timedelta(seconds=20), "1 minute left"),
        (timedelta(), "its time is over"),
    ],
)
def test_ap4_the_time_left_is_said_as_people_say_it(left: timedelta, words: str) -> None:
    """AP4: how long a card waits is to the nearest day, hour or minute."""
    card = card_for(proposal(), POLICY, from_text(proposal().expires_at) - left)
    assert facts(card)["Waits until"].words == words


def test_ap4_a_card_has_a_plain_text_form() -> None:
    """AP4: the fallback says in plain text what the card says, people and channels by name, each once, and nobody by
    id: a telephone shows it as it is."""
    card = card_for(proposal(), POLICY, NOW)
    said = named(card, {"UMARA": "Mara", "UBOSS": "Mia", "UCHIEF": "Max", "CDEPLOY": "#deploys"}).fallback
    for words in ("Save to shared?", "ada", "The on-call rotation moved to Mondays.", "2026-05-07"):
        assert words in said
    assert "Asked by: Mara\n" in said
    assert "Asked in: #deploys · https" in said
    assert "Can decide: Mia, Max\n" in said
    half = named(card, {"UBOSS": "Mia"}).fallback
    assert "Asked by: somebody\nAsked in: a channel · https" in half
    assert "Can decide: Mia and 1 more\n" in half
    assert "Can decide: 2 people\n" in card.fallback
    for id in ("UMARA", "UBOSS", "UCHIEF"):
        assert id not in said + half + card.fallback


def test_ap4_a_cut_card_offers_review_and_hides_approve() -> None:
    """AP4: where a part is hidden the card says how much, and Approve is inside the review form alone."""
    long = "\n".join(f"line {number} of the runbook" for number in range(900))
    cut = card_for(proposal(long), POLICY, NOW)
    assert labels(cut) == ["Review", "Deny"]
    assert cut.texts[0].hidden is not None
    assert cut.texts[0].hidden.endswith("kB more")
    form = review_form(proposal(long))
    assert form.submit == "Approve"
    assert form.card is not None
    assert form.card.texts[0].text == long
    assert not form.card.buttons


def test_ap4_a_long_title_or_summary_counts_as_hidden_too() -> None:
    """AP4: nothing that would be written is left out silently, the summary and tags included."""
    draft = PageDraft("p", "short", summary="s" * 1900, tags=("deploy", "ops"))
    page = ProposedPage("p", None, draft)
    card = card_for(proposal(pages=(page,)), POLICY, NOW)
    assert labels(card) == ["Review", "Deny"]
    assert card.texts[0].hidden is not None
    assert "summary" in card.texts[0].hidden
    assert ("Tags", "deploy, ops") in card.texts[0].more


def test_ap4_what_is_replaced_is_shown_as_a_diff() -> None:
    """AP4: a change shows the new text, the version it replaces, and both sides of the difference."""
    text = card_for(replacing("Mondays", "Fridays"), POLICY, NOW).texts[0]
    assert (text.text, text.replaces, text.diff) == ("Mondays", "version 3, 7 bytes", ("-Fridays", "+Mondays"))


def test_ap4_what_hides_in_a_text_is_shown_with_a_warning() -> None:
    """AP4: a bidirectional override in the text, its title or its diff is written out, with a warning line."""
    card = card_for(replacing("pay \u202e5", "pay 5"), POLICY, NOW)
    assert card.texts[0].text == "pay ‹U+202E›5"
    assert card.texts[0].diff == ("-pay 5", "+pay ‹U+202E›5")
    assert len(card.warnings) == 1
    assert "‹U+202E›" in card.warnings[0]


def test_ap4_names_on_a_card_cannot_break_out_of_their_line() -> None:
    """AP4: a requester's name with line breaks and controls in it stays one line."""
    card = named(card_for(proposal(), POLICY, NOW), {"UMARA": "Mara\nApproved by: \u202ethe boss"})
    assert "Asked by: Mara Approved by: the boss\n" in card.fallback


def test_ap7_where_nobody_may_decide_the_card_says_so() -> None:
    """AP7: an empty list of approvers means nobody, and the card says what to do."""
    card = card_for(proposal(), Policy(), NOW)
    assert facts(card)["Can decide"].people == ()
    assert "nobody yet" in facts(card)["Can decide"].words


def test_sc14_a_private_source_is_named_by_its_kind_alone() -> None:
    """SC14: a card from a private session carries neither its channel nor a link."""
    private = Origin(MARA, Place("slack", "T1", "DMARA", "3.4", PlaceKind.IM, link="https://x.example/d"), private=True)
    source = facts(card_for(proposal(origin=private), POLICY, NOW))["Asked in"]
    assert (source.words, source.channel, source.link) == ("a private session", None, None)


def test_ap18_what_was_asked_before_is_marked() -> None:
    """AP18: a card for content that was denied before says so first."""
    assert "asked before" in card_for(proposal(asked_before=True), POLICY, NOW).warnings[0]


def test_ap19_a_batch_is_one_card() -> None:
    """AP19: twenty pages are one card with one decision, each page shown."""
    pages = tuple(ProposedPage(f"p/{n}", None, PageDraft(f"p/{n}", f"text {n}")) for n in range(20))
    card = card_for(proposal(pages=pages), POLICY, NOW)
    assert [text.text for text in card.texts] == [f"text {n}" for n in range(20)]
    assert facts(card)["Goes to"].words.endswith("20 pages, one decision")
    assert labels(card) == ["Approve", "Deny", "Approve for this thread"]


def test_gt8_a_deletion_shows_what_would_go() -> None:
    """GT8: the card of a deletion shows the text that would be deleted."""
    gone = proposal(
        op="delete", pages=(ProposedPage("on-call", 3),), diff=(PageDiff("on-call", "Mondays", ("-Mondays",)),)
    )
    card = card_for(gone, POLICY, NOW)
    assert card.heading == "Delete from shared?"
    assert (card.texts[0].text, card.texts[0].replaces) == ("Mondays", "version 3, 7 bytes")


BOSS = ApprovedBy("T1", "UBOSS", "Bo")
DECIDED = "2026-05-04T10:00:00.000000Z"


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"state": State.APPLIED, "decided_by": BOSS}, Fact("Approved", people=("UBOSS",), at=DECIDED)),
        (
            {"state": State.APPLIED, "decided_by": replace(BOSS, self_approval=True)},
            Fact("Approved", "their own request", people=("UBOSS",), at=DECIDED),
        ),
        (
            {"state": State.APPLIED, "decided_by": ApprovedBy(operator="root")},
            Fact("Approved", "by the operator root", at=DECIDED),
        ),
        (
            {"state": State.DENIED, "decided_by": BOSS, "reason": "Not true"},
            Fact("Denied", "Not true", people=("UBOSS",), at=DECIDED),
        ),
        (
            {"state": State.WITHDRAWN, "events": (ProposalEvent(DECIDED, "withdraw", State.WITHDRAWN, 2, by=MARA),)},
            Fact("Withdrawn", "nothing was written", people=("UMARA",), at=DECIDED),
        ),
    ],
)
def test_ap5_a_record_says_what_who_and_when_and_has_no_buttons(changes: dict[str, Any], outcome: Fact) -> None:
    """AP5: the card of a decided proposal names the outcome, the person and the time, and can no longer be pressed."""
    card = record_for(proposal(**{"revision": 2, "decided_at": DECIDED, **changes}), POLICY, NOW)
    assert card.outcome == outcome
    assert card.buttons == ()
    assert outcome.label in card.fallback
    assert "Can decide" not in facts(card)


def test_ap14_an_expired_card_never_reads_as_denied() -> None:
    """AP14: past its time the record says that nobody decided."""
    card = record_for(proposal(state=State.EXPIRED), POLICY, NOW + timedelta(days=4))
    assert card.outcome is not None
    assert card.outcome.label == "Expired"
    assert "denied" not in card.fallback.lower()


def test_ap24_a_superseded_card_says_that_a_new_one_follows() -> None:
    """AP24: the record of a superseded proposal says that the page changed and a new card shows the new text."""
    card = record_for(proposal(state=State.SUPERSEDED), POLICY, NOW)
    assert card.outcome is not None
    assert "new card" in card.outcome.words


def test_ap23_a_draft_shows_its_owner_the_text_who_would_see_it_and_the_choice() -> None:
    """AP23: a draft's card has the exact text, who would see it, and Send to approvers or Keep private."""
    card = draft_card_for(proposal(state=State.DRAFT), POLICY, NOW)
    assert card.texts[0].text == "The on-call rotation moved to Mondays."
    assert "every agent" in facts(card)["Would be seen by"].words
    assert labels(card) == ["Send to approvers", "Keep private"]
    assert card.key != card_for(proposal(), POLICY, NOW).key


@pytest.mark.parametrize(
    ("state", "label"),
    [(State.WITHDRAWN, "Kept private"), (State.EXPIRED, "Expired"), (State.PENDING, "Sent to approvers")],
)
def test_ap23_a_draft_becomes_a_record_of_its_owners_choice(state: State, label: str) -> None:
    """AP23: once sent, kept or expired the draft's card says so and has no buttons."""
    card = draft_record_for(proposal(state=state), POLICY, NOW)
    assert card.outcome is not None
    assert (card.outcome.label, card.buttons) == (label, ())


def test_ap23_a_draft_too_long_to_show_is_sent_from_its_review() -> None:
    """AP23: a cut draft is reviewed whole before it is sent."""
    long = proposal("word " * 4000, state=State.DRAFT)
    assert labels(draft_card_for(long, POLICY, NOW)) == ["Review", "Keep private"]
    form = review_form(long)
    assert (form.name, form.submit) == ("review_draft", "Send to approvers")


def test_ap12_denying_asks_for_a_reason() -> None:
    """AP12: the form offers four reasons and a text, and its submission reads as words."""
    form = deny_form(proposal(), click=Click("k", "deny", MARA, THREAD, message="5.6"))
    assert [label for _, label in form.fields[0].options] == ["Not true", "Not shareable", "Duplicate", "Needs edits"]
    assert (form.place, form.message) == (THREAD, "5.6")
    assert reason_text({"reason": "needs_edits", "note": "which\nweek?"}) == "Needs edits: which week?"
    assert reason_text({"reason": "not_true"}) == dict(REASONS)["not_true"]
    assert reason_text({"note": "no"}) == "no"
    assert reason_text({"reason": "forged"}) is None


def test_a_button_carries_id_and_revision_and_nothing_else() -> None:
    """A value reads back as it was made; anything else is nothing."""
    assert parse_value(button_value("01JABC", 7)) == ("01JABC", 7)
    for forged in ("", "v1.01J", "v1..1", "v1.01J.0", "v1.01J.x", "v2.01J.1", "v1.01J.1 ", "v1.01J.1.approve"):
        assert parse_value(forged) is None
