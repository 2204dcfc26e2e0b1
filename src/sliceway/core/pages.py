"""Pages and their versions, and what is said of a write to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from sliceway.core.grants import GrantNote
from sliceway.core.records import Record
from sliceway.core.turns import Person, Place
from sliceway.errors import InvalidSlug

MAX_CONTENT = 256 * 1024
"""Bytes of UTF-8 in a page's content, at most."""
MAX_PAGES = 20
"""Pages in one write, at most."""
MOUNTED = "mount"
"""The surface of an author that is no caller but a folder, mounted as reference."""
MAX_SLUG = 200
MAX_TITLE = 300
MAX_SUMMARY = 2000
MAX_TAGS = 32
MAX_TAG = 64

_SLUG = re.compile(r"[a-z0-9._/-]{1,200}")
_HEADING = re.compile(r"^#[ \t]+(\S[^\r\n]*)$", re.MULTILINE)
_WIKILINK = re.compile(r"\[\[([^\[\]|\n]{1,200})(?:\|[^\[\]\n]*)?\]\]")


def check_slug(text: str) -> str:
    """Return the slug `text`, unchanged.

    :raises InvalidSlug: it has other characters than `a-z0-9._/-`, is empty or longer than 200, or has an empty,
        `.` or `..` segment.
    """
    if not _SLUG.fullmatch(text) or any(part in {"", ".", ".."} for part in text.split("/")):
        raise InvalidSlug()
    return text


def wikilinks(content: str) -> tuple[str, ...]:
    """Return the slugs that `[[…]]` in a text point at, each once, in order; what is no slug is plain text (BR9)."""
    found: dict[str, None] = {}
    for match in _WIKILINK.finditer(content):
        target = re.sub(r"\s+", "-", match[1].strip().casefold())
        try:
            found[check_slug(target)] = None
        except InvalidSlug:
            continue
    return tuple(found)


def title_of(slug: str, content: str) -> str:
    """Return the title of a page that was given none: its first heading, else its slug."""
    match = _HEADING.search(content)
    return match[1].strip() if match is not None and len(match[1].strip()) <= MAX_TITLE else slug


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class PageDraft:
    """A page as a caller gives it. `after` names the page it follows in a conversation."""

    slug: str
    content: str
    title: str | None = None
    summary: str | None = None
    tags: tuple[str, ...] = ()
    kind: str | None = None
    after: str | None = None
    if_version: int | None = None

    @property
    def size(self) -> int:
        """Bytes that a person would have to read."""
        return sum(len(text.encode()) for text in (self.content, self.title or "", self.summary or "", *self.tags))


@dataclass(frozen=True, slots=True)
class Author(Record):
    """Who wrote a version: from the principal and the origin, never from the call's body (BR3).

    `imported_from` is what a file said of an imported one: read as that, and no author.
    """

    agent: str | None
    token_id: str | None
    on_behalf_of: Person | None
    surface: str
    place: Place | None = None
    imported_from: Imported | None = None

    @property
    def shown(self) -> str:
        """Return who wrote it as people are told: of what was imported, that it was, and who wrote it elsewhere."""
        if self.surface == MOUNTED:
            return "a mounted folder"
        if self.imported_from is not None and self.imported_from.author.agent is not None:
            return f"{self.imported_from.author.agent} (imported)"
        return self.agent or "an import"


@dataclass(frozen=True, slots=True)
class Imported(Record):
    """What an imported version was where it came from: its slice, event and time, and who wrote it with whose yes."""

    slice: str
    event_id: str
    at: str
    author: Author
    approver: ApprovedBy | None = None


@dataclass(frozen=True, slots=True)
class ApprovedBy(Record):
    """Under whose yes: a person, or the operator; `relayed_by` is the token that said who clicked."""

    team: str | None = None
    user: str | None = None
    name: str | None = None
    operator: str | None = None
    relayed_by: str | None = None
    self_approval: bool = False


class Action(StrEnum):
    """What a write really did to a page."""

    STORE = "store"
    REPLACE = "replace"
    NOCHANGE = "nochange"
    DELETE = "delete"
    RESTORE = "restore"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Replaced(Record):
    """The version that a write replaced."""

    version: int
    author: Author
    at: str


@dataclass(frozen=True, slots=True)
class Receipt(Record):
    """What really happened, in which slice, by whom, under whose yes.

    `event_id` is what `undo` takes; on `nochange` it is the event of the standing version.
    """

    slice: str
    slug: str
    version: int
    action: Action
    author: Author
    event_id: str
    at: str
    replaced: Replaced | None = None
    approver: ApprovedBy | None = None
    grant: GrantNote | None = None
    replayed: bool | None = None


@dataclass(frozen=True, slots=True)
class Link(Record):
    """One end of a link inside the reader's scope; `slice` and `title` are None where no readable page has the slug."""

    slug: str
    slice: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Page(Record):
    """A page as a reader sees it."""

    slice: str
    slug: str
    title: str
    content: str
    summary: str | None
    tags: tuple[str, ...]
    kind: str | None
    version: int
    author: Author
    approver: ApprovedBy | None
    created_at: str
    updated_at: str
    event_id: str
    links: tuple[Link, ...] = ()
    backlinks: tuple[Link, ...] = ()
    after: str | None = None


@dataclass(frozen=True, slots=True)
class PageEntry(Record):
    """A page in a list: everything but the text."""

    slice: str
    slug: str
    title: str
    summary: str | None
    tags: tuple[str, ...]
    kind: str | None
    version: int
    author: Author
    approver: ApprovedBy | None
    updated_at: str


@dataclass(frozen=True, slots=True)
class VersionEntry(Record):
    """One version of a page in its history; `title` is None where the page was deleted by it."""

    version: int
    action: Action
    title: str | None
    author: Author
    approver: ApprovedBy | None
    at: str
    event_id: str
    erased: bool = False


@dataclass(frozen=True, slots=True)
class Listing(Record, Generic[Item]):
    """A part of a list; `next_cursor` is None at its end (BR13)."""

    items: tuple[Item, ...]
    next_cursor: str | None = None

    def __iter__(self) -> Iterator[Item]:
        """Walk the items."""
        return iter(self.items)


@dataclass(frozen=True, slots=True)
class Hit(Record):
    """One page that a recall found, and why it matched: `title`, `slug`, `phrase`, `keyword`, or `neighbour` where the
    pages around it have the words (FR1).

    `marks` are the words asked for in the snippet: from and up to which of its characters (code points). `related` are
    pages that it points at or that point at it, inside the slices that were read; empty for what was (`as_of`).
    """

    slice: str
    slug: str
    title: str
    snippet: str
    score: float
    matched: tuple[str, ...]
    author: Author
    approver: ApprovedBy | None
    version: int
    updated_at: str
    tags: tuple[str, ...] = ()
    kind: str | None = None
    marks: tuple[tuple[int, int], ...] = ()
    related: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class RecallResult(Record):
    """What a recall found, where it looked, what was missing from the search, and why it found nothing."""

    hits: tuple[Hit, ...]
    slices_read: tuple[str, ...]
    degraded: tuple[str, ...] = ()
    reason: str | None = None
    as_of_resolved: str | None = None
