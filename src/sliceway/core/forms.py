"""The forms of a proposal: reviewing it whole, and denying it with a reason (AP4, AP12). Pure."""

from __future__ import annotations

from collections.abc import Mapping

from sliceway.core.card_making import whole_card
from sliceway.core.cards import Field, Form, button_value
from sliceway.core.proposals import Proposal, State
from sliceway.core.turns import Click

REASONS = (
    ("not_true", "Not true"),
    ("not_shareable", "Not shareable"),
    ("duplicate", "Duplicate"),
    ("needs_edits", "Needs edits"),
)
"""Why a proposal may be denied, as value and label."""


def review_form(proposal: Proposal, *, click: Click | None = None) -> Form:
    """Return the form that shows a proposal whole; its submit button approves it, or sends a draft.

    :param click: what asked for the form; where that was comes back with the submission.
    """
    draft = proposal.state is State.DRAFT
    return Form(
        name="review_draft" if draft else "review",
        title="Review",
        submit="Send to approvers" if draft else "Approve",
        value=button_value(proposal.id, proposal.revision),
        card=whole_card(proposal, "This is everything that would be written."),
        place=click.place if click is not None else None,
        message=click.message if click is not None else None,
        shown=click.shown if click is not None else None,
    )


def deny_form(proposal: Proposal, *, click: Click | None = None) -> Form:
    """Return the form that asks why a proposal is denied; who gives no reason denies all the same.

    :param click: what asked for the form; where that was comes back with the submission.
    """
    return Form(
        name="deny",
        title="Deny",
        submit="Deny",
        value=button_value(proposal.id, proposal.revision),
        texts=("The reason reaches the person who asked and the agent.",),
        fields=(
            Field("reason", "Reason", REASONS, optional=True),
            Field("note", "In your own words", optional=True, max_length=500),
        ),
        place=click.place if click is not None else None,
        message=click.message if click is not None else None,
        shown=click.shown if click is not None else None,
    )


def reason_text(values: Mapping[str, str]) -> str | None:
    """Return the reason that a deny form was submitted with, in words; None when it gives none."""
    label = dict(REASONS).get(values.get("reason", ""))
    note = " ".join(values.get("note", "").split())
    return f"{label}: {note}" if label and note else label or note or None
