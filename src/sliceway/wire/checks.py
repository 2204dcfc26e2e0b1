"""Text and names as callers give them: refused with the field and the reason, never mended (BR5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError

from sliceway.core.clock import parse_time
from sliceway.core.ids import display_name
from sliceway.core.pages import MAX_CONTENT, MAX_SLUG, MAX_SUMMARY, MAX_TAG, MAX_TITLE, check_slug
from sliceway.core.refusal_words import words_of
from sliceway.errors import AuthorMismatch, FieldError, InvalidRequest, InvalidSlug, InvalidTime, TooLarge

MAX_ID = 256
MAX_QUERY = 4000
MAX_PATH = 4096
MAX_REASON = 2000
MAX_LIST = 200
"""Items in one part of a list, at most (BR13)."""
MAX_NAMES = 1000
"""Ids or names that one field may list."""
MAX_NUMBER = 2**31 - 1
"""The highest version or revision there can be: what a column of whole numbers holds on every engine."""
_LONGEST_PATH = 120

_LINE_CHARACTERS = frozenset("\t\n\r")


class Strict(BaseModel):
    """A model that refuses unknown fields and other types than it names."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, hide_input_in_errors=True, defer_build=True
    )  # fmt: skip


def _check(text: str, *, lines: bool, longest: int) -> str:
    """Return `text` unchanged when it is plain text that says something."""
    if len(text) > longest:
        raise PydanticCustomError("too_long", "at most {longest} characters", {"longest": longest})
    if not any(not char.isspace() and unicodedata.category(char) != "Cf" for char in text):
        raise PydanticCustomError("blank", "it is blank; leave it out or say something")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise PydanticCustomError("lone_surrogate", "it holds half of a character (a lone surrogate)") from None
    if not text.isprintable():
        for char in text:
            if unicodedata.category(char) == "Cc" and not (lines and char in _LINE_CHARACTERS):
                shown = f"U+{ord(char):04X}"
                raise PydanticCustomError(
                    "control_character", "it holds the control character {shown}", {"shown": shown}
                )
    return text


def _text(longest: int, *, lines: bool = False) -> Callable[[str], str]:
    return lambda text: _check(text, lines=lines, longest=longest)


def _content(text: str) -> str:
    too_large = PydanticCustomError("too_large", "a page is at most 256 KiB; split it")
    if len(text) > MAX_CONTENT:
        raise too_large
    checked = _check(text, lines=True, longest=MAX_CONTENT)
    if len(checked.encode()) > MAX_CONTENT:
        raise too_large
    return checked


def _slug(text: str) -> str:
    try:
        return check_slug(text)
    except InvalidSlug as error:
        raise PydanticCustomError("invalid_slug", "{detail}", {"detail": error.detail}) from None


def _time(text: str) -> str:
    try:
        parse_time(text)
    except InvalidTime as error:
        raise PydanticCustomError("invalid_time", "{detail}", {"detail": error.detail}) from None
    return text


def _shape(longest: int, **more: Any) -> WithJsonSchema:
    """Return how a text is described to others, as far as JSON Schema can."""
    return WithJsonSchema({"type": "string", "minLength": 1, "maxLength": longest, **more})


Content = Annotated[str, AfterValidator(_content), _shape(MAX_CONTENT)]
Slug = Annotated[
    str, Field(max_length=MAX_SLUG * 10), AfterValidator(_slug), _shape(MAX_SLUG, pattern="^[a-z0-9._/-]+$")
]
Title = Annotated[str, AfterValidator(_text(MAX_TITLE)), _shape(MAX_TITLE)]
Summary = Annotated[str, AfterValidator(_text(MAX_SUMMARY, lines=True)), _shape(MAX_SUMMARY)]
Tag = Annotated[str, AfterValidator(_text(MAX_TAG)), _shape(MAX_TAG)]
Label = Annotated[str, AfterValidator(_text(MAX_ID)), _shape(MAX_ID)]
Query = Annotated[str, AfterValidator(_text(MAX_QUERY, lines=True)), _shape(MAX_QUERY)]
Reason = Annotated[str, AfterValidator(_text(MAX_REASON, lines=True)), _shape(MAX_REASON)]
Folder = Annotated[str, AfterValidator(_text(MAX_PATH)), _shape(MAX_PATH)]
Time = Annotated[str, AfterValidator(_time), WithJsonSchema({"type": "string", "examples": ["2026-05-04T09:30:00Z"]})]
Version = Annotated[int, Field(ge=1, le=MAX_NUMBER)]
IfVersion = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Limit = Annotated[int, Field(ge=1, le=MAX_LIST)]

