"""Calling plugins: a guard that fails closes, observers are never in the way (PL2, PL3, PL5)."""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway import hookspecs
from sliceway.core.gate import OPS, OpClass, Verdict
from sliceway.errors import PluginError
from sliceway.plugins import Loaded, Plugins
from sliceway_notes.agent import NotesAgent
from tests.fakes.notebook import turn

NOW = datetime(2026, 5, 4, 23, 0, tzinfo=UTC)
ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


def guard(answer: Callable[[], Any], name: str = "guard") -> Loaded:
    """Return a plugin whose `tighten` answers so."""
    return Loaded(name, f"{name}-dist 1.0", {"tighten": lambda verdict: answer()})


async def ask(plugins: Plugins, verdict: Verdict = ALLOW, op: str = "write") -> Verdict:
    """Return what the plugins make of a verdict."""
    return await plugins.tighten(op, "shared", verdict, NOW)


def fail() -> Verdict:
    """Fail as a plugin may."""
    raise ValueError("no")


@given(st.lists(st.sampled_from([*Verdict, None]), max_size=4), st.sampled_from(Verdict))
def test_never_looser(said: list[Verdict | None], own: Verdict) -> None:
    """PL2: the result is the strictest of the verdict and all answers; None has no opinion."""
    plugins = Plugins([guard(partial(lambda each: each, each), f"p{at}") for at, each in enumerate(said)])
    assert asyncio.run(ask(plugins, own)) == max([own, *(each for each in said if each is not None)])


async def test_called_with_what_it_takes() -> None:
    """PL2: `tighten` gets the arguments it names, in a thread that is not the loop's."""
    seen: list[Any] = []

    def tighten(now: datetime, op: str, destination: str, verdict: Verdict) -> Verdict:
        seen.extend([now, op, destination, threading.current_thread() is threading.main_thread()])
        return verdict

    assert await ask(Plugins([Loaded("p", "d", {"tighten": tighten})])) is ALLOW
    assert seen == [NOW, "write", "shared", False]


async def test_raising_is_deny(caplog: pytest.LogCaptureFixture) -> None:
    """PL2: an exception is DENY, and the log says whose."""
    assert await ask(Plugins([guard(fail, "broken")])) is DENY
    assert "broken" in caplog.text


async def test_late_is_deny() -> None:
    """PL2: an answer that does not come within the time is DENY, and nobody waits for it longer."""
    release = threading.Event()
    plugins = Plugins([guard(lambda: release.wait(30) and ALLOW)], tighten_seconds=0.05)
    try:
        assert await ask(plugins) is DENY
    finally:
        release.set()


async def test_late_one_holds_up_no_other() -> None:
    """PL2: each plugin is called by itself: all late ones together take the time of one."""
    release = threading.Event()
    plugins = Plugins([guard(lambda: release.wait(30) and ALLOW, f"p{at}") for at in range(20)], tighten_seconds=0.1)
    try:
        async with asyncio.timeout(1.5):
            assert await ask(plugins) is DENY
    finally:
        release.set()


async def test_busy_loop_is_not_the_plugins_fault() -> None:
    """PL2: an answer that was ready in time counts, though the loop was too busy to look: no false strike."""
    plugins = Plugins([guard(lambda: ASK)], tighten_seconds=0.05)
    asked = asyncio.create_task(ask(plugins))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    until = time.monotonic() + 0.2
    while time.monotonic() < until:  # holds the loop, as a long callback would
        pass
    assert await asked is ASK


async def test_exit_in_plugin_is_deny() -> None:
    """PL2: a plugin that tries to end the process only failed, and that is DENY."""
    assert await ask(Plugins([guard(sys.exit)])) is DENY


@pytest.mark.parametrize("wrong", ["DENY", 2, True, object()])
async def test_no_verdict_is_deny(wrong: object) -> None:
    """PL2: an answer that is no Verdict is DENY."""
    assert await ask(Plugins([guard(lambda: wrong)])) is DENY


