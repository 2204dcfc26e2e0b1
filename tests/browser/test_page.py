"""The page of the workspace alone: places, messages, forms, keyboard, eyes, two people, a reload, a crowd."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from sliceway.workspace.model import Message
from sliceway.workspace.server import running_workspace
from tests.browser.looking import drawn, focus_order, nameless, pale, widest
from tests.contract.workspace_client import Client, Json, workspace_client
from tests.fakes.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Page

    from tests.browser.conftest import Opener

pytestmark = pytest.mark.timeout(300)
CARD = [
    {"type": "header", "text": {"type": "plain_text", "text": "A card"}},
    {
        "type": "section",
        "text": {"type": "mrkdwn", "text": "*bold* <@UADA> <#COPS|ops> `code` &lt;b&gt;\n&gt; quoted\n• one\n• two"},
        "fields": [{"type": "mrkdwn", "text": "*Left*\nl"}, {"type": "plain_text", "text": "Right"}],
        "accessory": {
            "type": "overflow", "action_id": "more",
            "options": [{"text": {"type": "plain_text", "text": "Second look"}, "value": "look"}],
        },
    },
    {"type": "divider"},
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "_small print_"}]},
    {
        "type": "actions", "block_id": "do",
        "elements": [
            {"type": "button", "action_id": "yes", "text": {"type": "plain_text", "text": "Approve"}},
            {
                "type": "static_select", "action_id": "pick", "placeholder": {"type": "plain_text", "text": "Pick one"},
                "options": [{"text": {"type": "plain_text", "text": "First"}, "value": "1"}],
            },
        ],
    },
]  # fmt: skip
FORM = {
    "type": "modal", "title": {"type": "plain_text", "text": "A form"},
    "submit": {"type": "plain_text", "text": "Save it"},
    "close": {"type": "plain_text", "text": "Never mind"},
    "blocks": [
        {
            "type": "input", "block_id": "why", "label": {"type": "plain_text", "text": "Why?"},
            "element": {"type": "plain_text_input", "action_id": "text", "multiline": True},
        }
    ],
}  # fmt: skip


async def _say(page: Page, words: str) -> None:
    await page.locator("#compose textarea").fill(words)
    await page.keyboard.press("Enter")


async def test_what_one_types_is_seen_by_another_at_once_and_can_be_edited_and_deleted(opened: Opener) -> None:
    """Two browsers: Ada writes, Ben sees it without a reload; she edits, deletes; nothing is read as HTML."""
    async with running_workspace() as workspace:
        ada = await drawn(await opened(f"{workspace.page_url}&as=UADA&in=COPS"))
        ben = await drawn(await opened(f"{workspace.page_url}&as=UBEN&in=COPS"))
        await _say(ada, "<b>hello</b> @ben & all")
        row = ben.locator("#timeline .message")
        await row.get_by_text("<b>hello</b> @ben & all").wait_for()
        assert await row.locator(".mention.mine").inner_text() == "@ben"
        assert await row.get_by_role("button", name="Edit").count() == 0
        await ada.locator("#timeline .message").hover()
        await ada.get_by_role("button", name="Edit").click()
        await ada.get_by_label("Edit the message").fill("good bye")
        await ada.keyboard.press("Enter")
        await row.get_by_text("good bye").wait_for()
        await row.get_by_text("(edited)").wait_for()
        await ada.locator("#timeline .message").hover()
        await ada.get_by_role("button", name="Delete").click()
        await row.wait_for(state="detached")


async def test_a_reload_keeps_who_looks_where_and_the_key_is_off_the_address(opened: Opener) -> None:
    """After a reload the same person is in the same thread; the key stands in no address."""
    async with workspace_client() as client:
        root = await client.say("UMIA", "CLAUNCH", "a root")
        page = await drawn(await opened(f"{client.workspace.page_url}&as=UMIA&in=CLAUNCH"))
        await page.get_by_role("button", name="Reply", exact=True).focus()
        await page.keyboard.press("Enter")
        await page.get_by_label("Reply in the thread").fill("a reply")
        await page.keyboard.press("Enter")
        await page.locator("#thread").get_by_text("a reply").wait_for()
        assert client.workspace.key not in page.url
        await page.reload()
        await drawn(page)
        await page.locator("#thread").get_by_text("a reply").wait_for()
        assert root in page.url
        assert await page.locator("#actor").input_value() == "UMIA"
        await page.keyboard.press("Escape")
        await page.locator("#thread-pane").wait_for(state="hidden")


async def test_op5_without_the_key_nothing_is_shown_until_it_is_pasted(opened: Opener) -> None:
    """OP5: the page alone shows nobody and nothing; the pasted address opens it."""
    async with running_workspace() as workspace:
        page = await opened(workspace.url)
        await page.locator("#door").wait_for()
        assert await page.locator("#channels li").count() == 0
        await page.locator("#door-key").fill(workspace.page_url)
        await page.keyboard.press("Enter")
        await drawn(page)
        assert await page.locator("#channels li").count() > 0


async def test_block_kit_is_drawn_and_what_is_pressed_reaches_the_app(opened: Opener, client: Client) -> None:
    """Header, fields, overflow, select, quote, list and mentions are drawn; a press arrives as Slack sends it."""
    await client.api("chat.postMessage", channel="COPS", text="a card", blocks=CARD)
    page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
    row = page.locator("#timeline .message")
    assert await row.get_by_role("heading", name="A card").count() == 1
    assert await row.locator("blockquote").inner_text() == "quoted"
    assert await row.locator(".section ul li").all_inner_texts() == ["one", "two"]
    assert await row.locator("code").inner_text() == "code"
    await row.get_by_role("button", name="Approve").click()
    await row.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Second look").click()
    await row.get_by_label("Pick one").select_option("1")
    pressed: dict[str, Json] = {}

    async def arrived() -> bool:
        for each in (await client.look("deliveries"))["deliveries"]:
            if each["kind"] == "interactive":
                action = each["payload"]["actions"][0]
                pressed[action["action_id"]] = action
        return len(pressed) == 3

    await until(arrived)
    assert set(pressed) == {"yes", "more", "pick"}
    assert pressed["more"]["selected_option"]["value"] == "look"


async def test_ephemeral_messages_are_marked_and_shown_to_one_person(opened: Opener) -> None:
    """Only Ada sees it, and it says so."""
    async with workspace_client() as client:
        ada = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
        ben = await drawn(await opened(f"{client.workspace.page_url}&as=UBEN&in=COPS"))
        await client.api("chat.postEphemeral", channel="COPS", user="UADA", text="psst")
        await client.say("UMIA", "COPS", "for all")
        await ada.get_by_text("Only you can see this").wait_for()
        await ben.locator("#timeline").get_by_text("for all").wait_for()
        assert await ben.locator("#timeline").get_by_text("psst").count() == 0


async def test_a_form_holds_the_focus_wants_what_is_needed_and_closes_with_escape(
    opened: Opener, client: Client
) -> None:
    """A modal opens with its field focused, is submitted with what was typed, and Escape closes the next one."""
    page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
    trigger = client.workspace.hub.triggers.mint("UADA")
    assert (await client.api("views.open", trigger_id=trigger, view=FORM))["ok"]
    dialog = page.get_by_role("dialog", name="A form")
    await dialog.wait_for()
    assert await page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    await dialog.get_by_role("button", name="Save it").click()
    await dialog.get_by_text("This is needed.").wait_for()
    await dialog.get_by_label("Why?").fill("because")
    await dialog.get_by_role("button", name="Save it").click()
    await dialog.wait_for(state="detached")
    sent = (await client.look("deliveries"))["deliveries"][-1]["payload"]
    assert sent["view"]["state"]["values"]["why"]["text"]["value"] == "because"
    trigger = client.workspace.hub.triggers.mint("UADA")
    assert (await client.api("views.open", trigger_id=trigger, view=FORM))["ok"]
    await dialog.wait_for()
    await page.keyboard.press("Escape")
    await dialog.wait_for(state="detached")


async def test_strangers_and_guests_see_their_own_places_only(opened: Opener) -> None:
    """Act as: a stranger sees the shared channel and no more."""
    async with running_workspace() as workspace:
        page = await drawn(await opened(workspace.page_url))
        await page.locator("#actor").select_option("USASHA")
        await page.get_by_role("heading", name="#partners", level=1).wait_for()
        assert await page.locator("#channels .grow").all_inner_texts() == ["partners"]
        assert await page.locator("#directs li").count() == 0


@pytest.mark.parametrize("dark", [False, True])
async def test_everything_has_a_name_enough_contrast_and_fits(opened: Opener, *, dark: bool) -> None:
    """In light and dark, from 390 to 1,600 pixels: names, AA contrast, one h1, nothing sticks out."""
    async with workspace_client() as client:
        await client.api("chat.postMessage", channel="COPS", text="a card", blocks=CARD)
        await client.api("chat.postEphemeral", channel="COPS", user="UGUS", text="psst")
        await client.say("UADA", "COPS", "https://a.example/" + "long" * 60)
        for width in (390, 800, 1280, 1600):
            page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS", width=width, dark=dark))
            await page.locator("#timeline .message").nth(1).wait_for()
            assert await pale(page) == []
            assert await nameless(page) == []
            assert await widest(page) <= 0
            assert await page.locator("h1:visible").count() == 1
            await page.context.close()


async def test_the_focus_goes_from_top_to_side_to_messages_to_panel(opened: Opener) -> None:
    """By Tab alone one reaches, in this order: skip link, act as, places, messages, composer, journeys."""
    async with running_workspace() as workspace:
        page = await drawn(await opened(workspace.page_url))
        order = await focus_order(page, 24)
        regions = list(dict.fromkeys(region for region, _ in order))
        names = [name for _, name in order]
        assert regions[:5] == ["none", "top", "side", "MAIN", "panel"]
        assert names[0] == "Skip to the messages"
        assert names.index("actor") < names.index("Message #deploys") < names.index("Play: Memoize in a channel")


async def test_what_is_new_is_said_to_those_who_listen(opened: Opener) -> None:
    """A live region reads out who said what."""
    async with workspace_client() as client:
        page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
        await client.say("UMIA", "COPS", "lunch?")
        await page.locator("[aria-live]", has_text="Mia Lindqvist: lunch?").wait_for(state="attached")


async def test_the_switchboard_sets_the_fault_plan(opened: Opener) -> None:
    """A switch sets the plan in every window, and one button ends all faults."""
    async with workspace_client() as client:
        page = await drawn(await opened(client.workspace.page_url))
        other = await drawn(await opened(client.workspace.page_url))
        await page.get_by_text("Fault switchboard").click()
        await page.get_by_role("switch", name="429: too many requests").check()
        await other.locator("#fault-limit:checked").wait_for(state="attached")
        assert [each.do for each in client.workspace.hub.faults.faults] == ["rate_limit"]
        await page.get_by_role("button", name="All well again").click()
        await other.locator("#fault-limit:not(:checked)").wait_for(state="attached")
        assert client.workspace.hub.faults.faults == ()


async def test_five_thousand_messages_and_two_hundred_changes_a_second_do_not_freeze_it(opened: Opener) -> None:
    """Few rows exist, frames go on, and the newest message is there soon; first paint is quick."""
    async with workspace_client() as client:
        for at in range(5000):
            client.workspace.model.put_message(_old(at))
        page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
        await page.locator("#timeline").get_by_text("message 4999").wait_for()
        paint = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        await page.evaluate(
            "() => { window.gaps = []; let last = performance.now(); const tick = (now) => {"
            " gaps.push(now - last); last = now; requestAnimationFrame(tick); }; requestAnimationFrame(tick); }"
        )
        for at in range(5000, 5600):
            client.workspace.model.put_message(_old(at))
            await asyncio.sleep(0.005)
        await page.locator("#timeline").get_by_text("message 5599").wait_for()
        assert await page.locator("#timeline .message").count() <= 120
        gaps = sorted(await page.evaluate("gaps"))
        print(
            f"first paint {paint:.0f} ms; frames {len(gaps)}, median {gaps[len(gaps) // 2]:.0f}, worst {gaps[-1]:.0f}"
        )
        assert gaps[len(gaps) // 2] < 250
        await page.locator("#timeline").evaluate("(node) => { node.scrollTop = 0; }")
        await page.locator("#timeline").get_by_text("message 5460", exact=True).wait_for()


def _old(at: int) -> Message:
    return Message(channel="COPS", ts=f"{1_600_000_000 + at}.000100", user="UBEN", text=f"message {at}")