Model = TypeVar("Model", bound=BaseModel)

_CODES = {
    "extra_forbidden": "unknown_field",
    "missing": "missing",
    "invalid_slug": "invalid_slug",
    "invalid_time": "invalid_time",
    "too_large": "too_large",
    "blank": "blank",
    "too_long": "too_long",
    "lone_surrogate": "lone_surrogate",
    "control_character": "control_character",
}
NO_AUTHOR = "the author is known from the caller; leave `author` out"
_PAGE_AUTHOR = re.compile(r"(?:pages\.\d+|page)\.author", re.ASCII)
_OWN = frozenset({"blank", "control_character", "invalid_slug", "invalid_time", "lone_surrogate", "place", "too_large"})
"""The kinds of refusal that are made in this file, with their words."""


def checked(model: type[Model], /, **fields: Any) -> Model:
    """Return `fields` as `model`.

    :raises InvalidRequest: with an error for each field that is wrong; `InvalidSlug` or `InvalidTime` where that is
        all that is wrong.
    :raises TooLarge: a content is over its limit and nothing else is wrong.
    :raises AuthorMismatch: a page names an author and nothing else is wrong.
    """
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise refusal(field_errors(error)) from None


def field_errors(error: ValidationError) -> list[FieldError]:
    """Return what is wrong with each field of a call, as a caller is told."""
    return [_field_error(found) for found in error.errors(include_url=False, include_input=False)]


def shown_field(path: str) -> str:
    """Return the name of a field as an error may repeat it: it may be a caller's own word for one there is not."""
    if len(path) > _LONGEST_PATH or not path.isprintable():
        return display_name(path[:_LONGEST_PATH])
    return path


def plain(value: Any) -> Any:
    """Return what a caller gave with every mapping in it as a dict: a call takes whatever reads as one."""
    if isinstance(value, Mapping):
        return {name: plain(item) if isinstance(item, Mapping) else item for name, item in value.items()}
    return value


def listed(value: Any) -> Any:
    """Return a set or tuple as the list that a call's model takes; a text is no list, and left for it to refuse."""
    return list(value) if isinstance(value, tuple | set | frozenset) else value


def refusal(errors: list[FieldError]) -> InvalidRequest | TooLarge | AuthorMismatch:
    """Return the error for what is wrong with the fields of a call."""
    codes = {error.code for error in errors}
    if codes == {"author_mismatch"}:
        return AuthorMismatch(NO_AUTHOR, field=errors[0].field)
    if codes == {"too_large"}:
        return TooLarge("; ".join(f"{error.field}: {error.detail}" for error in errors), field=errors[0].field)
    if codes == {"invalid_slug"}:
        return InvalidSlug(errors=errors)
    if codes == {"invalid_time"}:
        return InvalidTime(errors=errors)
    return InvalidRequest(errors=errors)


def author_given(path: str) -> FieldError:
    """Return what is wrong with an `author` in a write: who writes is known from the caller alone (BR3)."""
    return FieldError(path, "author_mismatch", NO_AUTHOR)


def _field_error(found: ErrorDetails) -> FieldError:
    path = shown_field(".".join(str(part) for part in found["loc"]))
    kind = found["type"]
    if kind == "extra_forbidden" and _PAGE_AUTHOR.fullmatch(path):
        return author_given(path)
    code = "lone_surrogate" if kind == "string_unicode" else _CODES.get(kind, "invalid_request")
    return FieldError(path, code, _words(kind, found))


def _words(kind: str, found: ErrorDetails) -> str:
    """Return what is wrong in our words; `too_long` is ours of a text, and the validator's of a list."""
    context = found.get("ctx", {})
    if kind in _OWN or (kind == "too_long" and "longest" in context):
        return found["msg"]
    return words_of(kind, context)
