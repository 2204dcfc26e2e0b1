"""What people wrote is in no log line at info level or above, whatever breaks with their words in hand (OP3)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from sliceway.core.traces import trace_of
from sliceway.core.turns import Turn
from sliceway.errors import StoreUnavailable
from sliceway.ports import Decision, Reply, Tools
from sliceway.store.engine import Connection
from sliceway.store.engine_sqlite import SqliteDatabase
from tests.fakes.chat import dm_of
from tests.fakes.rig import Rig
from tests.fakes.scripts import by_words

SECRET = "my salary is low"


async def breaks(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
    """Fail with the person's words in the error."""
    for words in (turn.text, tools.scope.case):
        raise ValueError(words)
    yield Reply("")


async def test_op3_an_agents_error_with_words_in_it(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    """OP3: an agent that dies of a private message leaves its type and place in the log, and no word of the message."""
    caplog.set_level(logging.INFO)
    rig.agent.script = breaks
    await rig.say("U1", SECRET, place=dm_of("U1"), wait=False)
    await rig.retried()
    assert "ValueError at flows/test_said_in_logs.py" in caplog.text
    assert "salary" not in caplog.text
    (letter,) = await rig.desk.dead_letters()
    assert "salary" not in str(letter)


async def test_op3_a_decision_that_an_agent_fails_on(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    """OP3: an agent that dies of a decision tells no word of the proposal."""
    caplog.set_level(logging.INFO)

    async def fails(decision: Decision) -> None:
        raise ValueError(str(decision.proposal.pages))

    rig.agent.on_decision = fails  # type: ignore[method-assign]
    rig.agent.script = by_words
    await rig.say("U1", f"share {SECRET}")
    await rig.press("UM1", rig.chat.cards()[-1], "Approve")
    assert "ValueError" in caplog.text
    assert "salary" not in caplog.text


async def test_op3_a_stores_error_quotes_no_row(tmp_path: Path) -> None:
    """OP3: the driver's error behind ours, and the trace of it, hold none of the values that were to be written."""
    database = SqliteDatabase(f"sqlite:///{tmp_path}/store.db")

    def work(connection: Connection) -> None:
        connection.execute(text("INSERT INTO nowhere VALUES (:words)"), {"words": SECRET})

    with pytest.raises(StoreUnavailable) as caught:
        await asyncio.wait_for(database.writing(work), 10)
    await database.close()
    assert "salary" not in f"{caught.value} {caught.value.__cause__}"
    assert trace_of(caught.value).startswith("StoreUnavailable at store/engine_sqlite.py:")
    assert " from OperationalError at " in trace_of(caught.value)
