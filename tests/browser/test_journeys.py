"""The three journeys in a real browser, with the real gateway: by the buttons that play them, and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sliceway.cli.play.stage import open_stage
from tests.browser.looking import drawn, nameless, pale

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import Opener

pytestmark = pytest.mark.timeout(400)
LONG = 90_000  # milliseconds: the gateway starts and answers on a machine that does much else


async def _play(page: Page, journey: str) -> None:
    section = page.locator(f"[data-journey='{journey}']")
    await section.get_by_role("button", name="Play").click()
    await page.locator(f"[data-journey='{journey}'][data-outcome]").wait_for(timeout=LONG)
    assert await section.get_attribute("data-outcome") == "ok", await section.inner_text()


async def test_three_journeys_play_at_a_click_and_show_where_each_memory_landed(opened: Opener, tmp_path: Path) -> None:
    """Each journey ends well; its slice shows what landed, under whose yes, and nobody's private words."""
    async with open_stage(tmp_path) as stage:
        page = await drawn(await opened(f"{stage.page_url}&fast=1"))
        await _play(page, "memoize")
        await page.locator(".kind-agent .entry", has_text="is the rollback target").wait_for()
        await _play(page, "1on1")
        await page.locator(".kind-user .badge", has_text="1").wait_for()
        assert "Thursday" not in await page.locator(".panel").inner_text()
        await _play(page, "share")
        await page.locator(".kind-shared .entries", has_text="approved by mia").wait_for()
        ledger = page.locator("#ledger")
        for words in ("Approved", "under mia’s yes", "Refused", "Asked for a yes"):
            await ledger.get_by_text(words).first.wait_for()
        assert await pale(page) == []
        assert await nameless(page) == []


async def test_a_journey_can_be_paused_stepped_and_stopped(opened: Opener, tmp_path: Path) -> None:
    """Paused, nothing goes on; a step does one thing; the controls are real buttons."""
    async with open_stage(tmp_path) as stage:
        page = await drawn(await opened(stage.page_url))
        section = page.locator("[data-journey='1on1']")
        await section.get_by_role("button", name="Play").click()
        await section.get_by_role("button", name="Pause").click()
        await section.locator("li.done").nth(0).wait_for(timeout=LONG)
        await page.wait_for_timeout(2500)  # longer than the pause between steps that is not held
        assert await section.locator("li.done").count() == 1
        await section.get_by_role("button", name="Step").click()
        await section.locator("li.done").nth(1).wait_for(timeout=LONG)
        assert await section.locator("li.now").count() == 0
        await section.get_by_role("button", name="Stop").click()
        await section.get_by_role("button", name="Play").wait_for()


async def test_two_people_in_two_browsers_share_a_fact_by_hand_with_a_reload_between(
    opened: Opener, tmp_path: Path
) -> None:
    """Ada asks, Mia sees the card, reloads, reviews and approves; Ada's window shows the record without a reload."""
    async with open_stage(tmp_path) as stage:
        ada = await drawn(await opened(f"{stage.page_url}&as=UADA&in=COPS"))
        mia = await drawn(await opened(f"{stage.page_url}&as=UMIA&in=COPS"))
        await ada.locator("#compose textarea").fill("@sliceway share with the team: the door code changes on Fridays")
        await ada.keyboard.press("Enter")
        await mia.locator("#timeline .replies").click(timeout=LONG)
        await mia.locator("#thread").get_by_role("button", name="Approve", exact=True).wait_for(timeout=LONG)
        await mia.reload()
        await drawn(mia)
        await ada.locator("#timeline .replies").click()
        await mia.locator("#thread").get_by_role("button", name="Approve", exact=True).click(timeout=LONG)
        await ada.locator("#thread").get_by_text("Approved:").wait_for(timeout=LONG)
        await ada.locator("#thread").get_by_role("button", name="Approve", exact=True).wait_for(state="detached")
        await ada.locator(".kind-shared .entry", has_text="the door code changes on Fridays").wait_for()


async def test_one_on_one_by_typing_the_command(opened: Opener, tmp_path: Path) -> None:
    """`/1on1` typed in the composer opens the private session in the direct message; others see none of it."""
    async with open_stage(tmp_path) as stage:
        ada = await drawn(await opened(f"{stage.page_url}&as=UADA&in=COPS"))
        await ada.locator("#compose textarea").fill("/1on1 remember that my review is on Thursday")
        await ada.keyboard.press("Enter")
        await ada.locator(".kind-user .badge", has_text="1").wait_for(timeout=LONG)
        await ada.get_by_role("button", name="Sliceway, direct message").click()
        await ada.locator("#timeline .message").first.wait_for(timeout=LONG)
        mia = await drawn(await opened(f"{stage.page_url}&as=UMIA&in=COPS"))
        assert "Thursday" not in await mia.locator("body").inner_text()


async def test_two_hard_questions_are_answered_at_a_click(opened: Opener, tmp_path: Path) -> None:
    """AP10, AP11: another agent finds nothing, and then what was shared, signed; a gateway that was killed between card
    and click writes once, and the second manager is told who decided."""
    async with open_stage(tmp_path) as stage:
        before = stage.gateway.pid
        page = await drawn(await opened(f"{stage.page_url}&fast=1"))
        await _play(page, "apart")
        told = await page.locator("[data-journey=apart] li small").all_inner_texts()
        assert told[1] == "Scout finds nothing."
        assert told[3].startswith("Scout finds “the canary runs on host-")
        assert told[3].endswith("by Sliceway for Ada, approved by Mia.")
        await _play(page, "crash")
        told = await page.locator("[data-journey=crash] li small").all_inner_texts()
        assert told[1] == f"Process {before} is gone; {stage.gateway.pid} works now."
        assert "already approved by mia" in told[3]
        below = "(() => { const { scrollHeight, scrollTop, clientHeight } = document.getElementById('thread');"
        assert await page.evaluate(f"{below} return scrollHeight - scrollTop - clientHeight; }})()") < 2
        pages = (await stage.command_line("page", "list", "--slice", "shared", "--agent", "scout"))["items"]
        assert sorted((one["version"], one["author"]["on_behalf_of"]["name"]) for one in pages) == [(1, "ada")] * 2
        assert await pale(page) == []
        assert await nameless(page) == []


async def test_the_home_of_the_bot_says_what_waits(opened: Opener, tmp_path: Path) -> None:
    """A manager reads on the bot's Home what her direct messages read and write, and that nothing waits."""
    async with open_stage(tmp_path) as stage:
        page = await drawn(await opened(f"{stage.page_url}&as=UMIA"))
        await page.get_by_role("button", name="Sliceway, direct message").click()
        await page.get_by_role("button", name="Home", exact=True).click()
        await page.locator("#home").get_by_text("Nothing waits for your decision").wait_for(timeout=LONG)
        assert "your private session" in await page.locator("#home").inner_text()
