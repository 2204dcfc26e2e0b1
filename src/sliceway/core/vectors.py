"""Vectors as they are kept: numbers of 32 bits in one order of bytes, of length one together. Pure."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable

WIDTH = 4
"""Bytes of one number."""


def packed(numbers: Iterable[float]) -> bytes:
    """Return numbers scaled to length one, as bytes.

    :raises ValueError: one is no finite number, or all are zero: such a vector points nowhere.
    """
    values = [float(number) for number in numbers]
    length = math.sqrt(sum(value * value for value in values))
    if not math.isfinite(length) or length == 0:
        raise ValueError("these numbers point nowhere")
    kept = array("f", [value / length for value in values])
    if sys.byteorder != "little":
        kept.byteswap()
    return kept.tobytes()


def unpacked(vector: bytes) -> tuple[float, ...]:
    """Return the numbers of a vector."""
    kept = array("f")
    kept.frombytes(vector)
    if sys.byteorder != "little":
        kept.byteswap()
    return tuple(kept)
