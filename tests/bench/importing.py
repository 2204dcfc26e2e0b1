"""Load many pages into an empty store, and print how fast it went as it grew: `make bench` runs it small.

As a program: `python -m tests.bench.importing URL PAGES [SECONDS]` loads that many pages of 25 words into an empty
store, or as many as that time allows, and prints a JSON line for each tenth: pages, those of the tenth by the second,
their CPU time, and the most memory that the importer held. CPU time is the importer's own: PostgreSQL's is beside it.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
import time
from collections.abc import AsyncIterator

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.wiring.fresh import new_id, now

_HEADS = ("lan", "mor", "tel", "ras", "vin", "cor", "bel", "dun", "sal", "per")
_TAILS = ("do", "ka", "mi", "su", "ter", "gal", "pen", "rix", "olm", "ath", "une", "ire", "ost", "ebb", "ark")
_WORDS = [one + two + last for one in _HEADS for two in _TAILS for last in ("", *_TAILS, *_HEADS)]
"""About 4,000: what a team's notes use."""
_AT_ONCE = 500


class _Counted:
    """How far it is, and how fast the last stretch was."""

    def __init__(self, pages: int) -> None:
        self._every = max(pages // 10, 1)
        self._said = 0
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def told(self, lines: int, *, last: bool = False) -> None:
        """Print a line where another tenth is done."""
        if lines - self._said < self._every and not (last and lines > self._said):
            return
        wall, cpu = time.perf_counter(), time.process_time()
        count = lines - self._said
        print(
            json.dumps(
                {
                    "pages": lines, "a_second": round(count / (wall - self._wall)),
                    "ms_cpu_each": round((cpu - self._cpu) / count * 1e3, 3),
                    "most_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                }
            ),
            flush=True,
        )  # fmt: skip
        self._said, self._wall, self._cpu = lines, wall, cpu


async def _lines(pages: int, until: float) -> AsyncIterator[bytes]:
    drawn = random.Random(5)
    for at in range(0, pages, _AT_ONCE):
        if time.perf_counter() > until:
            return
        part = []
        for number in range(at, min(at + _AT_ONCE, pages)):
            text = " ".join(drawn.choices(_WORDS, k=25))
            page = {"slice": "kb-guide", "slug": f"n/{number}", "content": text}
            part.append(json.dumps({"page": page}).encode() + b"\n")
        yield b"".join(part)


async def loaded(url: str, pages: int, seconds: float) -> None:
    """Load pages into a store."""
    async with await open_local(url, sync="normal", clock=now, new_id=new_id) as door:
        counted = _Counted(pages)
        lines = _lines(pages, time.perf_counter() + seconds)
        report = await door.enter(Principal.operator()).import_(lines, progress=counted.told)
        counted.told(report.imported, last=True)


if __name__ == "__main__":
    given = sys.argv[1:]
    asyncio.run(loaded(given[0], int(given[1]), float(given[2]) if len(given) > 2 else 1e9))
