"""What the tests of the page ask it: is it drawn, what is too pale, what has no name, in what order focus goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import Page

_QUESTIONS = Path(__file__).with_suffix(".js").read_text()


async def drawn(page: Page) -> Page:
    """Wait until the page shows a place."""
    await page.wait_for_selector("body[data-ready]")
    return page


async def pale(page: Page) -> list[str]:
    """Return the visible words whose contrast is under WCAG's AA."""
    found: list[str] = await _asked(page, "pale")
    return found


async def nameless(page: Page) -> list[str]:
    """Return what can be reached or is a region, and has no accessible name."""
    found: list[str] = await _asked(page, "nameless")
    return found


async def focus_order(page: Page, steps: int) -> list[tuple[str, str]]:
    """Press Tab that often and return where the focus was each time: the region, the name."""
    order = []
    for _ in range(steps):
        await page.keyboard.press("Tab")
        region, name = await _asked(page, "where")
        order.append((region, name))
    return order


async def widest(page: Page) -> Any:
    """Return by how many pixels something sticks out at the right."""
    return await page.evaluate("document.documentElement.scrollWidth - innerWidth")


async def _asked(page: Page, question: str) -> Any:
    return await page.evaluate(f"{_QUESTIONS.strip()}.{question}()")
