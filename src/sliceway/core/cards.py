"""What people see of proposals, free of any platform: cards, records, forms and messages (AP4)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `action` is the host's name for it; `value` is `v1.<proposal id>.<revision>` and carries no
    authority. `style` is `primary`, `danger` or empty."""

    action: str
    label: str
    value: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class CardText:
    """One page on a card: its text made visible, the diff against what it replaces, and how much is hidden."""

    slug: str
    title: str | None
    text: str
    hidden: str | None = None
    replaces: str | None = None
    diff: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal as people see it in chat.

    `facts` are label and words, `who_decides` mention only people by id, `warnings` say what is odd in the text,
    `outcome` is set on a record. `fallback` is the whole in plain text. Texts are already visible (no hidden
    characters) and not yet escaped: that is the platform's.
    """

    proposal: str
    revision: int
    state: str
    heading: str
    facts: tuple[tuple[str, str], ...]
    texts: tuple[CardText, ...]
    fallback: str
    warnings: tuple[str, ...] = ()
    outcome: str | None = None
    footer: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()
    expires_at: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """Something the agent says: plain words with light marks; it pings nobody. `quote` is shown as a quotation."""

    text: str
    quote: str | None = None
    buttons: tuple[Button, ...] = ()
    link: tuple[str, str] | None = None


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
    """A form: what it shows, what it asks, and the label that submits it. `value` comes back as a button's does."""

    name: str
    title: str
    submit: str
    value: str
    texts: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    card: Card | None = None
