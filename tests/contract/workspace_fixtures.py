"""The fixtures of the workspace's contract tests: an app that listens, and a client of a workspace that knows it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.contract.workspace_app import ListeningApp, listening_app
from tests.contract.workspace_client import Client, workspace_client


@pytest.fixture
async def app() -> AsyncIterator[ListeningApp]:
    """An app that keeps what it is sent."""
    async with listening_app() as opened:
        yield opened


@pytest.fixture
async def client(app: ListeningApp) -> AsyncIterator[Client]:
    """A client of a fresh workspace that delivers to the app."""
    async with workspace_client() as opened:
        opened.workspace.connect(app.url)
        yield opened
