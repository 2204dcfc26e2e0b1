"""The README's pictures, taken of the running page: `python -m tests.browser.shoot`, or `make screenshots`."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from sliceway.cli.play.processes import clean_environment
from tests.browser.looking import drawn
from tests.browser.small_png import small

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page

FOLDER = Path(__file__).parents[2] / "docs" / "images"
SCHEMES = ("light", "dark")
WIDE = ("landed", "private", "card", "record")
"""What is taken at 1280 pixels, in this order."""
NARROW = ("phone",)
"""What is taken at 390 pixels."""


def files(schemes: Sequence[str] = SCHEMES) -> frozenset[str]:
    """Return the names of the pictures in those colour schemes."""
    return frozenset(f"{name}-{scheme}.png" for name in (*WIDE, *NARROW) for scheme in schemes)


FILES = files()
_PATIENCE = 90_000  # milliseconds
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


class Camera:
    """A page that is looked at, and where its pictures go."""

    def __init__(self, page: Page, blank: Page, folder: Path, schemes: Sequence[str]) -> None:
        """Take the page, an empty one to make pictures small, the folder, and the colour schemes."""
        self.page, self._blank, self._folder, self._schemes = page, blank, folder, schemes

    async def shoot(self, name: str) -> None:
        """Take the page as it is, in each colour scheme."""
        await self.page.mouse.move(0, 0)
        for scheme in self._schemes:
            await self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            await self.page.evaluate("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
            picture = await small(self._blank, await self.page.screenshot())
            (self._folder / f"{name}-{scheme}.png").write_bytes(picture)

    async def act_as(self, user: str, place: str) -> None:
        """Look through somebody's eyes at a place."""
        await self.page.locator("#actor").select_option(user)
        await self.page.locator(f"[data-place={place}]").click()

    async def type(self, words: str, *, thread: bool = False) -> None:
        """Type something and send it."""
        await self.page.locator("#thread-compose textarea" if thread else "#compose textarea").fill(words)
        await self.page.keyboard.press("Enter")

    async def thread(self, nth: int = -1) -> Locator:
        """Open the thread of a message, the newest by default, and return it."""
        await self.page.locator("#timeline .replies").nth(nth).click()
        return self.page.locator("#thread")


async def take(folder: Path, schemes: Sequence[str] = SCHEMES) -> None:
    """Play the journeys in the demo's page and write every picture into `folder`, in each of those colour schemes."""
    from playwright.async_api import async_playwright

    async with demo() as address, async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=which("chromium"), args=_ARGUMENTS)
        camera = await _camera(browser, address, folder, schemes)
        await _memoize(camera)
        await _one_on_one(camera)
        await _share(camera)
        await browser.close()


@asynccontextmanager
async def demo() -> AsyncIterator[str]:
    """Run `sliceway demo` on a temporary folder and give the address of its page."""
    with tempfile.TemporaryDirectory(prefix="sliceway-pictures-") as data:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sliceway", "demo", "--json", "--no-browser", "--data", data,
            env=clean_environment({}), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        try:
            assert process.stdout is not None
            yield json.loads(await process.stdout.readline())["workspace"]["page"]
        finally:
            process.terminate()
            await process.wait()


async def _camera(browser: Browser, address: str, folder: Path, schemes: Sequence[str]) -> Camera:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(_PATIENCE)
    page, blank = await context.new_page(), await context.new_page()
    await page.goto(f"{address}&fast=1&as=UADA")
    return Camera(await drawn(page), blank, folder, schemes)


async def _memoize(camera: Camera) -> None:
    """Where it landed, after the first journey."""
    journey = camera.page.locator("[data-journey=memoize]")
    await journey.get_by_role("button", name="Play").click()
    await camera.page.locator("[data-journey=memoize][data-outcome=ok]").wait_for()
    await camera.page.locator(".kind-agent .entry").wait_for()
    await camera.page.get_by_role("button", name="Close this line").click()
    await camera.page.locator("#thread-close").click()
    await camera.page.locator("#title").click()
    await (await camera.thread()).locator(".message").nth(1).wait_for()
    await camera.shoot("landed")


async def _one_on_one(camera: Camera) -> None:
    """A private session, with what its owner would share: seen by the owner alone."""
    await camera.act_as("UADA", "COPS")
    await camera.type("/1on1 remember that my review is on Thursday")
    await camera.page.locator(".kind-user .badge", has_text="1").wait_for()
    await camera.page.get_by_role("button", name="Sliceway, direct message").click()
    thread = await camera.thread()
    await camera.type("share with the team: the on-call phone is in the red cabinet", thread=True)
    await thread.get_by_role("button", name="Keep private").wait_for()
    await thread.get_by_text("only you see it").wait_for()
    await camera.shoot("private")


async def _share(camera: Camera) -> None:
    """A card before the decision, on a phone too, and the record that it becomes."""
    await camera.act_as("UADA", "COPS")
    await camera.type("@sliceway share with the team: the on-call rotation moved to Mondays")
    await camera.page.locator("#timeline .message", has_text="2 replies").wait_for()
    await camera.act_as("UMIA", "COPS")
    thread = await camera.thread()
    approve = thread.get_by_role("button", name="Approve", exact=True)
    await approve.scroll_into_view_if_needed()
    await camera.page.locator(".kind-shared .waiting").wait_for()
    await camera.shoot("card")
    await camera.page.set_viewport_size({"width": 390, "height": 780})
    await approve.scroll_into_view_if_needed()
    await camera.shoot("phone")
    await camera.page.set_viewport_size({"width": 1280, "height": 800})
    await approve.click()
    await thread.get_by_text("Approved:").wait_for()
    await camera.page.locator(".kind-shared .entries", has_text="approved by").wait_for()
    await thread.get_by_text("is now in the team").wait_for()
    await camera.shoot("record")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(take(FOLDER))
    for file in sorted(FOLDER.glob("*.png")):
        print(f"{file.name}  {file.stat().st_size / 1024:.0f} KB")
