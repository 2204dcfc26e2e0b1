"""The manual is true: what a program shows of its health is explained there, with what to do (OP2)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.fakes.manual import rows, section, unexplained_fields, unexplained_metrics
from tests.fakes.rig import Rig, make_rig

SOURCE = Path(__file__).parents[2] / "src" / "sliceway"
KINDS = {"count": "_total", "took": "_seconds", "spread": "_seconds"}
"""What a metric's name ends in, by the method that makes it."""


def _counted() -> Iterator[str]:
    """Give the name of each metric that any module counts or times."""
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Call(func=ast.Attribute(value=whose, attr=how), args=[ast.Constant(value=str(name)), *_]) if (
                    how in KINDS and ast.unparse(whose).endswith("metrics")
                ):
                    yield f"sliceway_{name}{KINDS[how]}"


def test_op2_every_metric_is_explained_with_what_to_do() -> None:
    """OP2: each metric that the program makes has a row, and each row a meaning and a cure; none is of a metric that is
    gone. Those that stand at a number now are held to the manual where they are served."""
    made, explained = set(_counted()), rows("Metrics")
    assert "sliceway_turns_total" in made
    assert made <= set(explained)
    gauges = {"sliceway_inbox_depth", "sliceway_dead_letters", "sliceway_proposals", "sliceway_open_polls"}
    assert set(explained) == made | gauges
    for title in ("Metrics", "What `/readyz` says"):
        assert all(len(cells) == 2 and all(cells) for cells in rows(title).values())


async def test_op2_what_a_gateway_shows_is_explained(tmp_path: Path) -> None:
    """OP2: the fields of a gateway's `/readyz` and the gauges of its `/metrics` have their rows."""
    rig: Rig = await make_rig(tmp_path)
    try:
        assert not unexplained_fields(await rig.gateway.ready())
        assert not unexplained_metrics(await rig.gateway.metrics())
    finally:
        await rig.close()


def test_op2_a_proxy_in_front_is_given_what_the_server_needs() -> None:
    """OP2, BR16: both examples pass the host on, let a long poll wait, and keep the pages that need no token to
    themselves."""
    said = section("One brain for several gateways")
    for language, host, longest in (("nginx", "proxy_set_header Host", r"proxy_read_timeout (\d+)s"),
                                    ("caddy", "header_up Host", r"response_header_timeout (\d+)s")):  # fmt: skip
        (block,) = re.findall(rf"```{language}\n(.*?)```", said, re.DOTALL)
        assert host in block
        assert int(re.search(longest, block)[1]) > 60  # type: ignore[index]
        assert {"readyz", "metrics", "healthz"} <= set(re.findall(r"[a-z]+", block))
