"""A real browser, and pages of it that look at a workspace."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from shutil import which
from typing import TYPE_CHECKING

import pytest

from tests.conftest import require
from tests.contract.workspace_fixtures import app, client

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

    Opener = Callable[..., Awaitable[Page]]

__all__ = ["app", "client"]
_ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-default-apps",
]  # fmt: skip
PATIENCE = 30_000
"""Milliseconds that an element may take to be there, on a machine that does much else."""


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """The system's Chromium, without a window."""
    require("playwright", "program:chromium")
    from playwright.async_api import async_playwright

    async with async_playwright() as driver:
        opened = await driver.chromium.launch(executable_path=which("chromium"), args=_ARGUMENTS)
        yield opened
        await opened.close()


@pytest.fixture
async def opened(browser: Browser) -> AsyncIterator[Opener]:
    """A function that opens an address as a new person at a new browser; whatever its script throws fails the test."""
    thrown: list[str] = []

    async def open_(url: str, *, width: int = 1280, height: int = 800, dark: bool = False) -> Page:
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        page = await context.new_page()
        page.on("pageerror", lambda error: thrown.append(str(error)))
        page.on("console", lambda said: thrown.append(said.text) if "Content Security" in said.text else None)
        await page.goto(url)
        return page

    yield open_
    assert not thrown
