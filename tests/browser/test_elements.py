"""Every element of Block Kit that one can choose, tick or write in, drawn in a message and in a form, and what the app
reads of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from tests.browser.looking import drawn, nameless, pale, widest
from tests.contract.test_workspace_choices import CHOICES, OPTIONS
from tests.contract.workspace_app import listening_app
from tests.contract.workspace_client import Client, Json, workspace_client
from tests.fakes.waiting import until

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

    from tests.browser.conftest import Opener

pytestmark = pytest.mark.timeout(300)
FAR = "2026-01-02T03:10"
SEEN = {"number_input": "7", "datetimepicker": FAR}
"""What is typed where it is not what `CHOICES` chooses."""
LAST: dict[str, tuple[str, Json, Any, Json, Json]] = {row[0]: row for row in CHOICES if row[2] != []}
"""One row of each kind, that chooses something."""


def blocks() -> list[Json]:
    """Return one input of each kind, and a button."""
    fields: list[Json] = [
        {
            "type": "input", "block_id": kind, "label": {"type": "plain_text", "text": f"A {kind}"}, "optional": True,
            "element": {"type": kind, "action_id": "it", **more},
        }
        for kind, more, *_ in LAST.values()
    ]  # fmt: skip
    button = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    return [*fields, {"type": "actions", "block_id": "row", "elements": [button]}]


async def fill(where: Page | Locator) -> None:
    """Choose, tick and write in each field as a person would."""
    for kind, _, chosen, *_ in LAST.values():
        field = where.get_by_label(f"A {kind}", exact=False)
        if kind in ("radio_buttons", "checkboxes"):
            for at, option in enumerate(OPTIONS):
                tick = field.locator("input").nth(at)
                await tick.set_checked(option["value"] in chosen) if kind == "checkboxes" else None
                await tick.check() if option["value"] in chosen else None
        elif kind.endswith("_select"):
            await field.select_option(chosen)
        elif kind != "file_input":
            await field.fill(SEEN.get(kind, chosen))


def filled() -> Json:
    """Return what the app has to read once all is filled in."""
    values: Json = {kind: {"it": {"type": kind, **told}} for kind, _, _, told, _ in LAST.values()}
    return values


async def arrived(client: Client, kind: str) -> Json:
    """Wait for the newest delivery of a type and return its state's values, the moment left out."""
    found: list[Json] = []

    async def there() -> bool:
        sent = (await client.look("deliveries"))["deliveries"]
        found[:] = [each["payload"] for each in sent if each["payload"].get("type") == kind]
        return bool(found)

    await until(there)
    payload = found[-1]
    values: Json = payload.get("state", payload.get("view", {}).get("state"))["values"]
    return values


async def test_what_one_chooses_in_a_message_goes_along_with_the_next_press(opened: Opener, client: Client) -> None:
    """Each kind has its name and its field; a button beside them brings along what stands in them, which stays there
    when the message is drawn anew."""
    ts = (await client.api("chat.postMessage", channel="COPS", text="card", blocks=blocks()))["ts"]
    page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
    row = page.locator("#timeline .message")
    await fill(row)
    moment = await page.evaluate(f"new Date('{FAR}').getTime() / 1000")
    await row.get_by_role("button", name="Go").click()
    wanted = {**filled(), "datetimepicker": {"it": {"type": "datetimepicker", "selected_date_time": moment}}}
    assert await arrived(client, "block_actions") == wanted
    assert (await pale(page), await nameless(page), await widest(page)) == ([], [], 0)
    more = [*blocks(), {"type": "context", "elements": [{"type": "mrkdwn", "text": "_changed_"}]}]
    await client.api("chat.update", channel="COPS", ts=ts, text="card", blocks=more)
    await row.get_by_text("changed").wait_for()
    assert await row.get_by_label("A plain_text_input").input_value() == "words"
    assert await row.get_by_label("A datetimepicker").input_value() == FAR


async def test_what_one_chooses_in_a_form_is_submitted(opened: Opener, client: Client) -> None:
    """The same in a modal, narrow as a phone."""
    page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS", width=390))
    view = {
        "type": "modal", "title": {"type": "plain_text", "text": "A form"}, "blocks": blocks(),
        "submit": {"type": "plain_text", "text": "Send"},
    }  # fmt: skip
    opened_view = await client.api("views.open", trigger_id=client.workspace.hub.triggers.mint("UADA"), view=view)
    assert opened_view["ok"], opened_view
    dialog = page.get_by_role("dialog", name="A form")
    await fill(dialog)
    assert (await nameless(page), await widest(page)) == ([], 0)
    await dialog.get_by_role("button", name="Send").click()
    sent = await arrived(client, "view_submission")
    moment = await page.evaluate(f"new Date('{FAR}').getTime() / 1000")
    assert sent == {**filled(), "datetimepicker": {"it": {"type": "datetimepicker", "selected_date_time": moment}}}


