"""CL2: typed errors, rebuilt from their code."""

from __future__ import annotations

import httpx
import pytest
import respx

from sliceway import errors
from sliceway.client.refusals import BY_CODE, error_from
from sliceway.errors import FieldError, InvalidRequest, SlicewayError, Unavailable
from sliceway.ports import Brain
from sliceway.web.problems import problem as document
from tests.unit.client.conftest import problem

_LOCAL = (errors.BootError, errors.ChatError)
CROSSING = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, SlicewayError) and not issubclass(kind, _LOCAL)
]


@pytest.mark.parametrize("kind", CROSSING, ids=lambda kind: kind.__name__)
def test_cl2_what_the_server_writes_is_the_error_it_wrote(kind: type[SlicewayError]) -> None:
    """CL2 BR1: class, code, detail and facts come back, of every error of the tree that crosses the wire; one that has
    no code of its own comes back as the class whose code it has."""
    found = error_from(kind.status, document(kind("why", state="denied", detail_of={"a": [1]})))
    if kind is SlicewayError:
        assert type(found) is Unavailable
        return
    assert type(found) is BY_CODE[kind.code]
    assert issubclass(kind, type(found)) or issubclass(type(found), kind)
    assert (found.code, found.status, found.detail) == (kind.code, kind.status, "why")
    assert found.facts == {"state": "denied", "detail_of": {"a": [1]}}


def test_cl2_each_code_has_one_class() -> None:
    """CL2: every code that an error of the tree names can be read back."""
    assert {kind.code for kind in CROSSING if kind is not SlicewayError} == set(BY_CODE)


def test_cl2_the_wrong_fields_come_back() -> None:
    """CL2 BR5: each field, its code and what to do about it."""
    wrong = [FieldError("pages.0.slug", "invalid_slug", "no"), FieldError("origin", "missing", "say it")]
    found = error_from(422, document(InvalidRequest(errors=wrong)))
    assert isinstance(found, InvalidRequest)
    assert found.errors == tuple(wrong)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.MalformedRequest), (401, errors.Unauthorized), (403, errors.Forbidden), (404, errors.NotFound),
        (409, errors.Conflict), (413, errors.TooLarge), (415, errors.UnsupportedMediaType),
        (418, errors.InvalidRequest),
        (429, errors.TooManyRequests), (500, errors.Unavailable), (501, errors.Unavailable), (503, errors.Unavailable),
    ],
)  # fmt: skip
def test_cl2_an_unknown_code_is_the_class_of_its_status(status: int, kind: type[SlicewayError]) -> None:
    """CL2: a newer server's code is not lost, and is caught where its status is."""
    found = error_from(status, {"code": "brand_new", "detail": "why", "hint": 1})
    assert type(found) is kind
    assert found.facts == {"hint": 1, "unknown_code": "brand_new"}


@pytest.mark.parametrize(
    "said",
    [{}, {"code": 1, "detail": "x"}, {"code": "not_found"}, {"code": "invalid_request", "detail": "", "errors": 1}],
)
def test_cl2_what_is_no_problem_of_ours_is_no_refusal(said: dict[str, object]) -> None:
    """CL2: another program's error document decides nothing."""
    with pytest.raises(ValueError, match=r"problem|errors"):
        error_from(422, said)


async def test_cl2_facts_of_a_server_are_never_arguments_of_ours(server: respx.MockRouter, brain: Brain) -> None:
    """CL2: whatever a server calls its facts, they stay facts."""
    server.get("/v1/whoami").mock(return_value=problem(409, "not_pending", self="x", kind=1, args=[1]))
    with pytest.raises(errors.NotPending) as refused:
        await brain.whoami()
    assert refused.value.facts == {"self": "x", "kind": 1, "args": [1]}


async def test_br2_a_refused_token_is_unauthorized(server: respx.MockRouter, brain: Brain) -> None:
    """BR2 CL2: a 401 of ours is `Unauthorized`; that of something in front is no answer of a brain."""
    server.get("/v1/whoami").mock(
        side_effect=[problem(401, "unauthorized"), httpx.Response(401, html="<h1>log in</h1>")]
    )
    with pytest.raises(errors.Unauthorized):
        await brain.whoami()
    with pytest.raises(Unavailable, match="not a brain's"):
        await brain.whoami()
