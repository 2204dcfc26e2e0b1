"""Reading lines of pages in a process of its own: parsed, judged and taken apart into terms, beside whoever writes.

Run as `python -m sliceway.wire.line_reader AGENT` it answers each batch that comes on its standard input with one on
its standard output. A batch is eight bytes of length and that many bytes: lines one way, a JSON list as long the other.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

from sliceway.core.analysis import text_terms
from sliceway.core.pages import Author, title_of
from sliceway.errors import SlicewayError
from sliceway.wire.record_lines import PageLine, line_of

_LENGTH = 8


def framed(data: bytes) -> bytes:
    """Return a batch as it is sent."""
    return len(data).to_bytes(_LENGTH, "big") + data


def length_of(head: bytes) -> int:
    """Return how many bytes follow what a batch begins with."""
    return int.from_bytes(head, "big")


def told(lines: Sequence[bytes], agent: str | None) -> bytes:
    """Return what each line says, as JSON; null for what is no page, or is refused: whoever asks reads that one itself.

    :param agent: who takes the pages in.
    """
    author = Author(agent, None, None, "import")
    return json.dumps([_page(line, author) for line in lines], separators=(",", ":")).encode()


def _page(raw: bytes, author: Author) -> dict[str, Any] | None:
    try:
        line = line_of(raw)
    except SlicewayError:
        return None
    if not isinstance(line, PageLine):
        return None
    page = line.page
    draft = page.draft()
    terms = text_terms(
        slug=draft.slug, title=draft.title or title_of(draft.slug, draft.content), content=draft.content,
        summary=draft.summary, tags=draft.tags, author=author,
    )  # fmt: skip
    return {"slice": page.slice, "page": page.model_dump(mode="json", exclude={"slice"}), "terms": terms}


def _serve(source: BinaryIO, answers: BinaryIO, agent: str | None) -> None:
    while head := source.read(_LENGTH):
        lines = source.read(length_of(head)).split(b"\n")
        answers.write(framed(told(lines, agent)))
        answers.flush()


if __name__ == "__main__":
    _serve(sys.stdin.buffer, sys.stdout.buffer, sys.argv[1] or None)