async def test_a_field_that_tells_of_itself_does_so_when_slack_would(opened: Opener, client: Client) -> None:
    """Ticks and pickers tell at once, all that is ticked; a line of text at Enter, which then sends no form."""
    ticks = {"type": "checkboxes", "action_id": "ticks", "options": OPTIONS}
    line = {"type": "plain_text_input", "action_id": "line"}
    content: list[Json] = [
        {"type": "actions", "block_id": "a", "elements": [ticks]},
        {
            "type": "input", "block_id": "b", "label": {"type": "plain_text", "text": "A line"}, "element": line,
            "dispatch_action": True,
        },
    ]  # fmt: skip
    view = {
        "type": "modal", "title": {"type": "plain_text", "text": "A form"}, "blocks": content,
        "submit": {"type": "plain_text", "text": "Send"},
    }  # fmt: skip
    page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
    await client.api("views.open", trigger_id=client.workspace.hub.triggers.mint("UADA"), view=view)
    dialog = page.get_by_role("dialog", name="A form")
    for choice in ("Choice 1", "Choice 3"):
        await dialog.get_by_label(choice).check()
    await dialog.get_by_label("A line").fill("so")
    await page.keyboard.press("Enter")

    async def told() -> bool:
        return len((await client.look("deliveries"))["deliveries"]) == 3

    await until(told)
    sent = [each["payload"] for each in (await client.look("deliveries"))["deliveries"]]
    assert {each["type"] for each in sent} == {"block_actions"}
    actions = [each["actions"][0] for each in sent]
    assert [option["value"] for option in actions[1]["selected_options"]] == ["1", "3"]
    assert actions[2]["value"] == "so"
    assert sent[2]["view"]["state"]["values"]["b"]["line"]["value"] == "so"
    assert await dialog.is_visible()


async def test_a_menu_offers_what_the_app_finds(opened: Opener) -> None:
    """What one types is asked of the app; one of its options is chosen, and the app is told."""
    menu = {
        "type": "external_select", "action_id": "it", "min_query_length": 2,
        "placeholder": {"type": "plain_text", "text": "Find a build"},
    }  # fmt: skip
    async with workspace_client() as client, listening_app() as app:
        await client.control("request_url", url=app.url)
        app.answer = lambda _: web.json_response({"options": OPTIONS})
        blocks = [{"type": "actions", "block_id": "one", "elements": [menu]}]
        await client.api("chat.postMessage", channel="COPS", text="card", blocks=blocks)
        page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
        row = page.locator("#timeline .message")
        await row.get_by_role("searchbox", name="Find a build").press_sequentially("230")
        choices = row.get_by_role("combobox", name="Find a build")
        await choices.locator("option", has_text="Choice 2").wait_for(state="attached")
        await choices.select_option("2")

        async def told() -> bool:
            return bool(app.received[-1].payload["type"] == "block_actions")

        await until(told)
        assert [each.payload["value"] for each in app.received[:-1] if "value" in each.payload] == ["23", "230"]
        assert app.received[-1].payload["actions"][0]["selected_option"] == OPTIONS[1]
        assert (await pale(page), await nameless(page)) == ([], [])


async def test_markdown_is_drawn_and_never_as_html(opened: Opener, client: Client) -> None:
    """Headings, marks, lists, code, quotes, tables and links of a `markdown` block have their elements; a tag is words,
    and a script's address no link."""
    said = (
        "# Plan\n**bold** and *slanted* and ~~gone~~ with `code` for <@UADA>\n\n- one\n- two\n\n1. first\n2. second\n\n"
        "> quoted\n\n```py\nx = **1**\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n"
        "[there](https://a.example/x) [bad](javascript:alert(1)) <img src=x>"
    )
    posted = await client.api("chat.postMessage", channel="COPS", blocks=[{"type": "markdown", "text": said}], text="x")
    assert posted["ok"], posted
    page = await drawn(await opened(f"{client.workspace.page_url}&as=UADA&in=COPS"))
    block = page.locator("#timeline .markdown")
    for selector, words in (
        ("h4", ["Plan"]), ("strong", ["bold"]), ("em", ["slanted"]), ("s", ["gone"]), ("code", ["code"]),
        (".mention", ["@ada"]), ("ul li", ["one", "two"]), ("ol li", ["first", "second"]), ("blockquote", ["quoted"]),
        ("pre", ["x = **1**"]), ("th", ["a", "b"]), ("td", ["1", "2"]), ("a[href]", ["there"]),
    ):  # fmt: skip
        assert await block.locator(selector).all_inner_texts() == words, selector
    assert await block.locator("hr").count() == 1
    assert await block.locator("img").count() == 0
    assert "<img src=x>" in await block.inner_text()
    assert (await pale(page), await widest(page)) == ([], 0)
