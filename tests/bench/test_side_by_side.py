"""Beside others, in one run: the same notes, the same vectors, the same questions; round by round in turn. Prints
medians and ratios, judges none but that no page reaches who may not read it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bench import contest_data, figures
from tests.bench.contestants import NAMES, Contestant, all_of_them, contestant
from tests.bench.locomo import Scores
from tests.bench.peers.contest import KNOWN, MODEL, NONE
from tests.bench.test_brain_speed import READ

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1500)]

SIZES = (10_000, 100_000)
ROUNDS = 16
_QUESTIONS, _WITH_MODEL, _WRITES = 20, 5, 4
"""In a round, of each contestant: questions whose vector is known, ones whose vector it makes, writes of each kind."""
_LEAKS = 50
OURS = "ours"
_RECALL, _RECALL_MODEL = "recall, ms", "with the question's vector, ms"
_WRITE_WORDS, _WRITE, _FOUND = "write without meaning, ms", "write, ms", "until found by meaning, ms"
_COLUMNS = (_RECALL, _RECALL_MODEL, _WRITE_WORDS, _WRITE, _FOUND)

Spent = dict[str, dict[str, list[float]]]


@pytest.mark.parametrize("pages", SIZES)
def test_union_recall_and_durable_write(tmp_path: Path, pages: int) -> None:
    """Targets: union recall at most 0.7 times LangGraph SqliteStore's, durable write at most 1.0 times, no leak."""
    data = tmp_path / "data"
    foreign = contest_data.notes(data, pages)[:_LEAKS]
    with all_of_them(data, tmp_path / "stores") as (here, missing):
        taken = {one.module: pages / one.do("take", start=0, stop=pages) for one in here}
        leaks = {one.module: _leaked(one, foreign) for one in here}
        spent = _rounds(here)
        about = {one.module: one.do("about") for one in here}
    held = {one.module: _held(one.module, data, tmp_path / "stores") for one in here}
    rows = [
        {
            "store": pages,
            "": one.name,
            **{column: _median(spent[one.module][column]) for column in _COLUMNS},
            "taken in, pages/s": round(taken[one.module]),
            "disk, KB a page": round(held[one.module]["bytes"] / pages / 1e3, 1),
            "memory, MB": round(held[one.module]["VmRSS"]),
            "its own, MB": round(held[one.module]["RssAnon"]),
            "pages leaked": leaks[one.module][0],
            "given to who names the slice": leaks[one.module][1],
            "kept out by": about[one.module]["kept out by"],
        }
        for one in here
    ]
    notes = [f"{one.name}: {_said(about[one.module])}." for one in here] + missing
    print(f"\n{pages:,} pages; {figures.machine()}; load {figures.busy()}", *notes, *rows, sep="\n")
    ratios = _ratios(spent)
    print(*ratios, sep="\n")
    figures.keep(f"side_by_side_{pages}", f"Side by side, {pages:,} pages in the store", rows, notes=notes)
    figures.keep(f"side_by_side_ratios_{pages}", f"Ratios of that run, {pages:,} pages in the store", ratios)
    assert leaks[OURS] == (0, 0)


def test_quality_on_conversations(tmp_path: Path) -> None:
    """The same conversations and questions for all: a page a turn, a slice a conversation, the ten best of it."""
    data = tmp_path / "data"
    wanted = contest_data.turns(data)
    count = len((data / "pages.jsonl").read_text(encoding="utf-8").splitlines())
    rows = []
    with all_of_them(data, tmp_path / "stores") as (here, missing):
        for one in here:
            one.do("take", start=0, stop=count)
            scores = Scores()
            for found, slugs in zip(one.do("found", questions=list(range(len(wanted)))), wanted, strict=True):
                scores.add([slug for _, slug in found], slugs)
            rows.append({"": one.name, **scores.means})
            print(f"\n{one.name}: {scores}")
    notes = [f"{len(wanted)} questions about {count:,} turns of LoCoMo's conversations, one page a turn.", *missing]
    figures.keep("side_by_side_quality", "Quality, side by side", rows, notes=notes)


def _leaked(one: Contestant, foreign: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """Return how many foreign pages a reader is given that asks for their very words: as meant; naming their slice."""
    as_meant = one.do("named", asked=[(text, None) for _, text in foreign])
    by_name = one.do("named", asked=[(text, name) for name, text in foreign])
    return _of_others(as_meant), _of_others(by_name)


def _of_others(found: list[list[tuple[str, str]]]) -> int:
    return sum(slice not in READ for hits in found for slice, _ in hits)


def _rounds(here: Sequence[Contestant]) -> Spent:
    """Measure all of them in turn, the first of a round another one each time. Who has no vectors finds by words."""
    spent: Spent = {one.module: {column: [] for column in _COLUMNS} for one in here}
    for one in here:
        one.do("load")
        _asked(one, range(_QUESTIONS))
        one.do("wrote", numbers=[contest_data.QUESTIONS], how=MODEL)
    for turn in range(ROUNDS):
        for one in [*here[turn % len(here) :], *here[: turn % len(here)]]:
            mine = spent[one.module]
            numbers = list(range(turn * _WRITES, (turn + 1) * _WRITES))
            mine[_RECALL] += _asked(one, range(turn * _QUESTIONS, (turn + 1) * _QUESTIONS))
            fresh = list(range(turn * _WITH_MODEL, (turn + 1) * _WITH_MODEL))
            mine[_RECALL_MODEL] += one.do("recall", questions=fresh, how=MODEL)
            mine[_WRITE_WORDS] += [returned for returned, _ in one.do("wrote", numbers=numbers, how=NONE)]
            for returned, found in one.do("wrote", numbers=numbers, how=MODEL):
                mine[_WRITE].append(returned)
                mine[_FOUND].append(found)
    return spent


def _asked(one: Contestant, numbers: range) -> list[float]:
    """Return how long questions took whose vectors are known, or that need none."""
    questions = [number % contest_data.QUESTIONS for number in numbers]
    spent: list[float] = one.do("recall", questions=questions, how=KNOWN)
    return spent or one.do("recall", questions=questions, how=NONE)


def _held(module: str, data: Path, stores: Path) -> dict[str, float]:
    """Return what a fresh process holds that opened the store, loaded the model and answered 1,000 questions."""
    with contestant(module, data, stores / module) as one:
        one.do("load")
        _asked(one, range(1000))
        held: dict[str, float] = one.do("held")
        return held


def _ratios(spent: Spent) -> list[dict[str, Any]]:
    """Return how many times as long as each other one ours takes."""
    return [
        {
            "": f"Sliceway / {NAMES[module]}",
            **{
                column: round(statistics.median(spent[OURS][column]) / statistics.median(theirs[column]), 2)
                if theirs[column] else None
                for column in _COLUMNS
            },
        }
        for module, theirs in spent.items()
        if module != OURS
    ]  # fmt: skip


def _median(spent: Sequence[float]) -> float | None:
    return round(statistics.median(spent), 2) if spent else None


def _said(about: dict[str, Any]) -> str:
    return "; ".join(f"{name}: {what}" for name, what in about.items())