async def test_three_strikes(caplog: pytest.LogCaptureFixture) -> None:
    """PL2: three failures of one plugin in a row stop the agent's writes, not the plugin: it is still asked about
    reads, and nothing but a restart helps."""
    answers: list[Callable[[], Verdict]] = [fail, fail, fail]
    plugins = Plugins([guard(lambda: (answers.pop(0) if answers else lambda: ALLOW)())])
    for _ in range(3):
        assert plugins.stopped_by is None
        assert await ask(plugins) is DENY
    assert plugins.stopped_by == "guard"
    assert "all writes of this agent are refused" in caplog.text
    for op, row in OPS.items():
        assert await ask(plugins, op=op) is (ALLOW if row.op_class is OpClass.READ else DENY)
    assert await ask(plugins, op="no such op") is DENY


async def test_strikes_in_a_row() -> None:
    """PL2: an answer in time clears the count; and each plugin is counted by itself."""
    answers: list[Callable[[], Verdict]] = [fail, fail, lambda: ALLOW, fail, fail, lambda: ALLOW]
    plugins = Plugins([guard(lambda: answers.pop(0)()), guard(lambda: ALLOW, "other")])
    assert [await ask(plugins) for _ in range(6)] == [DENY, DENY, ALLOW, DENY, DENY, ALLOW]
    assert plugins.stopped_by is None


async def test_without_guards() -> None:
    """PL2: without a plugin that tightens a verdict costs nothing and stays."""
    plugins = Plugins([])
    assert not plugins.can_tighten
    assert await ask(plugins, ASK) is ASK
    assert Plugins([guard(lambda: ALLOW)]).can_tighten


async def test_pl3_observers(caplog: pytest.LogCaptureFixture) -> None:
    """PL3: observers run together; one that fails or hangs is logged, and neither the others nor the turn notice."""
    both, heard = asyncio.Barrier(2), []

    async def meets(turn: Any, receipts: Any, proposals: Any) -> None:
        await both.wait()
        heard.append((turn.text, receipts, proposals))

    async def fails(turn: Any) -> None:
        raise ValueError("no")

    async def hangs() -> None:
        await asyncio.Event().wait()

    observers: dict[str, Callable[..., Any]] = {"one": meets, "two": meets, "broken": fails, "slow": hangs}
    plugins = Plugins([Loaded(name, "d", {"turn_done": each}) for name, each in observers.items()], observe_seconds=0.2)
    with caplog.at_level(logging.ERROR):
        await plugins.turn_done(turn("hello"), (), ())
    assert heard == [("hello", (), ())] * 2
    assert "broken failed in turn_done" in caplog.text
    assert "slow took over" in caplog.text
    await plugins.proposal_changed(None)  # type: ignore[arg-type]  # no plugin here looks at it


def test_agent() -> None:
    """The agent is the one that exactly one plugin gives; None is no agent."""
    one = Loaded("one", "d1", {"agent": NotesAgent})
    none = Loaded("none", "d2", {"agent": lambda settings: None})
    assert isinstance(Plugins([one, none]).make_agent(), NotesAgent)
    with pytest.raises(PluginError, match="No enabled plugin is the agent"):
        Plugins([none]).make_agent()
    with pytest.raises(PluginError, match=r"'one' \(d1\), 'two' \(d3\)"):
        Plugins([one, Loaded("two", "d3", {"agent": NotesAgent})]).make_agent()


@pytest.mark.parametrize(("made", "said"), [(lambda: "agent", "a str"), (fail, "failed to make the agent: no")])
def test_no_agent(made: Callable[[], Any], said: str) -> None:
    """What is no agent, or fails to be made, stops the boot in words."""
    with pytest.raises(PluginError, match=said):
        Plugins([Loaded("odd", "d", {"agent": made})]).make_agent()


def test_pl5_narrow() -> None:
    """PL5: no hook is given the app, a store, a brain, a desk or a token: the arguments are this closed list."""
    given = {
        name: set(inspect.signature(spec).parameters)
        for name, spec in vars(hookspecs).items()
        if hasattr(spec, "sliceway_spec")
    }
    assert given == {
        "settings_model": set(),
        "agent": {"settings"},
        "tighten": {"op", "destination", "verdict", "now", "settings"},
        "turn_done": {"turn", "receipts", "proposals", "settings"},
        "proposal_changed": {"proposal", "settings"},
    }
