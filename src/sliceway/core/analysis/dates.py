"""Days and months in a text as one term each, however they are spelt (FR6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MONTHS = (
    "january jan januar jänner janvier janv enero ene gennaio gen janeiro januari января январь styczeń stycznia ocak",
    "february feb februar février févr febrero febbraio febbr fevereiro fev februari февраля февраль lutego şubat",
    "march mar märz mars marzo março maart mrt марта март marca mart",
    "april apr avril avr abril abr aprile апреля апрель kwietnia nisan",
    "may mai mayo maggio mag maio mei maj мая май maja mayıs",
    "june jun juni juin junio giugno giu junho июня июнь czerwca haziran",
    "july jul juli juillet juil julio luglio lug julho июля июль lipca temmuz",
    "august aug août agosto ago augustus augusti августа август sierpnia ağustos",
    "september sep sept septembre septiembre settembre setembro сентября сентябрь września eylül",
    "october oct oktober okt octobre octubre ottobre ott outubro out октября октябрь października ekim",
    "november nov novembre noviembre novembro ноября ноябрь listopada kasım",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro декабря декабрь grudnia aralık",
)
_MONTH = {name: at for at, names in enumerate(_MONTHS, start=1) for name in names.split()}
_NAME = r"[^\W\d_]{3,12}"
_DIGIT = re.compile(r"\d")
_NUMBERS = re.compile(
    r"(?<![\d.])(?:(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})"
    r"|(?P<dd>\d{1,2})\.(?P<dm>\d{1,2})\.(?P<dy>\d{4})"
    r"|(?P<cy>\d{4})\s?[年년]\s?(?P<cm>\d{1,2})\s?[月월](?:\s?(?P<cd>\d{1,2})\s?[日일])?)(?![\d.]*\d)"
)
_GAP = r"\s{1,3}"
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?{_GAP}(?:(?:de|of){_GAP})?({_NAME})\.?,?"
    rf"(?:{_GAP}(?:de{_GAP})?(\d{{4}})(?!\d))?"
)
_NAME_FIRST = re.compile(
    rf"({_NAME})\.?{_GAP}(?:de{_GAP})?"
    rf"(?:(\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?{_GAP}(\d{{4}})(?!\d))?|(\d{{4}})(?!\d))"
)


def _terms(year: str | None, month: int, day: str | None) -> Iterator[str]:
    number = int(day) if day else None
    if not 1 <= month <= 12 or (number is not None and not 1 <= number <= 31):
        return
    if year is not None:
        yield f"{year}-{month:02}"
    if number is not None:
        yield f"--{month:02}-{number:02}"
        if year is not None:
            yield f"{year}-{month:02}-{number:02}"


def day_terms(day: str) -> tuple[str, ...]:
    """Return the terms of a day written `YYYY-MM-DD`: the day, the day of any year, its month, its year."""
    return (day, f"-{day[4:]}", day[:7], day[:4])


def date_terms(text: str) -> Iterator[str]:
    """Give the terms of every date in a text: `2026-05-04` for the day, `--05-04` for the day of any year, `2026-05`
    for the month, as far as each is said.

    Read are ISO dates, days with dots, dates with a month's name in twelve languages, and 年月日; `4/5/2026`, which
    means two days, is none.
    """
    if _DIGIT.search(text) is None:
        return
    for match in _NUMBERS.finditer(text):
        year = match["y"] or match["dy"] or match["cy"]
        yield from _terms(year, int(match["m"] or match["dm"] or match["cm"]), match["d"] or match["dd"] or match["cd"])
    for match in _DAY_FIRST.finditer(text):
        month = _MONTH.get(match[2].lower())
        if month is not None:
            yield from _terms(match[3], month, match[1])
    for match in _NAME_FIRST.finditer(text):
        month = _MONTH.get(match[1].lower())
        if month is not None:
            yield from _terms(match[3] or match[4], month, match[2])
