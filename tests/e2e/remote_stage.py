"""The stage of a play with the brain elsewhere: the store behind `brain serve`, the gateway let in by a token."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from sliceway import Principal, open_brain
from sliceway.cli.play.processes import GatewayProcess
from sliceway.cli.play.stage import Stage, Transport, open_stage
from sliceway.core.slices import agent_slice
from tests.e2e.brain_server import brain_server


class OpenStage(Protocol):
    """Opens a stage, with more of the gateway's settings, its gateway started or not."""

    def __call__(
        self, *, settings: Mapping[str, str] | None = None, begin: bool = True
    ) -> AbstractAsyncContextManager[Stage]:
        """Return the stage, to be entered."""


def is_of_the_store(name: str) -> bool:
    """Say whether a setting belongs to the brain, and so not to a gateway whose brain is elsewhere."""
    return name.startswith(("SLICEWAY_STORE__", "SLICEWAY_POLICY__"))


async def gateway_token(stage: Stage, agent: str, **rights: Any) -> str:
    """Make a token for an agent's gateway in the stage's workspace, with every right unless said otherwise."""
    given = {"teams": [stage.people.state["team"]["id"]], "acts_for": True, "decides": True, **rights}
    async with open_brain(stage.store_url, embed="none") as door:
        made = await door.enter(Principal.operator("stage")).create_token(kind="gateway", agent=agent, **given)
    return str(made.token)


def elsewhere(stage: Stage, url: str, token: str, agent: str) -> dict[str, str]:
    """Return the environment of a gateway of that agent whose brain is at `url`, with a desk of its own."""
    desk = Path(stage.store_url.removeprefix("sqlite:///")).with_name(f"brain.desk-{agent_slice(agent)}.db")
    kept = {name: value for name, value in stage.environment.items() if not is_of_the_store(name)}
    return {
        **kept, "SLICEWAY_BRAIN__URL": url, "SLICEWAY_BRAIN__TOKEN": token, "SLICEWAY_STATE__URL": f"sqlite:///{desk}",
    }  # fmt: skip


@asynccontextmanager
async def stage_elsewhere(
    data: Path, *, settings: Mapping[str, str] | None = None, begin: bool = True, transport: Transport = "http"
) -> AsyncIterator[Stage]:
    """Open a stage whose gateway's brain is a server's. The environment of the stage stays that of the store, so that
    verbs run where it is."""
    async with open_stage(data, settings=settings, begin=False, transport=transport) as here:
        token = await gateway_token(here, here.people.bot)
        of_the_store = {name: value for name, value in here.environment.items() if is_of_the_store(name)}
        with brain_server(data, "server", 0, **of_the_store) as server:
            gateway = GatewayProcess(elsewhere(here, server.url, token, here.people.bot), data / "gateway.log")
            stage = replace(here, gateway=gateway)
            try:
                if begin:
                    await stage.begin()
                yield stage
            finally:
                await gateway.stop()
