"""Two brain servers on one PostgreSQL, set up by the command line as an operator would: one brain (BR2, BR12, BR16)."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sliceway.client import open_remote
from sliceway.errors import Unauthorized
from sliceway.wiring.fresh import new_id
from tests.contract.office import ANN, MIA, ask, at
from tests.e2e.brain_server import brain_server, environment

pytest.importorskip("psycopg")  # the contracts fail in CI where it is missing

from tests.fakes.postgres import APP, KEEPER, Made, database

_TRUST = {"SLICEWAY_POLICY__TRUSTED_CHANNELS": "T1:C1"}


def _ran(env: Mapping[str, str], *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "sliceway", *words], check=False, capture_output=True, text=True, env=env, timeout=60
    )
    assert done.returncode == code, done.stderr
    return done


def _answer(env: Mapping[str, str], *words: str) -> Any:
    return json.loads(_ran(env, *words, "--json").stdout)


def _settings(made: Made, **more: str) -> dict[str, str]:
    return {"SLICEWAY_STORE__URL": made.url, "SLICEWAY_POLICY__MANAGERS": "T1:UMIA", **_TRUST, **more}


@pytest.mark.usefixtures("_postgres_server")
def test_br12_a_database_is_made_ready_by_its_owner(tmp_path: Path) -> None:
    """BR12: without its owner nothing is made, and what to set is said; `brain migrate` makes tables, roles and the
    app's and maintenance's memberships, once; `token create` works as the owner, the ledger commands as maintenance."""
    with database(empty=True) as made:
        plain = environment(tmp_path, **_settings(made))
        assert "SLICEWAY_STORE__OWNER_URL" in _ran(plain, "brain", "migrate", code=2).stderr
        assert "sliceway brain migrate" in _ran(plain, "slices", "list", code=1).stderr
        third = {"SLICEWAY_STORE__MAINTENANCE_URL": made.as_login(KEEPER)}
        owner = environment(tmp_path, **_settings(made, SLICEWAY_STORE__OWNER_URL=made.owner_url, **third))
        keeper = environment(tmp_path, **_settings(made, **third))
        assert [_answer(owner, "brain", "migrate")["migrated"] for _ in range(2)] == [True, False]
        _ran(plain, "slices", "list")
        assert "SLICEWAY_STORE__MAINTENANCE_URL" in _ran(plain, "ledger", "verify", code=2).stderr
        assert _answer(keeper, "ledger", "verify")["ok"] is True
        assert _answer(keeper, "ledger", "rebuild", "--yes")["errors"] == []
        refused = _ran(plain, "token", "create", "--kind", "admin", code=2).stderr
        assert "SLICEWAY_STORE__OWNER_URL" in refused
        assert APP not in refused
        assert _answer(owner, "token", "create", "--kind", "admin")["token"].startswith("slw_")


async def test_br16_two_servers_on_one_postgresql_are_one_brain(postgres: Made, tmp_path: Path) -> None:
    """BR16 AP9 BR2: what is written and asked for at one server is read, waited for and decided at the other; a token
    that was revoked is refused by both at once."""
    owner = environment(tmp_path, **_settings(postgres, SLICEWAY_STORE__OWNER_URL=postgres.owner_url))
    rights = ("--kind", "gateway", "--agent", "ada", "--teams", "T1", "--acts-for", "--decides")
    made = await asyncio.to_thread(_answer, owner, "token", "create", *rights)
    settings = _settings(postgres)
    with brain_server(tmp_path, "one", 0, **settings) as one, brain_server(tmp_path, "two", 0, **settings) as two:
        async with (
            open_remote(one.url, made["token"], new_id=new_id) as here,
            open_remote(two.url, made["token"], new_id=new_id) as there,
        ):
            seen = await there.enter().changes()
            waiting = asyncio.create_task(there.enter().changes(after=seen.cursor, wait=30.0))
            asked = await ask(here.enter())
            assert [change.id for change in (await waiting).items] == [asked.id]
            await there.enter().decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
            page = await here.enter().read_page(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))
            assert page.content == "On-call moves to Mondays."
            await asyncio.to_thread(_ran, environment(tmp_path, **settings), "token", "revoke", made["id"])
            for door in (here, there):
                with pytest.raises(Unauthorized):
                    await door.enter().changes()
        assert (one.stop(), two.stop()) == (0, 0)
    assert (await asyncio.to_thread(_answer, owner, "ledger", "verify"))["ok"] is True
