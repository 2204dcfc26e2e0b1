"""Text made visible and cut honestly."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.text import cut, size_words, visible

SHOWN = [
    ("a\u202eb", "a‹U+202E›b", "direction-changing"),
    ("a\u200eb", "a‹U+200E›b", "direction-changing"),
    ("a\u2066b\u2069", "a‹U+2066›b‹U+2069›", "direction-changing"),
    ("pay\u200bload", "pay‹U+200B›load", "invisible"),
    ("\ufeffstart", "‹U+FEFF›start", "invisible"),
    ("so\u00adft", "so‹U+00AD›ft", "invisible"),
    ("a\u3164b", "a‹U+3164›b", "invisible"),
    ("a\u2800b", "a‹U+2800›b", "invisible"),
    ("a\ufe0fb", "a‹U+FE0F›b", "invisible"),
    ("x\U000e0041y", "x‹U+E0041›y", "invisible"),
    ("line\u2028two", "line‹U+2028›two", "invisible"),
    ("\ud800", "‹U+D800›", "invisible"),
    ("bell\x07", "bell‹U+0007›", "control"),
    ("a\x1b[31m", "a‹U+001B›[31m", "control"),
    ("one\rtwo", "one‹U+000D›two", "control"),
    ("Аtlas", "‹U+0410›tlas", "look-alike"),
    ("pаypal", "p‹U+0430›ypal", "look-alike"),
    ("Βuild", "‹U+0392›uild", "look-alike"),
    ("𝐀pprove", "‹U+1D400›pprove", "look-alike"),
    ("Ａdmin", "‹U+FF21›dmin", "look-alike"),
]

PLAIN = [
    "",
    "build 2301\n\tis the rollback target",
    "naïve café, Straße, señor",
    "Москва и Київ",
    "IT-отдел ждёт API-ключ",
    "5кг, 20 kΩ, 3 μs, Δt",
    "Tシャツと東京",
    "❤️ 👨‍👩‍👧 👍🏽 1️⃣ 🇩🇪",
    "می‌خواهم",
    "क्‍ष",
    "e\u0301tude",
]


@pytest.mark.parametrize(("text", "shown", "kind"), SHOWN)
def test_ap4_what_hides_is_written_out_with_a_warning(text: str, shown: str, kind: str) -> None:
    """AP4: invisible, bidirectional, control and look-alike characters are written out, and a warning says which."""
    seen, warnings = visible(text)
    assert seen == shown
    assert len(warnings) == 1
    assert kind in warnings[0]


@pytest.mark.parametrize("text", PLAIN)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    """Ordinary text of any script, emoji and spelling joiners included, is shown unchanged and unwarned."""
    assert visible(text) == (text, ())


def test_each_kind_has_one_warning_with_its_number() -> None:
    """A warning counts: two invisible characters are one line that says two."""
    _, warnings = visible("a\u200bb\u200bc\u202ed")
    assert len(warnings) == 2
    assert any("2 invisible characters" in line and "ZERO WIDTH SPACE" in line for line in warnings)


@given(st.text(st.characters()))
def test_ap4_nothing_hidden_is_left(text: str) -> None:
    """AP4: whatever the text, what is shown holds no control, surrogate or direction-changing character."""
    seen, _ = visible(text)
    for char in seen:
        category = unicodedata.category(char)
        assert char in "\n\t" or category not in {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
        assert unicodedata.bidirectional(char) not in {"RLO", "LRO", "RLE", "LRE", "RLI", "LRI", "FSI", "PDF", "PDI"}


@given(st.text(), st.integers(1, 60))
def test_a_cut_keeps_a_beginning_and_counts_the_rest(text: str, limit: int) -> None:
    """A cut text is a beginning of the whole within the limit; the words give the size of all that is hidden."""
    shown, hidden = cut(text, limit)
    assert len(shown) <= limit
    assert text.startswith(shown)
    if hidden is None:
        assert shown == text
        return
    size = int(re.fullmatch(r"… (\d+) bytes? more", hidden)[1])  # type: ignore[index]  # it has to match
    assert size <= len(text[len(shown) :].encode())
    assert text[len(shown) :].encode()[-size:].decode().lstrip("\n") == text[len(shown) :].lstrip("\n")


def test_a_cut_ends_at_a_line_or_a_word() -> None:
    """A line's end is preferred, then a word's."""
    assert cut("first line\nsecond line\nthird", 25) == ("first line\nsecond line", "… 6 bytes more")
    assert cut("alpha beta gamma delta", 18) == ("alpha beta gamma", "… 6 bytes more")


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("👨‍👩‍👧👨‍👩‍👧", 7, "👨‍👩‍👧"),
        ("🇩🇪🇫🇷🇮🇹", 3, "🇩🇪"),
        ("👍🏽👍🏽", 3, "👍🏽"),
        ("ae\u0301o", 2, "a"),
        ("abc‹U+202E›def", 8, "abc"),
    ],
)
def test_a_cut_splits_no_character_that_people_see(text: str, limit: int, shown: str) -> None:
    """Emoji, flags, accents and written-out code points stay whole."""
    assert cut(text, limit)[0] == shown


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (4100, "4.1 kB"), (999_950, "1.0 MB"), (1_234_567, "1.2 MB")],
)
def test_sizes_read_as_people_say_them(size: int, words: str) -> None:
    """Sizes are in bytes, kB and MB."""
    assert size_words(size) == words
