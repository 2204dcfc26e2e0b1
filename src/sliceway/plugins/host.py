"""Calling plugins: each by itself, none in the way, and a guard that fails closes (PL2, PL3, PL5)."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from sliceway.core.gate import OPS, OpClass, Verdict, tightest
from sliceway.core.pages import Receipt
from sliceway.core.proposals import Proposal
from sliceway.core.traces import trace_of
from sliceway.core.turns import Turn
from sliceway.errors import PluginError
from sliceway.plugins.found import PluginEntry
from sliceway.ports import Agent, Hooks

TIGHTEN_SECONDS = 0.25
"""How long a plugin may take to answer `tighten` (PL2)."""
OBSERVE_SECONDS = 5.0
"""How long an observer is waited for (PL3)."""
STRIKES = 3
"""Failures of one plugin in a row after which the agent's writes stop (PL2)."""

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loaded:
    """An imported and checked plugin: its hooks by name, and its settings as its own model read them."""

    name: str
    distribution: str
    hooks: Mapping[str, Callable[..., Any]]
    settings: BaseModel | None = field(default=None, repr=False)

    def call(self, hook: str, **values: Any) -> Any:
        """Call a hook with those of `values` that it takes."""
        function = self.hooks[hook]
        every = {**values, "settings": self.settings}
        return function(**{name: every[name] for name in inspect.signature(function).parameters})


