"""Calls of the port whose arguments are anything: what no caller means, drawn by hypothesis."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from sliceway.core.principals import Origin
from sliceway.core.turns import Person, Place
from sliceway.ports import Brain
from tests.contract.office import ANN, ANNS, page

CALLS = sorted(name for name in Brain.__abstractmethods__)
HUGE = 2**70

_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.sampled_from([0, 1, -1, 201, HUGE, -HUGE, 10**400]),
    st.floats(allow_nan=True), st.text(max_size=8), st.binary(max_size=3), st.just(object()),
    st.sampled_from([
        "", " ", "\0", "\ud800", "\u200b", "x" * 3000, "a\n", "mine", "user", "shared", "public", "kb-x", "agent",
        "_system", "agent-ada", ANNS, "user-x", "write", "restore", "undo", "delete", "approve", "n", "../n", "é",
        "2026-05-04", "2026-02-30", "2026-05-04T24:00:00Z", "9999-12-31T23:59:59-23:59", "0" * 64, '"', "🎉", "日本",
        "\u0301\u0316" * 900, "9" * 200,
    ]),
)  # fmt: skip
_FIELDS = (
    "slug", "content", "title", "summary", "tags", "kind", "after", "if_version", "zzz", "person", "place", "turn",
    "team", "user", "enterprise", "name", "surface", "channel", "thread", "private", "external", "guests", "\ud800",
)  # fmt: skip
_odd = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.sampled_from(_FIELDS), st.integers()), inner, max_size=4),
        st.dictionaries(st.sampled_from(_FIELDS), inner, max_size=4).map(MappingProxyType),
        st.builds(Person, inner, inner, inner, inner),
        st.builds(Origin, st.builds(Person, inner, inner), st.builds(Place, inner, inner, inner), st.booleans(), inner),
    ),
    max_leaves=6,
)  # fmt: skip
_WELL: dict[str, Any] = {
    "slice": "mine", "slug": "n", "query": "words", "pages": [page("n", "new")], "id": "x", "revision": 1,
    "decision": "deny", "op": "write", "expected_event": "x", "place": "p", "holder": "h", "lease_s": 5.0, "ref": "r",
    "team": "T1", "channel": "C1", "trust": "public", "by": ANN, "turn": "t",
    "kind": "agent", "alias": "agent-old", "mind": "agent-old", "label": "x", "folder": "/nowhere", "person": ANN,
}  # fmt: skip


def _fields_of(name: str) -> list[str]:
    found = [field for field in inspect.signature(getattr(Brain, name)).parameters if field not in {"self", "progress"}]
    return ["dm", "managers", "kb", "expire_after", "zzz"] if name == "set_policy" else found


def _needed(name: str) -> dict[str, Any]:
    """Return what a call needs, well given."""
    said = inspect.signature(getattr(Brain, name)).parameters.values()
    named = [one.name for one in said if one.kind is one.KEYWORD_ONLY and one.default is one.empty]
    return {field: _WELL[field] for field in named}


async def made(brain: Brain, name: str, fields: dict[str, Any]) -> object:
    """Make a call and return what it came to; of an export, all its lines."""
    if name == "export":
        return [line async for line in brain.export(**fields)]
    if name == "import_":
        return await brain.import_(**{"lines": _no_lines(), **fields})
    result: object = await getattr(brain, name)(**fields)
    return result


async def _no_lines() -> AsyncIterator[bytes]:
    for nothing in (b"",):
        yield nothing


@st.composite
def odd_call(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A call of the port by name, and arguments of which one or two are anything."""
    name = draw(st.sampled_from([call for call in CALLS if _fields_of(call)]))
    odd = draw(st.lists(st.sampled_from(_fields_of(name)), min_size=1, max_size=2, unique=True))
    given_ = {**_needed(name), **{field: draw(_odd) for field in odd}}
    if name == "changes" and isinstance(given_.get("wait"), int | float) and given_["wait"] > 0:
        given_["wait"] = draw(st.sampled_from([HUGE, 10**400, float("inf"), 61, True]))
    return name, given_
