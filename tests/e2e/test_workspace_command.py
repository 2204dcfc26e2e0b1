"""`sliceway workspace` as a process."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import aiohttp
import pytest

from sliceway.web.serving import bound, port_of
from tests.e2e.workspace_process import first_line, started


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_prints_one_line_serves_and_stops_cleanly(number: signal.Signals, tmp_path: Path) -> None:
    """With --json one flushed line names url, api_url and key; both signals end it with exit code 0."""
    plan = tmp_path / "plan.json"
    plan.write_text('[{"match": {"method": "auth.test"}, "do": "error", "error": "fatal_error"}]', encoding="utf-8")
    async with started("--json", "--port", "0", "--faults", str(plan), "--request-url", "http://127.0.0.1:9/x") as run:
        line = json.loads(await first_line(run))
        assert set(line) == {"url", "api_url", "key"}
        assert line["api_url"] == line["url"] + "/api/"
        async with aiohttp.ClientSession() as http:
            async with http.post(line["api_url"] + "auth.test") as response:
                assert (await response.json())["error"] == "fatal_error"
            headers = {"X-Workspace-Key": line["key"]}
            async with http.get(line["url"] + "/_control/state", headers=headers) as response:
                assert (await response.json())["app"]["request_url"] == "http://127.0.0.1:9/x"
        run.send_signal(number)
        out, err = await asyncio.wait_for(run.communicate(), timeout=30)
        assert (run.returncode, out, err) == (0, b"", b"")


async def test_without_json_it_says_how_to_point_a_bot_at_it() -> None:
    """For people it prints the address and what a bot has to be given."""
    async with started("--port", "0") as run:
        assert "http://127.0.0.1:" in await first_line(run)
        run.send_signal(signal.SIGTERM)
        out, _ = await asyncio.wait_for(run.communicate(), timeout=30)
        assert b"export SLACK_API_URL=" in out
        assert run.returncode == 0


async def test_a_port_in_use_is_an_error_in_words() -> None:
    """A second workspace on one port ends with exit code 1 and says which port."""
    listener = bound(0)
    port = port_of(listener)
    try:
        async with started("--port", str(port)) as run:
            _, err = await asyncio.wait_for(run.communicate(), timeout=30)
    finally:
        listener.close()
    assert run.returncode == 1
    assert f"Port {port} on 127.0.0.1 is in use".encode() in err
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--faults", "missing.json"),
        ("--port", "70000"),
        ("--request-url", "nowhere"),
        ("--no-such",),
        ("--config", "missing.toml"),
    ],
)
async def test_wrong_usage_is_exit_code_2(arguments: tuple[str, ...]) -> None:
    """A plan that cannot be read, a port that is none, an address that is none: exit 2, nothing started."""
    async with started(*arguments) as run:
        out, err = await asyncio.wait_for(run.communicate(), timeout=30)
    assert (run.returncode, out) == (2, b"")
    assert b"Error:" in err