class Plugins(Hooks):
    """The enabled plugins of one app. No plugin is given the app, a store or a token (PL5)."""

    def __init__(
        self,
        loaded: Sequence[Loaded],
        entries: Sequence[PluginEntry] = (),
        *,
        tighten_seconds: float = TIGHTEN_SECONDS,
        observe_seconds: float = OBSERVE_SECONDS,
    ) -> None:
        """Take the plugins in the order they are enabled, and all that were found.

        :param tighten_seconds: how long each may take to answer `tighten`.
        :param observe_seconds: how long each observer is waited for.
        """
        self._loaded = tuple(loaded)
        self._entries = tuple(entries)
        self._tighten_seconds = tighten_seconds
        self._observe_seconds = observe_seconds
        self._strikes: Counter[str] = Counter()
        self._stopped_by: str | None = None

    @property
    def loaded(self) -> tuple[Loaded, ...]:
        """The plugins that run, in the order they are enabled."""
        return self._loaded

    @property
    def entries(self) -> tuple[PluginEntry, ...]:
        """Every plugin that was found, enabled or not."""
        return self._entries

    @property
    def stopped_by(self) -> str | None:
        """The plugin whose failures stopped the agent's writes; None while they go on."""
        return self._stopped_by

    @property
    def can_tighten(self) -> bool:
        """Whether any plugin tightens, so that a verdict without one costs nothing."""
        return any("tighten" in plugin.hooks for plugin in self._loaded)

    def make_agent(self) -> Agent:
        """Ask each plugin once for the agent and return the one there is. Call it once, at boot.

        :raises PluginError: no plugin gives one, several do, or one fails to.
        """
        agents: dict[str, Agent] = {}
        for plugin in self._loaded:
            if "agent" not in plugin.hooks:
                continue
            try:
                made = plugin.call("agent")
            except Exception as error:
                LOG.exception("The plugin %s failed to make the agent", plugin.name)
                raise PluginError(f"Plugin '{plugin.name}' failed to make the agent: {error}.") from error
            if made is not None and not isinstance(made, Agent):
                kind = type(made).__name__
                raise PluginError(f"Plugin '{plugin.name}' gave a {kind} as the agent; it has to be a sliceway.Agent.")
            if made is not None:
                agents[f"'{plugin.name}' ({plugin.distribution})"] = made
        if len(agents) == 1:
            return next(iter(agents.values()))
        if agents:
            raise PluginError(f"Several plugins are the agent: {', '.join(agents)}. Enable one of them only.")
        names = ", ".join(plugin.name for plugin in self._loaded) or "none"
        raise PluginError(
            f"No enabled plugin is the agent (enabled: {names}). Enable one that is, such as notes, in plugins.enabled."
        )

    async def tighten(self, op: str, destination: str, verdict: Verdict, now: datetime) -> Verdict:
        """Return the strictest of `verdict` and what each plugin says; see `Hooks.tighten` and PL2."""
        row = OPS.get(op)
        if self._stopped_by is not None and (row is None or row.op_class is not OpClass.READ):
            return Verdict.DENY
        guards = [plugin for plugin in self._loaded if "tighten" in plugin.hooks]
        said = await asyncio.gather(*(self._ask(plugin, op, destination, verdict, now) for plugin in guards))
        return tightest(verdict, *said)

    async def _ask(self, plugin: Loaded, op: str, destination: str, verdict: Verdict, now: datetime) -> Verdict:
        """Return what one plugin says; what fails is DENY and a strike against it."""
        try:
            said = await _in_thread(
                lambda: plugin.call("tighten", op=op, destination=destination, verdict=verdict, now=now),
                self._tighten_seconds,
            )
            if said is not None and not isinstance(said, Verdict):
                raise TypeError(f"tighten returned a {type(said).__name__}, not a Verdict")
        except TimeoutError:
            self._strike(plugin, f"did not answer within {self._tighten_seconds * 1000:.0f} ms")
            return Verdict.DENY
        except Exception as error:
            LOG.exception("The plugin %s failed in tighten; the answer is DENY", plugin.name)
            self._strike(plugin, f"failed: {type(error).__name__}")
            return Verdict.DENY
        self._strikes[plugin.name] = 0
        return verdict if said is None else said

    def _strike(self, plugin: Loaded, what: str) -> None:
        """Count a failure; the third in a row stops the agent's writes, not the plugin."""
        self._strikes[plugin.name] += 1
        count = self._strikes[plugin.name]
        if count < STRIKES:
            LOG.error("The plugin %s %s in tighten: the write is refused (%d of %d)", plugin.name, what, count, STRIKES)
        elif self._stopped_by is None:
            self._stopped_by = plugin.name
            LOG.critical(
                "The plugin %s %s in tighten %d times in a row: all writes of this agent are refused from now on. "
                "Repair the plugin or remove it from plugins.enabled, and restart.",
                plugin.name, what, count,
            )  # fmt: skip

    async def turn_done(self, turn: Turn, receipts: tuple[Receipt, ...], proposals: tuple[Proposal, ...]) -> None:
        """Tell the observers that a turn ended (PL3)."""
        await self._tell("turn_done", turn=turn, receipts=receipts, proposals=proposals)

    async def proposal_changed(self, proposal: Proposal) -> None:
        """Tell the observers that a proposal changed (PL3)."""
        await self._tell("proposal_changed", proposal=proposal)

    async def _tell(self, hook: str, **values: Any) -> None:
        """Call an observing hook of every plugin at once; what fails or takes too long is logged and left."""

        async def one(plugin: Loaded) -> None:
            try:
                async with asyncio.timeout(self._observe_seconds):
                    await plugin.call(hook, **values)
            except TimeoutError:
                LOG.error("The plugin %s took over %g s in %s and was left", plugin.name, self._observe_seconds, hook)
            except Exception as error:
                LOG.error(
                    "The plugin %s failed in %s; nothing else is affected: %s", plugin.name, hook, trace_of(error)
                )
                LOG.debug("The plugin %s failed in %s", plugin.name, hook, exc_info=error)  # it may quote people (OP3)

        await asyncio.gather(*(one(plugin) for plugin in self._loaded if hook in plugin.hooks))


async def _in_thread(work: Callable[[], Any], seconds: float) -> Any:
    """Return what `work` returns, run in a thread made for it alone: one that hangs holds up neither others nor exit.

    An answer that was ready in time counts, even where a busy loop looks at it late.
    :raises TimeoutError: it took longer than `seconds`.
    """
    answer: Future[tuple[Any, float]] = Future()
    answer.set_running_or_notify_cancel()

    def run() -> None:
        began = time.monotonic()
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - it is raised again where the answer is awaited
            answer.set_exception(error)
        except SystemExit:
            answer.set_exception(RuntimeError("it tried to end the process"))
        else:
            answer.set_result((result, time.monotonic() - began))

    threading.Thread(target=run, name="sliceway-tighten", daemon=True).start()
    try:
        async with asyncio.timeout(seconds):
            return (await asyncio.wrap_future(answer))[0]
    except TimeoutError:
        if answer.done() and answer.exception() is None and answer.result()[1] <= seconds:
            return answer.result()[0]
        raise
