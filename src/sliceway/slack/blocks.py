"""Cards, messages and forms as Block Kit. Pure; whatever the input, what comes out is within Slack's limits.

Text of people goes into rich text, whose elements Slack neither parses nor links: it can ping nobody and forge nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from sliceway.core.cards import LONGEST, Button, Card, CardText, Fact, Field, Form, Item, Message
from sliceway.core.clock import from_text
from sliceway.core.text import cut, pieces
from sliceway.errors import InvalidTime
from sliceway.slack.clicks import FIELD, LISTED, NAMESPACE
from sliceway.slack.wire_text import escaped, said

Block = dict[str, Any]

HEADER, SECTION, LABEL, VALUE, TITLE, INPUT_LABEL = 150, 3000, 75, 2000, 24, 2000
ACTION_ID, BLOCK_ID, METADATA, BUTTONS, CONTEXT, PAGES, INPUTS = 255, 255, 3000, 25, 10, 40, 10
RADIO, SELECT, OPTION_LABEL, OPTION_VALUE = 10, 100, 75, 150
ITEMS = 20
"""Entries of a list in one message: two blocks each, of the fifty that it may have (R42)."""
FALLBACK = 4000
"""Characters of a message's plain-text form that Slack shows without folding it."""
_DATE = "{date_short_pretty} at {time}"


def card_message(card: Card) -> dict[str, Any]:
    """Return what a message needs to show a card: blocks and the plain-text fallback, nothing unfurled."""
    return {"text": _fallback(card.fallback or card.heading), "blocks": card_blocks(card), **_NO_UNFURL}


def card_blocks(card: Card) -> list[Block]:
    """Return a card as blocks: question, outcome, facts, warnings, pages, footer, buttons."""
    mark = f"{card.proposal[:64]}.{card.revision}"
    blocks = [_header(card.heading), *_card_body(card)]
    footer = [_plain(line, SECTION) for line in card.footer if line.strip()][:CONTEXT]
    if footer:
        blocks.append({"type": "context", "elements": footer})
    blocks += _actions(card.buttons)
    return _with_ids(blocks, mark)


def _card_body(card: Card) -> list[Block]:
    """Return what a card says between its heading and its buttons."""
    facts = ([card.outcome] if card.outcome is not None else []) + list(card.facts)
    blocks: list[Block] = []
    if facts:
        lines = [part for fact in facts for part in (*_fact_elements(fact), _text("\n"))]
        blocks.append(_rich(_section(lines[:-1])))
    if card.warnings:
        lines = [part for line in card.warnings for part in (_text("Warning: ", bold=True), _text(f"{line}\n"))]
        blocks.append(_rich(_section(lines)))
    blocks += [_rich(*_page_elements(text)) for text in card.texts[:PAGES]]
    if (left := len(card.texts) - PAGES) > 0:
        blocks.append(_rich(_section([_text(f"… {left} more pages", bold=True)])))
    return blocks


def _fact_elements(fact: Fact) -> list[Block]:
    """Return a fact in rich text: people and channels by id, so that each reader sees their names."""
    parts: list[list[Block]] = []
    if fact.words:
        parts.append([_text(fact.words)])
    if fact.people:
        people = [_person(user) for user in fact.people]
        parts.append([one for person in people for one in (_text(", "), person)][1:])
    if fact.channel:
        known = fact.channel.isascii() and fact.channel.isalnum()
        parts.append([{"type": "channel", "channel_id": fact.channel} if known else _text(fact.channel)])
    if fact.at is not None:
        parts.append([_moment(fact.at)])
    if fact.link is not None:
        parts.append([_link(fact.link, "source message")])
    return [_text(f"{fact.label}: ", bold=True), *[one for part in parts for one in (_text(" · "), *part)][1:]]


def _person(user: str) -> Block:
    """Return a person by id, or the text itself where it is no id."""
    return {"type": "user", "user_id": user} if user.isascii() and user.isalnum() else _text(user)


def _moment(at: str) -> Block:
    """Return a moment, shown in each reader's own time zone."""
    try:
        moment = from_text(at)
    except (ValueError, InvalidTime):
        return _text(at)
    fallback = f"{moment:%Y-%m-%d %H:%M} UTC"
    return {"type": "date", "timestamp": int(moment.timestamp()), "format": _DATE, "fallback": fallback}


def _link(address: str, label: str) -> Block:
    """Return a link where the address is one of the web's, else its text."""
    if address.startswith(("https://", "http://")) and len(address) <= SECTION and address.isprintable():
        return {"type": "link", "url": address, "text": label or address}
    return _text(label or address)


