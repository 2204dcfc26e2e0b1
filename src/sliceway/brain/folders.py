"""A folder of markdown on this machine, looked at without following any link out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sliceway.core.markdown import SUFFIXES, Links, Unusable, fields_of, front_matter
from sliceway.core.pages import MAX_CONTENT, PageDraft
from sliceway.errors import InvalidRequest, TooLarge
from sliceway.wire.checks import checked
from sliceway.wire.models import PageModel

MAX_FILES = 20_000
"""Files of one folder, at most: what holds more is mounted in parts."""
BEING_WRITTEN = "it is being written"
_MAX_FILE = MAX_CONTENT + 64 * 1024
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC

Mark = tuple[int, int, int]
"""What changes with a file: its time, its size, and which file it is."""


class NoFolder(Exception):
    """A folder that cannot be looked at; its text says why."""


@dataclass(slots=True)
class Look:
    """What one look found: the markdown files, and what cannot be one. `whole` says that what is not there is gone."""

    marks: dict[str, Mark] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    whole: bool = True


def look(folder: str) -> Look:
    """Return which files a folder has, its parts included; hidden ones are left aside, and no link is followed.

    :raises NoFolder: it is not there, no folder any more, or holds too much.
    """
    found = Look()
    os.close(_root(folder))
    for path, parent, name in _files(folder, found):
        try:
            about = os.stat(name, dir_fd=parent, follow_symlinks=False)
        except OSError:
            continue  # it went away while we looked
        if stat.S_ISLNK(about.st_mode):
            found.problems[path] = "it is a link, and links are not followed"
        elif stat.S_ISREG(about.st_mode):
            found.marks[path] = _mark(about)
        if len(found.marks) > MAX_FILES:
            raise NoFolder(f"the folder holds more than {MAX_FILES:,} markdown files: mount its parts")
    return found


def _root(folder: str) -> int:
    try:
        return os.open(folder, _FOLDER)
    except OSError as error:
        raise NoFolder(f"the folder cannot be read: {error.strerror}") from None


def _files(folder: str, found: Look) -> Iterator[tuple[str, int, str]]:
    """Give the markdown files: the path in the folder, the descriptor of its place, the name."""

    def unseen(error: OSError) -> None:
        found.whole = False
        found.problems[os.path.relpath(str(error.filename), folder)] = f"it cannot be read: {error.strerror}"

    for place, parts, names, parent in os.fwalk(folder, follow_symlinks=False, onerror=unseen):
        parts[:] = sorted(part for part in parts if not part.startswith("."))
        within = "" if place == folder else f"{os.path.relpath(place, folder)}/"
        for name in sorted(names):
            if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                yield within + name, parent, name


def _mark(about: os.stat_result) -> Mark:
    return about.st_mtime_ns, about.st_size, about.st_ino


def read(folder: str, path: str, mark: Mark) -> bytes:
    """Return what is in a file of a folder that has this mark, before and after; every step there is no link.

    :raises Unusable: it is too large, is being written, or cannot be read.
    :raises NoFolder: the folder is not there any more.
    """
    if mark[1] > _MAX_FILE:
        raise Unusable(f"it is larger than a page can be ({MAX_CONTENT // 1024} KiB)")
    *parts, name = path.split("/")
    here = _root(folder)
    try:
        for part in parts:
            below = os.open(part, _FOLDER, dir_fd=here)
            os.close(here)
            here = below
        with os.fdopen(os.open(name, _FILE, dir_fd=here), "rb") as file:
            held = bytearray(mark[1] + 1)  # one more, to see whether it grew
            size = file.readinto(held)
            if _mark(os.fstat(file.fileno())) != mark or size != mark[1]:
                raise Unusable(BEING_WRITTEN)
        return bytes(held[:size])
    except OSError as error:
        raise Unusable(f"it cannot be read: {error.strerror}") from None
    finally:
        os.close(here)


def drafts_of(
    folder: str, marks: Mapping[str, Mark], slugs: Mapping[str, str], links: Links
) -> tuple[dict[str, PageDraft], dict[str, str]]:
    """Return the pages that some files of a folder are, and why others are none, by path.

    :param slugs: of all files of the folder. :param links: between them.
    """
    drafts: dict[str, PageDraft] = {}
    problems: dict[str, str] = {}
    for path, mark in marks.items():
        try:
            if path in slugs:
                drafts[path] = _draft(path, slugs[path], read(folder, path, mark), links)
        except (Unusable, TooLarge) as error:
            problems[path] = str(error)
        except InvalidRequest as error:
            problems[path] = "; ".join(f"its {one.field}: {one.detail}" for one in error.errors) or error.detail
    return drafts, problems


def _draft(path: str, slug: str, data: bytes, links: Links) -> PageDraft:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable(f"it is not UTF-8, at byte {error.start}") from None
    front, body = front_matter(text)
    fields = {name: value for name, value in fields_of(front).items() if value}
    return checked(PageModel, slug=slug, content=links.rewritten(path, body), **fields).draft()
