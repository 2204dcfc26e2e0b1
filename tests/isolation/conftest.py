"""One world for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.isolation.world import World


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A brain with all there can be in it, behind a server."""
    opened = World(tmp_path_factory.mktemp("world"))
    yield opened
    opened.close()