def _page_elements(text: CardText) -> list[Block]:
    """Return one page: slug and title, its text as it would be written, and the changes against what stands there."""
    head = [_text(text.slug or "page", bold=True)]
    head += [_text(f"  {text.title}")] if text.title else []
    head += [part for label, words in text.more for part in (_text(f"\n{label}: ", bold=True), _text(words or " "))]
    elements = [_section(head), *_preformatted(text.text)]
    if text.hidden:
        elements.append(_section([_text(text.hidden, bold=True)]))
    if text.replaces:
        changes = ", with these changes:" if text.diff else ""
        elements.append(_section([_text("Replaces ", bold=True), _text(f"{text.replaces}{changes}")]))
    elements += _preformatted("\n".join(text.diff))
    if text.diff_hidden:
        elements.append(_section([_text(text.diff_hidden, bold=True)]))
    return elements


def message_body(message: Message) -> dict[str, Any]:
    """Return what a message needs to say something; blocks only where there is more than words."""
    words, hidden = cut(message.text, LONGEST)
    words = f"{words}\n{hidden}" if hidden else words
    listed = [f"• {item.heading} {' '.join(text.title or text.slug for text in item.texts)}" for item in message.items]
    whole = "\n".join(filter(None, (words, message.quote, message.link[0] if message.link else "", *listed)))
    people = ", ".join(f"<@{user}>" for user in message.people if user.isascii() and user.isalnum())
    body: dict[str, Any] = {"text": "\n".join(filter(None, (_fallback(whole, said), people))), **_NO_UNFURL}
    more = message.quote is not None or message.buttons or message.items or message.link is not None
    if not more and len(words) <= FALLBACK:
        return body
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": part}} for part in _escaped_pieces(words)]
    if message.quote:
        quote, left = cut(message.quote, LONGEST)
        elements = [{"type": "rich_text_quote", "elements": [_text(part)]} for part in _pieces(quote)]
        blocks.append(_rich(*elements, *([_section([_text(left, bold=True)])] if left else [])))
    if people:
        blocks.append({"type": "section", "text": {"type": "mrkdwn", "text": people}})
    if message.link is not None:
        blocks.append(_rich(_section([_link(message.link[1], message.link[0])])))
    listed_as = f"{LISTED}{message.name}" if message.name else ""
    for at, item in enumerate(message.items[:ITEMS]):
        blocks += [_rich(*_item_elements(item)), *_actions(item.buttons, listed_as and f"{listed_as}.{at}")]
    blocks += _actions(message.buttons, listed_as and f"{listed_as}.last")
    return {**body, "blocks": blocks} if blocks else body


def _item_elements(item: Item) -> list[Block]:
    """Return an entry of a list, all of it in one block."""
    facts = [part for fact in item.facts for part in (_text("\n"), *_fact_elements(fact))]
    warnings = [part for line in item.warnings for part in (_text("\nWarning: ", bold=True), _text(line))]
    pages = [element for text in item.texts for element in _page_elements(text)]
    return [_section([_text(item.heading, bold=True), *facts, *warnings]), *pages]


def form_view(form: Form) -> dict[str, Any]:
    """Return a form as a modal view."""
    texts = [part for text in form.texts for part in _pieces(text)][:PAGES]
    blocks: list[Block] = [{"type": "section", "text": _plain(text, SECTION)} for text in texts]
    if form.card is not None:
        blocks += [_header(form.card.heading), *_card_body(form.card)]
    blocks = _with_ids(blocks, f"{form.name[:40]}.{form.value[:80]}")
    inputs = {f"{FIELD}{field.name}"[:BLOCK_ID]: field for field in form.fields[:INPUTS]}
    blocks += [_input(block_id, field) for block_id, field in inputs.items()]
    return {
        "type": "modal",
        "callback_id": f"{NAMESPACE}{form.name}"[:ACTION_ID],
        "title": _plain(form.title, TITLE),
        "submit": _plain(form.submit, TITLE),
        "close": _plain("Cancel", TITLE),
        "private_metadata": _kept(form),
        "blocks": blocks or [{"type": "section", "text": _plain(form.title, SECTION)}],
    }


def home_view(message: Message) -> dict[str, Any]:
    """Return what one person sees on the Home tab: a section a paragraph."""
    parts = [part for paragraph in message.text.split("\n\n") for part in _escaped_pieces(paragraph)]
    words = [{"type": "section", "text": {"type": "mrkdwn", "text": part}} for part in parts]
    return {"type": "home", "blocks": words[:PAGES] or [{"type": "section", "text": _plain("–", SECTION)}]}


def words_view(title: str, words: str) -> dict[str, Any]:
    """Return a view that only says something, in place of a form that could not be taken."""
    texts = _pieces(words)[:PAGES] or [" "]
    blocks = [{"type": "section", "text": _plain(text, SECTION)} for text in texts]
    return {"type": "modal", "title": _plain(title, TITLE), "close": _plain("Close", TITLE), "blocks": blocks}


