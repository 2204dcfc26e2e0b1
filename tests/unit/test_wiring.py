"""What the wiring does with the settings before anything is served."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from sliceway import wiring
from sliceway.settings import load_settings
from sliceway.wiring.store import prepare_policy


@pytest.mark.parametrize(
    ("managers", "approvers", "warned"),
    [("", None, "shared and public"), ("U1", None, ""), ("", "U2", "public"), ("U1", "", "shared"), ("U1", "U2", "")],
)
async def test_ap7_a_gateway_whose_requests_nobody_could_approve_says_so_at_boot(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, managers: str, approvers: str | None, warned: str
) -> None:
    """AP7: with nobody listed to decide for a slice, the boot says so and names the setting."""
    given = {"SLICEWAY_STORE__URL": f"sqlite:///{tmp_path / 'brain.db'}", "SLICEWAY_POLICY__MANAGERS": managers}
    if approvers is not None:
        given["SLICEWAY_POLICY__APPROVERS"] = approvers
    settings = load_settings(None, env=given)
    async with await wiring.open_store(settings) as door:
        with caplog.at_level(logging.WARNING, logger="sliceway"):
            await prepare_policy(settings, door, teams={"T1"})
    said = [record.getMessage() for record in caplog.records]
    assert [line.partition(":")[0] for line in said] == ([f"nobody can approve writes to {warned}"] if warned else [])
    assert all("SLICEWAY_POLICY__MANAGERS" in line for line in said)
