"""The three journeys, step by step, each outcome checked."""

from __future__ import annotations

import asyncio
from typing import Any

from sliceway.cli.play.backstage import OTHER_AGENT
from sliceway.cli.play.people import Message, buttons_of, words_of
from sliceway.cli.play.script import Script
from sliceway.cli.play.stage import Stage


async def memoize(stage: Stage, script: Script, round_: int) -> None:
    """Memoize in a channel: saved to the bot's own mind without a card, recalled elsewhere, unknown to another bot."""
    people = stage.people
    ada, ben = people.one("member"), people.one("member", 1)
    deploys, ops, build = people.channel("deploys"), people.channel("ops"), f"build {2301 + round_}"
    script.begin("memoize", "Memoize in a channel: the bot notes it for itself, without a card")

    asked = await _say(stage, script, ada, "deploys", f"remember that {build} is the rollback target")
    saved = await people.answer(deploys, asked, seen_by=ada, after=asked)
    script.said("sliceway", "#deploys", people.shown(saved))
    agent = (await stage.command_line("agent", "list"))["items"][0]
    script.check("the answer names what was saved and the slice it landed in", agent["slice"] in words_of(saved))
    waiting = (await stage.command_line("proposals", "list", "--state", "pending"))["items"]
    script.check("no card was posted, nobody was asked", not waiting and not buttons_of(saved))

    asked = await _say(stage, script, ben, "ops", "what do we know about the rollback target?")
    told = await people.answer(ops, asked, seen_by=ben, after=asked)
    script.said("sliceway", "#ops", people.shown(told))
    script.check(f"in another channel it recalls {build}, and who said it", f"{build} is" in words_of(told))

    found = await stage.command_line("recall", "rollback target", "--agent", OTHER_AGENT)
    script.note(f"the coding agent '{OTHER_AGENT}', on the same brain, asks the same")
    script.check("another agent finds nothing: minds are apart", found["hits"] == [], saw=found["hits"])


async def one_on_one(stage: Stage, script: Script, round_: int) -> None:
    """/1on1: what a person says there is found again only by that person, in their own private sessions."""
    people = stage.people
    ada, ben, mia = people.one("member"), people.one("member", 1), people.one("manager")
    ops, own = people.channel("ops"), people.direct(ada)
    script.begin("1on1", "/1on1: a private session, saved only to that person's own slice")
    secret = f"my review is on Thursday in room {4 + round_}"

    began = await _newest(stage, own, ada)
    script.said(people.named(ada), "#ops", f"/1on1 remember that {secret}")
    await people.command(ada, ops, "/1on1", f"remember that {secret}")
    root = await people.until("the private session", lambda: _root_after(stage, own, ada, began))
    script.said("sliceway", "direct", people.shown(root), aside=people.named(ada))
    saved = await people.answer(own, str(root["ts"]), seen_by=ada, after=str(root["ts"]), has="user-")
    script.said("sliceway", "direct", people.shown(saved), aside=people.named(ada))
    script.check("it was saved to Ada's own slice and says so", "user-" in words_of(saved))
    seen = [words_of(each) for each in await people.messages(ops, seen_by=ben)]
    script.check("in #ops nobody else saw a word of it", not any("review" in words for words in seen))

    asked = await _say(stage, script, ada, own, "recall review", thread=str(root["ts"]), shown="direct")
    told = await people.answer(own, str(root["ts"]), seen_by=ada, after=asked)
    script.said("sliceway", "direct", people.shown(told), aside=people.named(ada))
    script.check("Ada finds it again in her own session", secret in words_of(told), saw=words_of(told))

    for who, where, place in (
        (ada, "deploys", people.channel("deploys")),
        (ben, "direct", people.direct(ben)),
        (mia, "direct", people.direct(mia)),
    ):
        asked = await _say(stage, script, who, place, "recall review", shown=where)
        told = await people.answer(place, asked, seen_by=who, after=asked)
        script.said("sliceway", _shown(where), people.shown(told))
        script.check(
            f"asked by {people.named(who)} in {_shown(where)}, it finds nothing", "Thursday" not in words_of(told)
        )

    asked = await _say(
        stage, script, ada, own, "share with the team: the on-call phone is in the red cabinet",
        thread=str(root["ts"]), shown="direct",
    )  # fmt: skip
    draft = await people.until("the draft", lambda: _with_button(stage, own, str(root["ts"]), ada, "Keep private"))
    script.said("sliceway", "direct", people.shown(draft), aside=people.named(ada))
    outside = (await stage.command_line("proposals", "list", "--state", "pending"))["items"]
    outside += (await stage.command_line("proposals", "list", "--state", "draft"))["items"]
    script.check(
        "what would leave the session is first shown to Ada alone, word for word; nobody else sees it",
        "the on-call phone is in the red cabinet" in words_of(draft) and not outside, saw=outside,
    )  # fmt: skip
    await people.click(ada, own, draft, "Keep private")
    script.said(people.named(ada), "direct", "[Keep private]")
    await people.until("the draft to close", lambda: _closed(stage, own, str(root["ts"]), ada, str(draft["ts"])))
    found = await stage.command_line("recall", "red cabinet", "--agent", OTHER_AGENT)
    script.check("kept private, it went nowhere", found["hits"] == [], saw=found["hits"])