def _kept(form: Form) -> str:
    """Return what comes back with the submission: what the form is about and where it was asked for."""
    place = form.place
    kept = {
        "value": form.value,
        "channel": place.channel if place is not None else None,
        "thread": place.thread if place is not None else None,
        "message": form.message,
        "block": f"{LISTED}{form.shown.name}." if form.shown is not None else None,
        "reply": form.shown.reply if form.shown is not None else None,
    }
    text = json.dumps({name: value for name, value in kept.items() if value})
    return text if len(text) <= METADATA else json.dumps({"value": form.value[:VALUE]})


def _input(block_id: str, field: Field) -> Block:
    """Return one input of a form."""
    element: Block = {"action_id": f"{NAMESPACE}{field.name}"[:ACTION_ID]}
    if field.options:
        listed = [
            {"text": _plain(label, OPTION_LABEL), "value": (value or label)[:OPTION_VALUE] or "-"}
            for value, label in field.options[:SELECT]
        ]
        element |= {"type": "radio_buttons" if len(listed) <= RADIO else "static_select", "options": listed}
    else:
        length = max(1, min(field.max_length, SECTION))
        element |= {"type": "plain_text_input", "multiline": True, "max_length": length}
    return {
        "type": "input",
        "block_id": block_id,
        "label": _plain(field.label, INPUT_LABEL),
        "optional": field.optional,
        "element": element,
    }


def _actions(buttons: Sequence[Button], block_id: str = "") -> list[Block]:
    """Return a row of buttons; each action id once, in the host's namespace (T20)."""
    elements: list[Block] = []
    named = {f"{NAMESPACE}{button.action}"[:ACTION_ID]: button for button in buttons[:BUTTONS]}
    for action_id, button in named.items():
        element = {
            "type": "button",
            "action_id": action_id,
            "text": _plain(button.label, LABEL),
            "value": button.value[:VALUE] or "-",
        }
        elements.append({**element, "style": button.style} if button.style in {"primary", "danger"} else element)
    row: Block = {"type": "actions", "elements": elements}
    return [row | ({"block_id": block_id[:BLOCK_ID]} if block_id else {})] if elements else []


def _header(text: str) -> Block:
    """Return a heading."""
    return {"type": "header", "text": _plain(text, HEADER)}


def _plain(text: str, limit: int) -> Block:
    """Return a plain-text object within `limit`, never empty; nothing in it is marked up or made an emoji."""
    shown = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return {"type": "plain_text", "text": shown if shown.strip() else "–", "emoji": False}


def _rich(*elements: Block) -> Block:
    """Return a rich text block."""
    return {"type": "rich_text", "elements": list(elements)}


def _section(elements: Sequence[Block]) -> Block:
    """Return a run of rich text."""
    return {"type": "rich_text_section", "elements": list(elements)}


def _text(text: str, *, bold: bool = False) -> Block:
    """Return words in rich text, shown as they are; within the limit of one element."""
    element: Block = {"type": "text", "text": (text if len(text) <= SECTION else f"{text[: SECTION - 1]}…") or " "}
    return {**element, "style": {"bold": True}} if bold else element


def _preformatted(text: str) -> list[Block]:
    """Return text as it would be written, in pieces within the limit; none for no text."""
    return [{"type": "rich_text_preformatted", "elements": [_text(part)]} for part in _pieces(text)]


def _pieces(text: str) -> list[str]:
    """Return a text in pieces within the limit of one element that together are all of it."""
    return pieces(text, SECTION)


def _escaped_pieces(text: str) -> list[str]:
    """Return a text in escaped pieces, each of at most 3000 characters."""
    found: list[str] = []
    for part in _pieces(text):
        if len(escaped(part)) <= SECTION:
            found.append(said(part))
        else:
            found += [escaped(part[at : at + SECTION // 5]) for at in range(0, len(part), SECTION // 5)]
    return [part if part.strip() else "–" for part in found]


def _fallback(text: str, escape: Callable[[str], str] = escaped) -> str:
    """Return the plain-text form of a message, escaped; cut with how much is left out."""
    shown, hidden = cut(text, FALLBACK)
    return escape(f"{shown}\n{hidden}" if hidden else shown) or "–"


def _with_ids(blocks: list[Block], mark: str) -> list[Block]:
    """Return blocks with an id each, unique in the message and new with each revision (R43)."""
    return [{**block, "block_id": f"{mark}.{at}"[-BLOCK_ID:]} for at, block in enumerate(blocks)]


_NO_UNFURL = {"unfurl_links": False, "unfurl_media": False}
