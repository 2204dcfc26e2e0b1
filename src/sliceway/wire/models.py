"""The fields of calls, as the HTTP table names them; the same for every caller."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from sliceway.core.pages import MAX_PAGES, MAX_TAGS, PageDraft
from sliceway.core.principals import NO_ORIGIN, Origin
from sliceway.core.turns import Person, Place, PlaceKind, Standing
from sliceway.errors import FieldError, InvalidRequest
from sliceway.wire.checks import (
    MAX_NAMES,
    Content,
    IfVersion,
    Label,
    Limit,
    Query,
    Reason,
    Slug,
    Strict,
    Summary,
    Tag,
    Time,
    Title,
    Version,
    checked,
    plain,
)


def _no_text(value: Any) -> Any:
    """Refuse what is no list, and let a set have no say in the order."""
    if not isinstance(value, list | tuple):
        raise PydanticCustomError("list_type", "it must be a list")
    return value


Names = Annotated[tuple[Label, ...], Field(max_length=MAX_NAMES, strict=False), BeforeValidator(_no_text)]
"""Ids or names in a list."""
Tags = Annotated[tuple[Tag, ...], Field(max_length=MAX_TAGS, strict=False), BeforeValidator(_no_text)]
"""Tags in a list; strict about each, not about which kind of list."""

_BY_FIRST_LETTER = {"D": PlaceKind.IM, "G": PlaceKind.PRIVATE}


class PageModel(Strict):
    """A page as a caller gives it."""

    slug: Slug
    content: Content
    title: Title | None = None
    summary: Summary | None = None
    tags: Tags = ()
    kind: Tag | None = None
    after: Slug | None = None
    if_version: IfVersion | None = None

    def draft(self) -> PageDraft:
        """Return it as the inside knows it; a tag given twice counts once."""
        return PageDraft(
            slug=self.slug, content=self.content, title=self.title, summary=self.summary,
            tags=tuple(dict.fromkeys(self.tags)), kind=self.kind, after=self.after, if_version=self.if_version,
        )  # fmt: skip


class PersonModel(Strict):
    """A person by ids. `standing` is said where chat knows them as less than a full member; it only lowers rights."""

    team: Label
    user: Label
    enterprise: Label | None = None
    name: Label | None = None
    standing: Literal["member", "guest", "stranger", "bot", "gone"] | None = None

    def person(self) -> Person:
        """Return the person."""
        return Person(self.team, self.user, self.enterprise, self.name, Standing(self.standing or Standing.MEMBER))


class PlaceModel(Strict):
    """A place. `kind`, `external` and `guests` are said where the ids do not tell them."""

    surface: Label
    team: Label | None = None
    channel: Label | None = None
    thread: Label | None = None
    link: Label | None = None
    private: bool = False
    kind: Literal["channel", "private", "im", "mpim", "background"] | None = None
    external: bool = False
    guests: bool = False

    def place(self) -> Place:
        """Return the place.

        :raises InvalidRequest: it is a place in chat without team or channel.
        """
        kind = PlaceKind(self.kind) if self.kind else kind_by_ids(self.surface, self.channel or "")
        if kind is not PlaceKind.BACKGROUND and not (self.team and self.channel):
            raise InvalidRequest(
                errors=[FieldError("origin.place", "missing", "a place in chat has a team and a channel")]
            )
        return Place(
            surface=self.surface, team=self.team or "", channel=self.channel or "", thread=self.thread, kind=kind,
            external=self.external, guests=self.guests, link=self.link,
        )  # fmt: skip


def kind_by_ids(surface: str, channel: str) -> PlaceKind:
    """Return what kind of place it is by what the ids alone tell."""
    if surface == "background":
        return PlaceKind.BACKGROUND
    return _BY_FIRST_LETTER.get(channel[:1], PlaceKind.CHANNEL)


class OriginModel(Strict):
    """Where a call comes from."""

    person: PersonModel | None = None
    place: PlaceModel | None = None
    turn: Label | None = None

    def origin(self) -> Origin:
        """Return the origin; `place.private` marks a private turn."""
        place = self.place.place() if self.place is not None else None
        person = self.person.person() if self.person is not None else None
        private = self.place is not None and self.place.private
        return Origin(person=person, place=place, private=private, turn=self.turn)


class _OriginField(Strict):
    origin: OriginModel


class _PersonField(Strict):
    by: PersonModel


class WriteCall(Strict):
    """`write_pages`."""

    slice: Label
    pages: Annotated[list[PageModel], Field(min_length=1, max_length=MAX_PAGES)]
    request_id: Label | None = None
    dry_run: bool = False


class ChangeCall(Strict):
    """`delete`, `restore` and `undo`."""

    slice: Label
    slug: Slug
    version: Version | None = None
    if_version: Version | None = None
    expected_event: Label | None = None
    reason: Reason | None = None
    request_id: Label | None = None


class ReadCall(Strict):
    """`read_page` and `versions`."""

    slice: Label
    slug: Slug
    version: Version | None = None
    as_of: Time | None = None
    slices: list[Label] | None = None
    limit: Limit = 50
    cursor: Label | None = None


class ListCall(Strict):
    """`list_pages`."""

    slice: Label | None = None
    slices: list[Label] | None = None
    saved_by: Label | None = None
    tag: Tag | None = None
    kind: Tag | None = None
    limit: Limit = 50
    cursor: Annotated[str, Field(max_length=2000)] | None = None


class RecallCall(Strict):
    """`recall`."""

    query: Query
    slices: list[Label] | None = None
    saved_by: Label | None = None
    tags: Tags = ()
    kind: Tag | None = None
    since: Time | None = None
    until: Time | None = None
    as_of: Time | None = None
    prefix: bool = False
    limit: Limit = 10


def page_fields(page: Any) -> Any:
    """Return a page, given as the dataclass or as a mapping, as the fields of the call."""
    return _fields_of(page) if isinstance(page, PageDraft) else plain(page)


def pages_fields(pages: Any) -> Any:
    """Return the pages of a call as its model takes them; what is no list of pages is left for it to refuse."""
    return [page_fields(page) for page in pages] if isinstance(pages, list | tuple) else pages


def _fields_of(given: Any) -> dict[str, Any]:
    return {name: getattr(given, name) for name in type(given).__dataclass_fields__}


def to_drafts(pages: Any) -> tuple[PageDraft, ...]:
    """Return pages as callers give them as drafts, checked.

    :raises InvalidRequest: a field is wrong. :raises TooLarge: a content is over 256 KiB.
    """
    call = checked(WriteCall, slice="shared", pages=pages_fields(pages))
    return tuple(page.draft() for page in call.pages)


def to_origin(origin: Any) -> Origin:
    """Return an origin, given as the dataclass, as a mapping, or not at all, checked.

    :raises InvalidRequest: a field is wrong.
    """
    if origin is None:
        return NO_ORIGIN
    if origin is NO_ORIGIN:
        return origin
    if isinstance(origin, Origin):
        if origin.private and origin.place is None:
            detail = "a private turn happens in a place; say which"
            raise InvalidRequest(errors=[FieldError("origin.place", "missing", detail)])
        checked(_OriginField, origin=origin_fields(origin)).origin.origin()
        return origin
    return checked(_OriginField, origin=plain(origin)).origin.origin()


def origin_fields(origin: Origin) -> dict[str, Any]:
    """Return an origin that is given as the dataclass as a mapping would give it: no way in goes unchecked (BR5)."""
    place: Any = origin.place
    if isinstance(place, Place):
        fields = {**_fields_of(place), "team": place.team or None, "channel": place.channel or None}
        kind: Any = fields["kind"]
        place = {**fields, "kind": kind.value if isinstance(kind, PlaceKind) else kind, "private": origin.private}
    return {"person": person_fields(origin.person), "place": place, "turn": origin.turn}


def person_fields(person: Any) -> Any:
    """Return a person, given as the dataclass or as a mapping, as a mapping would give them."""
    if not isinstance(person, Person):
        return plain(person)
    known: Any = person.standing
    return {
        **_fields_of(person), "name": person.name or None,
        "standing": known.value if isinstance(known, Standing) else known,
    }  # fmt: skip


def to_person(person: Any, field: str = "by") -> Person:
    """Return a person, given as the dataclass or as a mapping, checked.

    :param field: what the call names it, for the error.
    :raises InvalidRequest: a field is wrong.
    """
    try:
        found = checked(_PersonField, by=person_fields(person)).by.person()
        return person if isinstance(person, Person) else found
    except InvalidRequest as error:
        renamed = [FieldError(each.field.replace("by", field, 1), each.code, each.detail) for each in error.errors]
        raise InvalidRequest(errors=renamed) from None
