"""The rules' own words turned into code a second time, so that the product is not its own witness."""

from __future__ import annotations

import base64
import hashlib
import string


def slice_name_by_the_rule(kind: str, *parts: str) -> str:
    """Return a slice's name as ID10 words it; people always take the hashed form (ID11)."""
    letters = string.ascii_lowercase + string.digits
    if kind != "user":
        (only,) = parts if len(parts) == 1 else ("",)
        runs = only.split("-")
        if all(run and set(run) <= set(letters) for run in runs) and len(f"{kind}-{only}") <= 64:
            return f"{kind}-{only}"

    stem = ""
    for char in parts[-1]:
        low = char.lower() if char in string.ascii_uppercase else char
        if low in letters:
            stem += low
        elif not stem.endswith("-"):
            stem += "-"
    stem = stem[:24].strip("-") or "x"

    hashed = kind.encode("utf-8") + bytes([0])
    for part in parts:
        hashed += len(part.encode("utf-8")).to_bytes(4, "big") + part.encode("utf-8")
    digest = base64.b32encode(hashlib.sha256(hashed).digest()).decode("ascii").lower()
    return f"{kind}-{stem}--{digest[:26]}"
