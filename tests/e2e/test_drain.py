"""A stop in the middle of things: nothing accepted is lost, nothing happens twice (OP4); what is logged (OP3)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from sliceway.cli.play.people import words_of
from sliceway.cli.play.stage import Stage
from sliceway.ports.inbound import TURN
from tests.e2e.desk_hands import leases_end
from tests.e2e.remote_stage import OpenStage
from tests.e2e.slack_ways import REMOTE, Arrangement
from tests.e2e.test_kills import FACT, Share, writers_held
from tests.fakes.manual import unexplained_fields, unexplained_metrics

HANG = 30


@pytest.fixture
async def brief(open_any_stage: OpenStage) -> AsyncIterator[Stage]:
    """A workspace and a gateway that waits a second for what runs."""
    brief = {"SLICEWAY_SERVER__DRAIN": "1s"}
    async with open_any_stage(settings=brief) as opened:
        yield opened


async def memoized_once(share: Share) -> None:
    """Wait for the answer to "remember", then see that there is one answer, one page and one version."""

    async def answered() -> bool:
        return bool(await share.bot_messages())

    await share.people.until("the answer", answered)
    await share.quiet()
    assert len(await share.bot_messages()) == 1, [words_of(m) for m in await share.bot_messages()]
    (agent,) = (await share.verb("agent", "list"))["items"]
    pages = await share.verb("page", "list", "--slice", agent["slice"], "--agent", agent["id"])
    assert [page["version"] for page in pages["items"]] == [1]
    assert (await share.verb("ledger", "verify"))["ok"] is True


async def remember(share: Share) -> None:
    """Ada asks the bot to remember something."""
    share.root = await share.people.say(share.ada, share.ops, f"<@{share.people.bot}> remember that {FACT}")


@pytest.mark.parametrize("freed", [True, False], ids=["ends-in-time", "too-slow"])
async def test_op4_a_stop_in_the_middle_of_a_turn(
    brief: Stage, arrangement: Arrangement, tmp_path: Path, freed: bool
) -> None:
    """OP4, BR6: a turn that runs at SIGTERM is finished when it can be within the deadline, else by the next gateway:
    either way one page and one answer, and the process ends, whatever a thread of it waits for."""
    share = Share(brief)
    with writers_held(brief):
        await remember(share)
        await share.people.until("the accepted delivery", share.accepted)
        stopping = asyncio.create_task(brief.gateway.stop())
        if not freed:
            await stopping
    await stopping
    words = (
        "did not stop within"  # the thread that waits for the lock goes with its process; elsewhere nothing holds it
    )
    held_up = words in (tmp_path / "data" / "gateway.log").read_text()
    assert held_up is (not freed and arrangement != REMOTE)
    leases_end(brief)
    await brief.begin()
    await memoized_once(share)


@pytest.mark.parametrize(
    "fault", [{"do": "delay", "seconds": 1}, {"do": "delay", "seconds": HANG}, {"do": "drop_reply"}]
)
async def test_op4_a_stop_in_the_middle_of_posting(brief: Stage, fault: dict[str, object]) -> None:
    """OP4, AP3: a post that runs at SIGTERM, slow, endless or with its answer lost, is there once in the end."""
    share = Share(brief)
    await share.people.faults({"match": {"method": "chat.postMessage", "nth": 1}, **fault})
    await remember(share)
    if fault["do"] == "drop_reply":
        await share.called("chat.postMessage")
    else:
        await share.people.until("the accepted delivery", share.accepted)
    await brief.gateway.stop()
    leases_end(brief)
    await share.people.faults()
    await brief.begin()
    await memoized_once(share)


@pytest.mark.parametrize("arrangement", ["http", REMOTE], indirect=True)
async def test_op4_while_it_drains_slack_is_asked_to_come_again(open_any_stage: OpenStage) -> None:
    """OP4, OP2: after SIGTERM new deliveries get 503 and readiness is false, while the running turn goes on; a second
    signal ends it at once, and the next gateway answers what was accepted."""
    async with open_any_stage(settings={"SLICEWAY_SERVER__DRAIN": "1m"}) as stage:
        share = Share(stage)
        with writers_held(stage):
            await remember(share)
            await share.people.until("the accepted delivery", share.accepted)
            os.kill(stage.gateway.pid, signal.SIGTERM)
            async with aiohttp.ClientSession() as session:

                async def refuses() -> bool:
                    async with session.post(f"{stage.gateway.url}/slack/events", data="{}") as answer:
                        return answer.status == 503

                await share.people.until("the refusal", refuses)
                async with session.get(f"{stage.gateway.url}/readyz") as answer:
                    assert answer.status == 503
            await asyncio.wait_for(stage.gateway.stop(), 5)
        leases_end(stage)
        await stage.begin()
        await memoized_once(share)


async def test_op3_logs_hold_ids_and_no_words_of_people(stage: Stage, tmp_path: Path) -> None:
    """OP3: away from a terminal each record is one JSON line with the id of the turn or request, and after a message, a
    card and a decision none of what people wrote is in the log."""
    share = Share(stage)
    await share.ask()
    await share.people.click(share.mia, share.ops, await share.card(), "Approve")
    log = tmp_path / "data" / "gateway.log"

    async def decided() -> bool:
        return '"click ' in log.read_text()

    await share.people.until("the end of the click", decided)
    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert {"at", "level", "logger", "says"} <= set.intersection(*(set(line) for line in lines))
    assert any(line.get(TURN) for line in lines)
    assert any(line.get("click") for line in lines)
    assert "on-call" not in text
    assert "Mondays" not in text
    assert not [line for line in lines if line["logger"].startswith("alembic")]


async def test_op2_a_running_gateway_is_ready_and_measured(stage: Stage, arrangement: Arrangement) -> None:
    """OP2: `/readyz` tells of identity, chat with the age of its last event, brain and schema, of a brain elsewhere
    where it is; `/metrics` of the turn and the write that just were, with nothing in it that anybody wrote or is
    called."""
    share = Share(stage)
    await remember(share)

    async def answered() -> bool:
        return bool(await share.bot_messages())

    await share.people.until("the answer", answered)
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{stage.gateway.url}/readyz") as answer:
            facts = await answer.json()
        async with session.get(f"{stage.gateway.url}/metrics") as answer:
            text, kind = await answer.text(), answer.headers["Content-Type"]
    assert (facts["ready"], facts["brain"]["ok"], facts["chat"]["ok"]) == (True,) * 3
    assert not unexplained_fields(facts)
    assert not unexplained_metrics(text)
    if arrangement == REMOTE:
        assert facts["brain"]["url"].startswith("http://127.0.0.1:")
    else:
        assert facts["migrations"]["ok"] is True
    assert facts["chat"]["event_age_s"] >= 0
    assert facts["signatures"]["bad"] == 0
    assert kind.startswith("text/plain")
    assert "sliceway_turns_total 1" in text
    assert 'sliceway_writes_total{destination="agent",verdict="allow"} 1' in text
    for said in (FACT, share.ada, share.people.bot, share.ops):
        assert said not in text
