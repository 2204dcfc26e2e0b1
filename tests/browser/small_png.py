"""Pictures of a page as small PNG files: 256 colours are enough for one, and a third of the bytes."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api import Page

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PALETTE = Path(__file__).with_name("palette.js").read_text()


async def small(blank: Page, picture: bytes) -> bytes:
    """Return a picture with at most 256 colours.

    :param blank: an empty page of a browser, which counts the colours. :param picture: a PNG.
    """
    made = await blank.evaluate(_PALETTE, base64.b64encode(picture).decode())
    width, height, indexes = made["width"], made["height"], base64.b64decode(made["indexes"])
    rows = b"".join(b"\0" + indexes[at : at + width] for at in range(0, width * height, width))
    return b"".join(
        (
            SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(made["palette"])),
            _chunk(b"IDAT", zlib.compress(rows, 9)),
            _chunk(b"IEND", b""),
        )
    )


def size_of(picture: bytes) -> tuple[int, int]:
    """Return width and height of a PNG in pixels."""
    assert picture.startswith(SIGNATURE)
    width, height = struct.unpack(">II", picture[16:24])
    return int(width), int(height)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
