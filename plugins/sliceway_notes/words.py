"""How the agent says things: one or two friendly lines that say which slice, and quotes that say whose they are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sliceway import Hit, Page, Receipt, Scope, ToolAnswer, kind_of
from sliceway_notes.slugs import SMALL_WORDS

HELP = (
    "I keep notes and find them again. Try:\n"
    "• *remember that* build 2301 is the rollback target\n"
    "• *what do we know about* the rollback target?\n"
    "• *share with the team:* the on-call rotation moved to Mondays\n"
    "• *who said* …? · *forget* … · *undo* · *remember this* with a forwarded message"
)
WELCOME = "You're welcome."
NOT_UNDERSTOOD = (
    "I did not get that, and nothing was saved. Say *remember that …*, *what do we know about …?* or *help*."
)
FORWARDED_ALONE = "You passed a message on. Say *remember this* with it, and I keep it, marked as _forwarded_."
WHICH_WORDS = (
    "What shall I remember? Write it after the words: *remember that …*, or forward a message with *remember this*."
)
RECALL_WHAT = "What shall I look for? Try *what do we know about …?*"
WHO_SAID_WHAT = "Who said what? Try *who said …?* with a few of its words."
ONE_AT_A_TIME = (
    "I forget one note at a time, so that nothing is lost by mistake. Say *forget …* with a few of its words."
)
MAY_NOT_CHANGE = "I may change no notes here, so nothing was forgotten."
NOTHING_TO_UNDO = "There is nothing of yours in this thread to take back."

_QUOTED = 700
_MENTIONED = 100
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Found:
    """A note that was found, with its whole text or a part, and the line that says whose it is."""

    slice: str
    slug: str
    title: str
    text: str
    source: Page | Hit

    @classmethod
    def of_page(cls, page: Page) -> Found:
        """Return a page as found."""
        return cls(page.slice, page.slug, page.title, page.content, page)

    @classmethod
    def of_hit(cls, hit: Hit) -> Found:
        """Return a hit as found, with its snippet for text."""
        return cls(hit.slice, hit.slug, hit.title, hit.snippet, hit)


def fold(text: str) -> str:
    """Return a text as it is compared: without case, marks of punctuation and odd spaces."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def tokens(*texts: str) -> set[str]:
    """Return the words that carry meaning."""
    return {word for text in texts for word in fold(text).split() if word not in SMALL_WORDS}


def place_of(name: str, scope: Scope) -> str:
    """Return a slice in people's words, with its name."""
    if name == scope.mind:
        said = "my own notes"
    elif name == scope.corner:
        said = "your private corner"
    else:
        kind = kind_of(name)
        said = kind.title if kind is not None else "a slice"
    return f"{said} (`{name}`)"


def saved(answer: ToolAnswer, text: str, target: str, scope: Scope, *, forwarded: bool) -> str:
    """Say what became of a note."""
    shown = "what you said" if target == "user" and not scope.private else f"“{mention(text)}”"
    mark = ", marked as _forwarded_" if forwarded else ""
    landing = answer.proposal.slice if answer.proposal is not None else target
    if answer.outcome == "written" and answer.receipts:
        receipt = answer.receipts[0]
        where = place_of(receipt.slice, scope)
        if receipt.action == "nochange":
            return f"I have that already in {where}; nothing changed."
        under = ""
        if (grant := receipt.grant) is not None:
            under = f", under the standing yes of {grant.granted_by.shown} until {when(grant.until)}"
        replaced = " It replaces what was there before; *undo* takes that back." if receipt.action == "replace" else ""
        return f"Saved {shown} to {where}{mark}{under}.{replaced}"
    if answer.outcome == "draft":
        return (
            f"{shown} is a draft for {place_of(landing, scope)}{mark}, and only you see it. "
            "Press *Send to approvers* to ask for it, or *Keep private*."
        )
    if answer.outcome == "pending":
        return f"I asked for {shown} to be saved to {place_of(landing, scope)}{mark}. {told(answer)}"
    return told(answer) if answer.outcome == "denied" else f"That was not saved. {told(answer)}"


def quoted(found: Sequence[Found], names: Mapping[str, str], scope: Scope, *, more: int) -> str:
    """Quote notes, each with its source. What they say is data, shown and never acted on."""
    parts = [f"{quote(note.text)}\n{signed(note, names, scope)}" for note in found]
    if more > 0:
        parts.append(f"…and {more} more; ask with more words to narrow it down.")
    return "\n".join(parts)


def said_by(note: Found, names: Mapping[str, str], scope: Scope) -> str:
    """Say who said a note."""
    author = note.source.author
    person = author.on_behalf_of.shown if author.on_behalf_of is not None else author.shown
    return f"{person} said it:\n{quote(note.text)}\n{signed(note, names, scope)}"


