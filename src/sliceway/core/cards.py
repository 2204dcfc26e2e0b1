"""What people see of proposals, free of any platform: cards, records, forms and messages (AP4)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sliceway.core.turns import Place, ShownList

FORM_ACTIONS = {"review": "approve", "review_draft": "send", "deny": "deny", "trust": "trust"}
"""What the submission of each form asks for, by the form's name."""

LONGEST = 12_000
"""Characters of one message's own words; what is longer is said in several (R21)."""

_VALUE = re.compile(r"v1\.([A-Za-z0-9-]{1,64})\.([1-9]\d{0,8})", re.ASCII)


def button_value(proposal: str, revision: int) -> str:
    """Return what a button of a proposal carries: id and revision, no content and no authority."""
    return f"v1.{proposal}.{revision}"


def parse_value(text: str) -> tuple[str, int] | None:
    """Return the proposal id and revision that a button carried; None when it carried neither."""
    match = _VALUE.fullmatch(text)
    return (match[1], int(match[2])) if match else None


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `action` is the host's name for it; `value` is `v1.<proposal id>.<revision>` and carries no
    authority. `style` is `primary`, `danger` or empty."""

    action: str
    label: str
    value: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a card states: a label, then words, then people and a channel by id, a moment (as `core.clock`
    writes it) and a link, each where it applies. The platform shows ids by name."""

    label: str
    words: str = ""
    people: tuple[str, ...] = ()
    channel: str | None = None
    at: str | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class CardText:
    """One page on a card: its text made visible, the diff against what it replaces, and how much of each is hidden.

    `more` holds what else of the page is written: summary, tags and the like, as label and words.
    """

    slug: str
    title: str | None
    text: str
    hidden: str | None = None
    replaces: str | None = None
    diff: tuple[str, ...] = ()
    diff_hidden: str | None = None
    more: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal as people see it in chat.

    `warnings` say what is odd in the text; `outcome` is set on a record. `fallback` is the same in plain text. Texts
    are already visible (no hidden characters) and not yet escaped: that is the platform's.
    """

    proposal: str
    revision: int
    state: str
    heading: str
    facts: tuple[Fact, ...]
    texts: tuple[CardText, ...]
    fallback: str
    warnings: tuple[str, ...] = ()
    outcome: Fact | None = None
    footer: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()

    @property
    def key(self) -> str:
        """What its message is found by, whatever became of it since: one of a draft, one of what it became."""
        return f"{'draft' if self.state == 'draft' else 'card'}/{self.proposal}"

    @property
    def is_cut(self) -> bool:
        """Whether a part of what is asked is not shown, so that it has to be reviewed first."""
        return any(text.hidden is not None or text.diff_hidden is not None for text in self.texts)


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a list: like a card, made visible and not yet escaped, with what can be pressed about it."""

    heading: str
    facts: tuple[Fact, ...] = ()
    texts: tuple[CardText, ...] = ()
    warnings: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """Something the agent says: plain words with light marks; it pings nobody. `quote` is shown as a quotation.
    `people` are named by id below the words, and `items` listed there: only in what one person alone is shown, where
    a name reaches nobody. `buttons` stand last. `name` says which list it is, so that a press in it can put it anew."""

    text: str
    quote: str | None = None
    buttons: tuple[Button, ...] = ()
    link: tuple[str, str] | None = None
    people: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One input of a form. `options` are value and label; without them it is a text of several lines."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...] = ()
    optional: bool = False
    max_length: int = 3000


@dataclass(frozen=True, slots=True)
class Form:
    """A form: what it shows, what it asks, and the label that submits it.

    `name` is a key of `FORM_ACTIONS`. `value` comes back as a button's does; so do `place`, `message` and `shown`:
    where the form was asked for.
    """

    name: str
    title: str
    submit: str
    value: str
    texts: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    card: Card | None = None
    place: Place | None = None
    message: str | None = None
    shown: ShownList | None = None
