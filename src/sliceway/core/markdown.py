"""A markdown file of a mounted folder as a page: its slug, its front matter, its links (FR1, BR9). Pure."""

from __future__ import annotations

import hashlib
import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

import yaml

from sliceway.core.clock import parse_time
from sliceway.core.pages import check_slug
from sliceway.errors import InvalidSlug, InvalidTime

SUFFIXES = (".md", ".markdown")
"""What the name of a markdown file ends in, in any case."""
MAX_FRONT = 16 * 1024
"""Characters of front matter, at most."""

_FRONT = re.compile(r"---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+[^`\n]*`+)")
_RELATIVE = re.compile(r"(?<!!)\[([^\[\]\n]*)\]\(<?([^()<>\s]+)>?(?:\s+\"[^\"\n]*\")?\)")
_WIKI = re.compile(r"(?<!!)\[\[([^\[\]|\n]{1,200})(?:\|([^\[\]\n]*))?\]\]")


class Unusable(Exception):
    """A file that is no page; its text says why, for whoever keeps the folder."""


class _Words(yaml.BaseLoader):
    """Reads lists, mappings and texts, and nothing else: no types are guessed, no name is repeated, nothing refers."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise Unusable("its front matter refers to another part of itself (&, *), which is not read")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value]
        if len(names) != len({str(name) for name in names}):
            raise Unusable("its front matter says the same name twice")
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


def front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """Return what stands between `---` lines at the beginning of a file, and the text after it.

    :raises Unusable: it has no end, is too long, or is no YAML mapping.
    """
    if not re.match(r"---[ \t]*\r?\n", text):
        return {}, text
    match = _FRONT.match(text)
    if match is None:
        raise Unusable("its front matter has no end: a line of --- is missing")
    if len(match[1]) > MAX_FRONT:
        raise Unusable(f"its front matter is longer than {MAX_FRONT} characters")
    try:
        loader = _Words(match[1])
        found = loader.get_single_data()
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 2}" if error.problem_mark is not None else ""
        raise Unusable(f"its front matter is no YAML{line}: {error.problem or 'it cannot be read'}") from None
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        raise Unusable("its front matter is no YAML") from None
    if found is not None and not isinstance(found, dict):
        raise Unusable("its front matter is no list of names with values")
    return found or {}, text[match.end() :]


def fields_of(front: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a page that front matter gives; other names in it are left aside. A `date` becomes a tag.

    :raises Unusable: one has a value that it cannot have.
    """
    found = {name: _word(front, name) for name in ("title", "kind", "summary")}
    tags = front.get("tags") or []
    listed = tags.split(",") if isinstance(tags, str) else tags
    if not isinstance(listed, list) or not all(isinstance(tag, str) for tag in listed):
        raise Unusable("its tags are no list of words")
    names = [tag.strip().removeprefix("#").strip() for tag in listed]
    date = _word(front, "date")
    if date is not None:
        try:
            parse_time(date)
        except InvalidTime:
            raise Unusable("its date is no date like 2026-05-04") from None
        names.append(f"date:{date}")
    return {**found, "tags": tuple(dict.fromkeys(filter(None, names)))}


def _word(front: Mapping[str, Any], name: str) -> str | None:
    value = front.get(name)
    if value is not None and not isinstance(value, str):
        raise Unusable(f"its {name} is no text")
    return value.strip() or None if value is not None else None


def slug_of(path: str) -> str:
    """Return the slug of a file by its path in the folder: lower case, without marks, other characters as `-`.

    :raises Unusable: the path is too long for one.
    """
    slug = "/".join(map(_segment, _bare(path).split("/")))
    try:
        return check_slug(slug)
    except InvalidSlug:
        raise Unusable("its path is too long to be the slug of a page") from None


def _segment(name: str) -> str:
    plain = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    segment = re.sub(r"[^a-z0-9._]+", "-", plain.casefold()).strip("-.")
    return segment or f"page-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def _bare(path: str) -> str:
    return next((path[: -len(end)] for end in SUFFIXES if path.lower().endswith(end)), path)


class Links:
    """The pages of a folder, as links in its files may name them."""

    def __init__(self, slugs: Mapping[str, str]) -> None:
        """Know the slug of each file by its path."""
        self._by_path = dict(slugs)
        self._slugs = set(slugs.values())
        self._by_name: dict[str, set[str]] = {}
        for slug in self._slugs:
            self._by_name.setdefault(posixpath.basename(slug), set()).add(slug)

    def rewritten(self, path: str, text: str) -> str:
        """Return the text of a file with its links to other files of the folder as `[[slug|words]]`; what leads
        elsewhere, or stands in code, is left as it is."""
        folder, fence, lines = posixpath.dirname(path), "", []
        for line in text.splitlines(keepends=True):
            mark = _FENCE.match(line)
            if fence:
                fence = "" if mark is not None and mark[1].startswith(fence) else fence
            elif mark is not None:
                fence = mark[1]
            else:
                line = self._line(folder, line)
            lines.append(line)
        return "".join(lines)

    def _line(self, folder: str, line: str) -> str:
        parts = _CODE.split(line)
        parts[::2] = [self._prose(folder, part) for part in parts[::2]]
        return "".join(parts)

    def _prose(self, folder: str, text: str) -> str:
        def wiki(match: re.Match[str]) -> str:
            slug = self._named(folder, match[1])
            return match[0] if slug is None else _link(slug, match[2] or match[1])

        def relative(match: re.Match[str]) -> str:
            target = unquote(match[2].partition("#")[0])
            slug = self._by_path.get(posixpath.normpath(posixpath.join(folder, target))) if target else None
            return match[0] if slug is None else _link(slug, match[1])

        return _RELATIVE.sub(relative, _WIKI.sub(wiki, text))

    def _named(self, folder: str, target: str) -> str | None:
        """Return the page that a wiki link names: by its path from here or from the top, or by a name that one has."""
        name = target.partition("#")[0].strip()
        if not name:
            return None
        for base in (folder, ""):
            path = posixpath.normpath(posixpath.join(base, name))
            slug = None if path.startswith("..") else "/".join(map(_segment, _bare(path).split("/")))
            if slug in self._slugs:
                return slug
        called = self._by_name.get(_segment(_bare(posixpath.basename(name))), set())
        return next(iter(called)) if len(called) == 1 and "/" not in name else None


def _link(slug: str, words: str) -> str:
    return f"[[{slug}]]" if words.strip() in {"", slug} else f"[[{slug}|{words}]]"


def slugs_of(paths: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the slug of each file, and why a file has none: of two that come to the same, the first by name has it."""
    found: dict[str, str] = {}
    wrong: dict[str, str] = {}
    whose: dict[str, str] = {}
    for path in sorted(paths):
        try:
            slug = slug_of(path)
        except Unusable as error:
            wrong[path] = str(error)
            continue
        if slug in whose:
            wrong[path] = f"it would be the page {slug}, which {whose[slug]} is already"
            continue
        found[path], whose[slug] = slug, path
    return found, wrong
