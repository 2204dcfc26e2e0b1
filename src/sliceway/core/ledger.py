"""The ledger's canonical bytes, version `h1` (BR11). What is written here can never change.

An event's hash links it to the one before and covers a digest of its payload, keyed with the event's own salt:
erasing payload and salt together leaves the chain whole and the text unguessable.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

H1 = "h1"
GENESIS = "0" * 64
"""What the first event of a slice is linked to."""
_ATOMS = frozenset({str, int, bool, type(None)})
_SPELT = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(value: Mapping[str, Any]) -> bytes:
    """Return the one spelling of a JSON object: keys sorted, no spaces, UTF-8, integers but no other numbers.

    :raises ValueError: it holds a float, a key that is no text, text that UTF-8 cannot hold, or what JSON has no
        word for.
    """
    return _SPELT.encode(value if _is_plain(value) else _plain(value)).encode()


def _is_plain(value: Any) -> bool:
    """Say whether a value is of JSON's own types through and through, as nearly all are: then it is spelt as it is."""
    kind = type(value)
    if kind is dict:
        for name, item in value.items():
            if type(name) is not str or (type(item) not in _ATOMS and not _is_plain(item)):
                return False
        return True
    if kind is list or kind is tuple:
        return all(type(item) in _ATOMS or _is_plain(item) for item in value)
    return kind in _ATOMS


def _plain(value: Any) -> Any:
    """Return `value` in JSON's own types, so that two values with one meaning have one spelling.

    Floats are refused because their spelling depends on who prints them; keys that are no text because JSON would
    turn them into it, and two keys into one.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise ValueError("the ledger's keys are text")
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    raise ValueError(f"the ledger holds no {type(value).__name__}")


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the ledger. After an erasure `payload` and `salt` are None and `digest` stays."""

    slice: str
    seq: int
    event_id: str
    kind: str
    at: str
    author: Mapping[str, Any]
    prev: str
    digest: str
    hash: str
    payload: Mapping[str, Any] | None
    salt: bytes | None


def payload_digest(salt: bytes, payload: Mapping[str, Any]) -> str:
    """Return the digest of a payload under its row's own salt."""
    return hmac.digest(salt, canonical(payload), "sha256").hex()


def keyed_digest(key: bytes, value: Mapping[str, Any]) -> str:
    """Return the digest of some content under its slice's key: for sameness, never a plain hash (BR11, AP21)."""
    return hmac.digest(key, b"content\0" + canonical(value), "sha256").hex()


def link_hash(
    *, slice_name: str, seq: int, event_id: str, kind: str, at: str, author: Mapping[str, Any], prev: str, digest: str
) -> str:
    """Return the hash that the next event links to."""
    row = {
        "v": H1, "slice": slice_name, "seq": seq, "event_id": event_id, "kind": kind, "at": at,
        "author": dict(author), "prev": prev, "digest": digest,
    }  # fmt: skip
    return hashlib.sha256(H1.encode() + b"\0" + canonical(row)).hexdigest()


def seal(
    *,
    slice_name: str,
    seq: int,
    event_id: str,
    kind: str,
    at: str,
    author: Mapping[str, Any],
    prev: str,
    payload: Mapping[str, Any],
    salt: bytes,
) -> Event:
    """Return the event that follows `prev` in a slice.

    :param seq: 1 for the first, without gaps.
    :param salt: 32 random bytes of this row alone.
    """
    digest = payload_digest(salt, payload)
    link = link_hash(
        slice_name=slice_name, seq=seq, event_id=event_id, kind=kind, at=at, author=author, prev=prev, digest=digest
    )
    return Event(slice_name, seq, event_id, kind, at, author, prev, digest, link, payload, salt)


def faults_of(event: Event, expected_seq: int, expected_prev: str) -> list[str]:
    """Return what is wrong with an event in its place; empty when it holds."""
    faults = []
    if event.seq != expected_seq:
        faults.append(f"sequence {event.seq} stands where {expected_seq} should")
    if event.prev != expected_prev:
        faults.append("it is not linked to the event before it")
    try:
        link = link_hash(
            slice_name=event.slice, seq=event.seq, event_id=event.event_id, kind=event.kind, at=event.at,
            author=event.author, prev=event.prev, digest=event.digest,
        )  # fmt: skip
    except ValueError:  # a row that the ledger could never have held: whoever changed it gets no crash out of it
        link = None
    if link != event.hash:
        faults.append("its hash does not match its row")
    if (event.payload is None) != (event.salt is None):
        faults.append("it has only one of payload and salt")
    elif event.payload is not None and event.salt is not None:
        try:
            matches = payload_digest(event.salt, event.payload) == event.digest
        except ValueError:
            matches = False
        if not matches:
            faults.append("its payload was changed")
    return faults