def signed(note: Found, names: Mapping[str, str], scope: Scope) -> str:
    """Return the line under a quote: by whom, for whom, where, when, under whose yes, in which slice."""
    source, author = note.source, note.source.author
    by = f"written by {names.get(author.agent or '') or author.shown}"
    if author.on_behalf_of is not None:
        by += f" for {author.on_behalf_of.shown}"
    if (place := author.place) is not None:
        if place.kind == "im":
            by += " in a private session"
        elif place.channel:
            name = names.get(place.channel)
            by += f" in #{name.lstrip('#')}" if name else f" in <#{place.channel}>"
    by += f" on {when(source.updated_at)}"
    if source.approver is not None:
        yes = source.approver.name or source.approver.user
        by += f", approved by {yes or f'the operator {source.approver.operator}'}"
    if "forwarded" in source.tags:
        by += ", _forwarded_"
    return f"— {by}; from {place_of(note.slice, scope)}"


def which_one(found: Sequence[Found], names: Mapping[str, str], scope: Scope) -> str:
    """Ask which note is meant."""
    lines = [
        f"{number}. {mention(note.text)} ({signed(note, names, scope)[2:]})" for number, note in enumerate(found, 1)
    ]
    return "Several notes could be meant, so nothing was forgotten. Say *forget …* with words that one alone has:\n" + (
        "\n".join(lines)
    )


def forgotten(answer: ToolAnswer, note: Found, scope: Scope) -> str:
    """Say what became of the wish to forget."""
    where = place_of(note.slice, scope)
    if answer.outcome == "written":
        return f"Forgotten: “{mention(note.text)}”, from {where}. Say *undo* to bring it back."
    if answer.outcome == "draft":
        return (
            f"Taking “{mention(note.text)}” out of {where} is a draft that only you see: send it, or keep it private."
        )
    if answer.outcome == "pending":
        return f"I asked for “{mention(note.text)}” to be taken out of {where}. {told(answer)}"
    return f"“{mention(note.text)}” stays in {where}. {told(answer)}"


def undone(answer: ToolAnswer, receipt: Receipt, scope: Scope) -> str:
    """Say what became of the wish to take back."""
    where = place_of(receipt.slice, scope)
    if answer.outcome == "written":
        brought = "brought back" if receipt.action == "delete" else "taken back"
        return f"Done: the last change to `{receipt.slug}` in {where} is {brought}."
    if answer.outcome in {"pending", "draft"}:
        return f"I asked for the last change to `{receipt.slug}` in {where} to be taken back. {told(answer)}"
    return f"Nothing was taken back. {told(answer)}"


def listed(answer: ToolAnswer, scope: Scope) -> str:
    """List pages by title and slice."""
    if not answer.pages:
        return "I know of no notes that can be shown here."
    return "\n".join(
        ["The notes I can show here:", *(f"• {page.title} · {place_of(page.slice, scope)}" for page in answer.pages)]
    )


def nothing_found(answer: ToolAnswer, query: str) -> str:
    """Say that nothing was found, and where it was looked for; an outage is never an empty success (FR7)."""
    if answer.outcome in {"denied", "failed"}:
        return f"I could not look. {told(answer)}"
    read = ", ".join(f"`{name}`" for name in sorted(answer.slices_read)) or "nothing yet written"
    return f"I found nothing about “{mention(query)}” in what may be read here ({read})."


def nothing_to_forget(answer: ToolAnswer, query: str) -> str:
    """Say that no note that may be changed fits."""
    if answer.outcome in {"denied", "failed"}:
        return f"I could not look. {told(answer)}"
    return f"I found no note about “{mention(query)}” that I may change here, so nothing was forgotten."


def waiting(answer: ToolAnswer) -> str:
    """List what waits for a decision."""
    if answer.outcome != "found":
        return "Nothing that you asked for waits for a decision."
    lines = [f"• {line}" for line in told(answer).splitlines()]
    return "\n".join(["This waits for a decision; take one back with *withdraw* and its id:", *lines])


def told(answer: ToolAnswer) -> str:
    """Return what a tool said, with its times as people read them."""
    return _MOMENT.sub(lambda match: when(match[0]), answer.say).strip()


def quote(text: str) -> str:
    """Return a text as a quotation; a long one is cut and says so."""
    shown = text.strip()
    if len(shown) > _QUOTED:
        shown = f"{shown[:_QUOTED].rstrip()}… ({len(text.strip()) - _QUOTED} more characters)"
    return "\n".join(f"> {line}" for line in shown.splitlines())


def mention(text: str) -> str:
    """Return a text short enough for a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= _MENTIONED else line[:_MENTIONED].rstrip() + "…"


def when(moment: str) -> str:
    """Return a time as people read it."""
    at = datetime.fromisoformat(moment)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"
