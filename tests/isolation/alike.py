"""What is left of an answer when ids, times and names are taken out of it."""

from __future__ import annotations

import re

from tests.isolation.world import Answer

_ID = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


def alike(answer: Answer, name: str) -> tuple[int, dict[str, str], str]:
    """Return an answer as it is whatever the slice is called, and whatever the ids and times are."""
    headers = {
        key: value for key, value in answer.headers.items() if key not in {"date", "x-request-id", "content-length"}
    }
    text = _TIME.sub("«time»", _ID.sub("«id»", answer.raw.decode()))
    return answer.status, headers, re.sub(rf"(?<![a-z0-9_-]){re.escape(name)}(?![a-z0-9_-])", "«slice»", text)
