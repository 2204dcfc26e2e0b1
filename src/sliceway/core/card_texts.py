"""The pages of a proposal as a card shows them: made visible, cut honestly, set against what they replace. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sliceway.core.cards import Card, CardText, Fact
from sliceway.core.clock import from_text
from sliceway.core.pages import PageDraft
from sliceway.core.proposals import PageDiff, Proposal, ProposedPage
from sliceway.core.text import cut, size_words, visible

_LEAST, _LEAST_FIELD = 200, 75
"""Characters of each page, and of its title and the like, that are shown even where twenty share a card."""
FALLBACK = 3000
"""Characters of a card's plain-text form."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How many characters are shown: of page text, of diff, of each title, summary and the like; all pages
    together."""

    texts: int
    diffs: int
    field: int


WHOLE = Budget(texts=1 << 30, diffs=12_000, field=1 << 30)
"""Everything that would be written; of what it replaces, as much as a form holds."""


def texts_of(proposal: Proposal, budget: Budget) -> tuple[tuple[CardText, ...], tuple[str, ...]]:
    """Return the pages of a proposal as texts, and a warning for each kind of strange character in them."""
    diffs = {diff.slug: diff for diff in proposal.diff}
    share = max(1, len(proposal.pages))
    each = Budget(
        max(_LEAST, budget.texts // share), max(_LEAST, budget.diffs // share), max(_LEAST_FIELD, budget.field // share)
    )
    warnings: dict[str, None] = {}
    texts = tuple(_text_of(page, diffs.get(page.slug), proposal.op, each, warnings) for page in proposal.pages)
    return texts, tuple(warnings)


def _text_of(page: ProposedPage, diff: PageDiff | None, op: str, budget: Budget, warnings: dict[str, None]) -> CardText:
    """Return one page as a text."""

    def seen(text: str) -> str:
        shown, odd = visible(text)
        warnings.update(dict.fromkeys(odd))
        return shown

    draft, before = page.draft, diff.before if diff is not None else None
    body = draft.content if draft is not None else (before or "") if op == "delete" else ""
    shown, hidden = cut(seen(body), budget.texts)
    changed = diff is not None and before is not None and op != "delete"
    lines, diff_hidden = cut(seen("\n".join(diff.lines)) if diff is not None and changed else "", budget.diffs)
    title, more = None, []
    for label, words in _fields(draft):
        if label == "Title" and words == body:
            continue  # the very text stands below it
        part, rest = cut(seen(words), budget.field)
        hidden = hidden or (f"{rest} of its {label.lower()}" if rest else None)
        if label == "Title":
            title = part
        else:
            more.append((label, f"{part} {rest}" if rest else part))
    return CardText(
        slug=page.slug,
        title=title,
        text=shown,
        hidden=hidden,
        replaces=_replaces(page, before),
        diff=tuple(lines.split("\n")) if lines else (),
        diff_hidden=diff_hidden,
        more=tuple(more),
    )


def _fields(draft: PageDraft | None) -> list[tuple[str, str]]:
    """Return what would be written beside a page's text."""
    if draft is None:
        return []
    listed = (
        ("Title", draft.title),
        ("Summary", draft.summary),
        ("Tags", ", ".join(draft.tags)),
        ("Kind", draft.kind),
        ("Follows", draft.after),
    )
    return [(label, words) for label, words in listed if words]


def _replaces(page: ProposedPage, before: str | None) -> str | None:
    """Return in words what stands there now, None where the page is new."""
    if page.base_version is None:
        return None
    size = f", {size_words(len(before.encode('utf-8', 'surrogatepass')))}" if before is not None else ""
    return f"version {page.base_version}{size}"


def plain_text(card: Card, names: Mapping[str, str]) -> str:
    """Return a card in plain text: for notifications, screen readers and logs of tests; cut like the card itself.

    :param names: what people and channels are called, by id; no id is shown of who or what has no name there.
    """
    lines = [card.heading, *(f"Warning: {warning}" for warning in card.warnings)]
    if card.outcome is not None:
        lines.append(fact_text(card.outcome, names))
    lines += [fact_text(fact, names) for fact in card.facts]
    for text in card.texts:
        lines += ["", f"{text.slug}: {text.title}" if text.title else text.slug]
        if text.replaces:
            lines.append(f"Replaces {text.replaces}")
        lines += [text.text] if text.text else []
        lines += [text.hidden] if text.hidden else []
        lines += [f"{label}: {words}" for label, words in text.more]
    shown, hidden = cut("\n".join(lines), FALLBACK)
    return f"{shown}\n{hidden}" if hidden else shown


def fact_text(fact: Fact, names: Mapping[str, str]) -> str:
    """Return a fact in plain text; a moment in UTC, people and channels by name."""
    parts = [fact.words, _people_words(fact.people, names)]
    if fact.channel:
        parts.append(names.get(fact.channel) or "a channel")
    if fact.at is not None:
        parts.append(f"{from_text(fact.at):%Y-%m-%d %H:%M} UTC")
    parts.append(fact.link or "")
    return f"{fact.label}: {' · '.join(part for part in parts if part)}"


def _people_words(people: tuple[str, ...], names: Mapping[str, str]) -> str:
    """Return people by name, each once; those without a name are counted."""
    known = [names[user] for user in dict.fromkeys(people) if names.get(user)]
    unknown = len(set(people)) - len(known)
    if not unknown:
        return ", ".join(known)
    if known:
        return f"{', '.join(known)} and {unknown} more"
    return "somebody" if unknown == 1 else f"{unknown} people"
