"""What the page offers beside messages: the bot's Home, names to choose from, faults, and what it says when lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sliceway.web.serving import bound, port_of
from sliceway.workspace.server import running_workspace
from tests.browser.looking import drawn, nameless, pale, widest
from tests.contract.workspace_client import Client, workspace_client
from tests.contract.workspace_socket import app_socket

if TYPE_CHECKING:
    from tests.browser.conftest import Opener

pytestmark = pytest.mark.timeout(300)
HOME = {
    "type": "home",
    "blocks": [
        {"type": "section", "text": {"type": "mrkdwn", "text": "*Two* wait for you"}},
        {
            "type": "actions", "block_id": "do",
            "elements": [{"type": "button", "action_id": "look", "text": {"type": "plain_text", "text": "Look"}}],
        },
    ],
}  # fmt: skip


async def test_the_home_tab_shows_what_the_app_published_and_its_buttons_work(opened: Opener, client: Client) -> None:
    """Opened, the app is told; what it publishes is drawn, anew when it changes; a press there reaches the app; only
    the direct message with the bot has such a tab."""
    page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
    assert await page.locator("#tabs").is_hidden()
    await page.get_by_role("button", name="Sliceway, direct message").click()
    await page.get_by_role("button", name="Home", exact=True).click()
    await page.locator("#home").get_by_text("published nothing").wait_for()
    await client.api("views.publish", user_id="UADA", view=HOME)
    await page.locator("#home").get_by_text("wait for you").wait_for()
    await page.locator("#home").get_by_role("button", name="Look").click()
    await client.workspace.settled()
    sent = (await client.look("deliveries"))["deliveries"]
    assert sent[0]["payload"]["event"]["type"] == "app_home_opened"
    assert [each["payload"]["actions"][0]["action_id"] for each in sent if each["kind"] == "interactive"] == ["look"]
    assert (await pale(page), await nameless(page), await widest(page)) == ([], [], 0)
    await page.get_by_role("button", name="Messages", exact=True).click()
    assert await page.locator("#home").is_hidden()
    await page.locator("#compose textarea").wait_for()


async def test_names_are_offered_while_one_types_and_taken_by_the_keyboard(opened: Opener) -> None:
    """After `@` people are offered, after `#` channels; arrows choose, Enter and Tab take without sending, Escape
    leaves; those who listen hear how many there are, and the box says which one is chosen."""
    async with workspace_client() as client:
        page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
        box, options = page.locator("#compose textarea"), page.locator("#compose [role=option]")
        await box.press_sequentially("hello @m")
        await options.nth(2).wait_for()
        assert await options.locator("strong").all_inner_texts() == ["@mia", "@max", "@ada"]  # and Ada Moreno
        await page.locator("[aria-live]", has_text="3 suggestions").wait_for(state="attached")
        first = await box.get_attribute("aria-activedescendant")
        await page.keyboard.press("ArrowDown")
        assert await box.get_attribute("aria-activedescendant") != first
        assert await options.nth(1).get_attribute("aria-selected") == "true"
        assert (await pale(page), await nameless(page)) == ([], [])
        await page.keyboard.press("Enter")
        assert await box.input_value() == "hello @max "
        await box.press_sequentially("see #de")
        await options.first.wait_for()
        await page.keyboard.press("Tab")
        assert await box.input_value() == "hello @max see #deploys "
        await box.press_sequentially("@c")
        await options.first.wait_for()
        await page.keyboard.press("Escape")
        assert await page.locator("#compose [role=listbox]").is_hidden()
        assert await client.messages("COPS") == []
        await page.keyboard.press("Enter")
        await page.locator("#timeline .message").get_by_text("hello").wait_for()
        (said,) = await client.messages("COPS")
        assert said["text"] == "hello <@UMAX> see <#CDEPLOYS|deploys> @c"


async def test_names_can_be_taken_by_a_click_and_only_places_one_sees_are_offered(opened: Opener) -> None:
    """A click takes a name and leaves the focus in the box; a stranger is offered their own channel alone."""
    async with workspace_client() as client:
        page = await drawn(await opened(f"{client.workspace.page_url}&as=USASHA"))
        box, options = page.locator("#compose textarea"), page.locator("#compose [role=option]")
        await box.press_sequentially("#")
        await options.first.wait_for()
        assert await options.all_inner_texts() == ["#partners"]
        await options.first.click()
        assert await box.input_value() == "#partners "
        assert await page.evaluate("document.activeElement.tagName") == "TEXTAREA"


async def test_a_fault_of_ones_own_is_for_one_call_or_delivery(opened: Opener) -> None:
    """What and to what are chosen, the latter only where the former can happen; it stands in the list until it is taken
    away or has struck, and the switches keep their own."""
    async with workspace_client() as client:
        page = await drawn(await opened(client.workspace.page_url))
        plan = client.workspace.hub.faults
        await page.get_by_text("Fault switchboard").click()
        await page.get_by_role("switch", name="Slow network").check()
        await page.get_by_label("What", exact=True).select_option("duplicate")
        assert await page.locator("#fault-at optgroup").count() == 1
        await page.get_by_label("To", exact=True).select_option("event app_mention")
        await page.get_by_label("When", exact=True).select_option("")
        await page.get_by_role("button", name="Add this fault").click()
        await page.get_by_label("What", exact=True).select_option("error")
        await page.get_by_label("To", exact=True).select_option("method users.info")
        await page.get_by_label("When", exact=True).select_option("1")
        await page.get_by_role("button", name="Add this fault").click()
        listed = page.locator(".force li")
        await listed.nth(1).wait_for()
        kept = [(each.do, each.match.method, each.match.event) for each in plan.faults]
        assert kept == [
            ("delay", "chat.postMessage", None), ("duplicate", None, "app_mention"), ("error", "users.info", None),
        ]  # fmt: skip
        assert (await client.api("users.info", user="UADA"))["error"] == "internal_error"
        await listed.nth(1).wait_for(state="detached")
        await page.get_by_role("button", name="Take away: Delivered twice: a mention").click()
        await listed.first.wait_for(state="detached")
        assert [each.do for each in plan.faults] == ["delay"]


async def test_a_workspace_that_comes_back_with_a_new_key_is_asked_for_it(opened: Opener) -> None:
    """While it is gone the page says so; started anew on the same port it asks for the new address in words, and then
    shows the same place and what is said there from then on."""
    listener = bound(0)
    port = port_of(listener)
    listener.close()
    async with running_workspace(port=port) as workspace:
        page = await drawn(await opened(f"{workspace.page_url}&as=UMIA&in=CLAUNCH"))
        await page.locator("#link", has_text="live").wait_for()
    await page.locator("#trouble", has_text="goes on by itself").wait_for()
    async with workspace_client(port=port) as client:
        await page.get_by_role("dialog").get_by_text("has a new key").wait_for()
        await page.locator("#door-key").fill(client.workspace.page_url)
        await page.keyboard.press("Enter")
        await page.locator("#link", has_text="live").wait_for()
        assert await page.locator("#actor").input_value() == "UMIA"
        await client.say("UADA", "CLAUNCH", "welcome back")
        await page.locator("#timeline").get_by_text("welcome back").wait_for()
        assert await page.locator("#trouble").inner_text() == ""


async def test_where_the_bot_hears_nothing_the_page_says_so_until_it_is_invited(opened: Opener) -> None:
    """In a channel without the bot a line says why nothing answers; `/invite` brings it in, and asks whom where nobody
    is named."""
    async with workspace_client() as client:
        page = await drawn(await opened(f"{client.workspace.page_url}&in=CRANDOM"))
        told, box = page.locator("#compose .told"), page.locator("#compose textarea")
        await told.get_by_text("hears nothing").wait_for()
        await box.fill("/invite everybody")
        await page.keyboard.press("Enter")
        await page.locator("#trouble").get_by_text("Name who comes in").wait_for()
        await page.get_by_role("button", name="/invite @sliceway").click()
        assert await box.input_value() == "/invite @sliceway"
        await page.keyboard.press("Enter")
        await told.get_by_text("No bot is connected").wait_for()
        await page.locator("#about").get_by_text("6 members").wait_for()
        (random,) = [each for each in (await client.look("state"))["channels"] if each["id"] == "CRANDOM"]
        assert "USLICEWAY" in random["members"]


async def test_while_no_bot_is_connected_the_page_says_so(opened: Opener) -> None:
    """A line says that nothing answers until an app is there, over HTTP or by a socket, and again when it has gone; a
    person without direct messages has no heading for them."""
    async with workspace_client() as client:
        page = await drawn(await opened(f"{client.workspace.page_url}&as=USASHA&in=CPARTNERS"))
        told = page.locator("#compose .told")
        await told.get_by_text("No bot is connected").wait_for()
        assert not await page.get_by_role("heading", name="Direct messages").count()
        await client.control("request_url", url="http://127.0.0.1:9/slack/events")
        await told.wait_for(state="hidden")
        await client.control("request_url", url=None)
        await told.get_by_text("No bot is connected").wait_for()
        async with app_socket(client):
            await told.wait_for(state="hidden")
        await told.get_by_text("No bot is connected").wait_for()


async def test_a_channel_keeps_its_name_beside_an_open_thread(opened: Opener) -> None:
    """However little room there is, what is said about a channel gives way before its name does."""
    async with workspace_client() as client:
        ts = await client.say("UMIA", "CPARTNERS", "hello")
        page = await drawn(await opened(f"{client.workspace.page_url}&as=UMIA&in=CPARTNERS&thread={ts}"))
        await page.locator("#thread-pane .message").first.wait_for()
        for width in (1280, 1400):
            await page.set_viewport_size({"width": width, "height": 800})
            shown, wanted = await page.evaluate(
                "(() => { const t = document.getElementById('title'); return [t.clientWidth, t.scrollWidth]; })()"
            )
            assert shown >= wanted > 0