async def share(stage: Stage, script: Script, round_: int) -> None:
    """Share, deliberately: a card, the wrong clicks, a crash, the right click twice, one page in the end."""
    people = stage.people
    ada, ben = people.one("member"), people.one("member", 1)
    mia, max_ = people.one("manager"), people.one("manager", 1)
    ops = people.channel("ops")
    day = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays")[round_ % 5]
    fact = f"the on-call rotation moved to {day}"
    script.begin("share", "Share, deliberately: nothing enters the team's knowledge without a person's yes")

    asked = await _say(stage, script, ada, "ops", f"share with the team: {fact}")
    card = await people.until("the card", lambda: _with_button(stage, ops, asked, mia, "Approve"))
    script.said("sliceway", "#ops", people.shown(card))
    proposal = (await stage.command_line("proposals", "list", "--state", "pending"))["items"][0]
    script.check(
        "the card shows the exact text, who asks, and who decides",
        fact in words_of(card) and all(word in words_of(card) for word in (ada, mia)), saw=words_of(card),
    )  # fmt: skip

    await people.click(ben, ops, card, "Approve")
    script.said(people.named(ben), "#ops", "[Approve]")
    refused = await people.until("the refusal", lambda: _aside(stage, ops, ben, asked))
    script.said("sliceway", "#ops", people.shown(refused), aside=people.named(ben))
    script.check("a member who may not decide is told who can, privately", mia in words_of(refused), saw=refused)

    click = dict((await people.deliveries("interactive"))[-1]["payload"])
    stranger = people.one("stranger")
    await people.deliver("interactive", _forged(click, stranger, people.team_of(stranger)))
    script.said(people.named(stranger), "elsewhere", "[Approve], forged by somebody of another company")
    script.check("neither click changed anything", await _state(stage, proposal["id"]) == "pending")

    script.note("the gateway is killed between card and click, and starts again")
    await stage.crash_and_restart()
    await asyncio.gather(people.click(mia, ops, card, "Approve"), people.click(max_, ops, card, "Approve"))
    script.said(people.named(mia), "#ops", "[Approve]")
    script.said(people.named(max_), "#ops", "[Approve], at the same moment")
    record = await people.until("the record", lambda: _record(stage, ops, asked, mia, str(card["ts"])))
    script.said("sliceway", "#ops", people.shown(record))
    script.check("the card became a record without buttons", not buttons_of(record))
    told = await people.answer(ops, asked, seen_by=ada, after=str(card["ts"]))
    script.said("sliceway", "#ops", people.shown(told))
    slug = proposal["pages"][0]["slug"]
    versions = (await stage.command_line("page", "history", slug, "--slice", "shared", "--agent", OTHER_AGENT))["items"]
    script.check(
        "two clicks, one decision: one page, signed with author and approver",
        [v["version"] for v in versions] == list(range(round_ + 1, 0, -1))
        and versions[0]["approver"]["user"] in {mia, max_},
        saw=versions,
    )  # fmt: skip

    found = await stage.command_line("recall", "on-call rotation moved", "--agent", OTHER_AGENT)
    script.note(f"the coding agent '{OTHER_AGENT}' asks about the rotation")
    hit = next((each for each in found["hits"] if each["slug"] == slug), None)
    script.check("now every agent finds it", hit is not None, saw=found)
    report = await stage.command_line("ledger", "verify")
    script.check(f"the ledger verifies: {report['events']} events", report["ok"], saw=report)


JOURNEYS = (memoize, one_on_one, share)


async def _say(
    stage: Stage, script: Script, who: str, where: str, text: str, *, thread: str | None = None, shown: str = ""
) -> str:
    """Have somebody say something to the bot: with a mention in a channel, plainly in a direct message."""
    people = stage.people
    direct = shown == "direct"
    place = where if shown else people.channel(where)
    script.said(people.named(who), _shown(shown or where), text if direct else f"@sliceway {text}")
    return await people.say(who, place, text if direct else f"<@{people.bot}> {text}", thread)


def _shown(where: str) -> str:
    return where if where == "direct" else f"#{where}"


async def _newest(stage: Stage, channel: str, who: str) -> str:
    """Return the id of the newest message that somebody sees in a channel."""
    seen = await stage.people.messages(channel, seen_by=who)
    return max((str(each["ts"]) for each in seen), default="0")


async def _root_after(stage: Stage, channel: str, who: str, after: str) -> Message | None:
    """Return the bot's first message at the root of a channel after another."""
    seen = await stage.people.messages(channel, seen_by=who)
    return next((m for m in seen if str(m["ts"]) > after and m.get("user") == stage.people.bot), None)


async def _with_button(stage: Stage, channel: str, thread: str, who: str, label: str) -> Message | None:
    """Return the message of a thread that has a button with a label."""
    seen = await stage.people.messages(channel, thread=thread, seen_by=who)
    return next((m for m in seen if label in buttons_of(m)), None)


async def _closed(stage: Stage, channel: str, thread: str, who: str, message: str) -> Message | None:
    """Return a message once it has no buttons any more."""
    seen = await stage.people.messages(channel, thread=thread, seen_by=who)
    return next((m for m in seen if m["ts"] == message and not buttons_of(m)), None)


_record = _closed


async def _aside(stage: Stage, channel: str, who: str, thread: str) -> Message | None:
    """Return the newest message of a thread, or of its channel, that somebody alone sees."""
    seen = [
        *await stage.people.messages(channel, thread=thread, seen_by=who),
        *await stage.people.messages(channel, seen_by=who),
    ]
    private = [m for m in seen if m.get("is_ephemeral")]
    return max(private, key=lambda m: str(m["ts"]), default=None)


async def _state(stage: Stage, proposal: str) -> str:
    return str((await stage.command_line("proposals", "show", proposal))["state"])


def _forged(click: dict[str, Any], user: str, team: str) -> dict[str, Any]:
    """Return a click as if somebody of another organisation had made it."""
    return {**click, "user": {**click["user"], "id": user, "team_id": team}, "team": {"id": team, "domain": "far"}}
