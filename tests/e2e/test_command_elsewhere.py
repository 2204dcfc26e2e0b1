"""The command line with a brain elsewhere: the same verbs, as whom the token says; what is decided there is refused."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.front import answered
from sliceway.web.serving import bound, port_of
from tests.e2e.brain_server import Served, brain_server, make_tokens
from tests.e2e.elsewhere import free_port

Run = Callable[..., "Said"]


@dataclass(frozen=True)
class Said:
    """How a verb ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def answer(self) -> Any:
        """What it answered, as JSON."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def refusal(self) -> Any:
        """What it was refused with, as JSON."""
        assert self.code != 0, self.out
        return json.loads(self.err)


@dataclass(frozen=True)
class Elsewhere:
    """A served store, and its tokens by name."""

    server: Served
    tokens: Mapping[str, str]


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    """A store that is served by a process of its own."""
    folder = tmp_path_factory.mktemp("brain")
    tokens = asyncio.run(make_tokens(folder))
    with brain_server(folder) as server:
        yield Elsewhere(server, tokens)


@pytest.fixture
def run(there: Elsewhere, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Runs a verb with a token, `--json`, in a home of its own; settings may be replaced."""
    for name in [name for name in os.environ if name.startswith(("SLICEWAY_", "SLACK_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))

    def called(*arguments: str, token: str = "ada", text: str | None = None, **settings: str) -> Said:
        monkeypatch.setenv("SLICEWAY_BRAIN__URL", there.server.url)
        monkeypatch.setenv("SLICEWAY_BRAIN__TOKEN", there.tokens.get(token, token))
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        given = list(arguments)
        if text is not None:
            (tmp_path / "text").write_text(text)
            given += ["--file", str(tmp_path / "text")]
        try:
            code = answered([*given, "--json"])
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            for name in settings:
                monkeypatch.delenv(name)
        said = capsys.readouterr()
        assert not (tmp_path / "home").exists(), "a store was made here"
        return Said(code, said.out, said.err)

    return called


def test_br1_an_agent_keeps_and_finds_over_the_wire(run: Run) -> None:
    """BR1, BR3: an agent's token writes, reads, lists, deletes and takes back as that agent, and the file says so."""
    saved = run("memoize", "ops/rollback", text="build 2301 is the rollback target").answer
    assert (saved["outcome"], saved["receipts"][0]["slice"]) == ("written", "agent-ada")
    assert (
        run("memoize", "ops/rollback", "--agent", "ada", text="build 2302 is it now").answer["receipts"][0]["version"]
        == 2
    )
    assert run("recall", "2302").answer["hits"][0]["slug"] == "ops/rollback"
    assert run("recall", "2302", token="bob").answer["hits"] == []
    assert run("page", "show", "ops/rollback").answer["author"]["agent"] == "ada"
    assert [each["slug"] for each in run("page", "list").answer["items"]] == ["ops/rollback"]
    assert [each["version"] for each in run("page", "history", "ops/rollback").answer["items"]] == [2, 1]
    event = run("page", "delete", "ops/rollback").answer["receipts"][0]["event_id"]
    assert run("page", "undo", "ops/rollback", event).answer["outcome"] == "written"
    assert run("agent", "list").answer["items"][0]["id"] == "ada"
    assert run("policy", "show").answer["managers"] == ["U-MAN"]


def test_ap20_what_waits_is_decided_where_the_store_is(run: Run) -> None:
    """AP20: an agent asks, sees and withdraws; `approve` and `deny` answer `not_permitted` with any token and say where
    to run them, and nothing is decided."""
    asked = run("memoize", "team/rota", "--target", "shared", text="Mondays").answer["proposal"]
    assert run("proposals", "list").answer["items"][0]["id"] == asked["id"]
    assert run("proposals", "show", asked["id"]).answer["state"] == "pending"
    for verb in ("approve", "deny"):
        for token in ("ada", "gateway", "admin", "reader"):
            said = run("proposals", verb, asked["id"], token=token)
            assert (said.code, said.refusal["code"]) == (1, "not_permitted")
            assert f"sliceway proposals {verb} {asked['id']}" in said.refusal["detail"]
            assert "where that store is" in said.refusal["detail"]
    assert run("proposals", "show", asked["id"], token="admin").answer["state"] == "pending"
    assert run("proposals", "withdraw", asked["id"], token="bob").refusal["code"] == "not_found"
    assert run("proposals", "withdraw", asked["id"]).answer["state"] == "withdrawn"


def test_gt9_an_admin_administers_over_the_wire(run: Run) -> None:
    """GT9, BR2: policy, tokens, audit, slices, grants, heads and verification work with an admin's token, and not with
    an agent's."""
    assert run("policy", "set", "raised", "U9", token="admin").answer["raised"] == ["U9"]
    made = run("token", "create", "--kind", "agent", "--agent", "eve", token="admin").answer
    assert run("page", "list", token=made["token"]).answer["items"] == []
    again = run("token", "rotate", made["id"], token="admin").answer
    assert run("page", "list", token=made["token"]).refusal["code"] == "unauthorized"
    assert run("page", "list", token=again["token"]).answer["items"] == []
    assert run("token", "revoke", made["id"], token="admin").answer["revoked_at"]
    assert made["id"] in [each["id"] for each in run("token", "list", token="admin").answer["items"]]
    assert run("audit", token="admin").answer["items"]
    assert "items" in run("grants", "list", token="admin").answer
    run("memoize", "gt/9", token="bob", text="so that there is a slice")
    assert "agent-bob" in [each["slice"] for each in run("slices", "list", token="admin").answer["items"]]
    head = run("ledger", "head", token="admin").answer["head"]
    assert run("ledger", "verify", "--since", json.dumps({"head": head}), token="admin").answer["ok"] is True
    for verb in (("token", "list"), ("policy", "set", "raised", "U8"), ("ledger", "verify"), ("ledger", "head")):
        assert (run(*verb).code, run(*verb).refusal["code"]) == (1, "not_permitted")


@pytest.mark.parametrize(
    ("token", "agent", "words"),
    [("ada", "bob", "of agent ada"), ("reader", "ada", "of kind reader"), ("gateway", None, "a gateway's")],
)
def test_br2_the_token_says_who_acts(run: Run, token: str, agent: str | None, words: str) -> None:
    """BR2, BR3: another `--agent` than the token's is refused in words, and so is a gateway's token; nothing is
    written."""
    named = ["--agent", agent] if agent is not None else []
    for arguments in (["recall", "x"], ["page", "list"]):
        said = run(*arguments, *named, token=token)
        assert (said.code, said.refusal["code"]) == (1, "not_permitted")
        assert words in said.refusal["detail"]
    if agent is not None:
        said = run("memoize", "a/b", text="x", token=token, SLICEWAY_AGENT_ID=agent)
        assert words in said.refusal["detail"]


def test_a_token_that_is_refused_names_its_setting(run: Run) -> None:
    """BR2: exit 1 and `unauthorized`, with the setting to look at, and without the token."""
    said = run("recall", "x", token="slw_nobody_hush")
    assert (said.code, said.refusal["code"]) == (1, "unauthorized")
    assert "SLICEWAY_BRAIN__TOKEN" in said.refusal["detail"]
    assert "hush" not in said.err


def test_a_brain_that_cannot_be_reached_is_exit_3(run: Run, there: Elsewhere) -> None:
    """CL1: nobody there, the wrong scheme, and somebody who does not answer in time are exit code 3, each with
    the address."""
    silent = bound(0)
    quick = {"SLICEWAY_BRAIN__DEADLINE": "1s", "SLICEWAY_BRAIN__RETRIES": "0"}
    wrong = [f"http://127.0.0.1:{free_port()}", there.server.url.replace("http:", "https:")]
    try:
        for url in [*wrong, f"http://127.0.0.1:{port_of(silent)}"]:
            said = run("recall", "x", **quick, SLICEWAY_BRAIN__URL=url)
            assert (said.code, said.refusal["code"]) == (3, "unavailable"), said.err
            assert url in said.refusal["detail"]
    finally:
        silent.close()


@pytest.mark.parametrize("verb", [("brain", "migrate"), ("brain", "serve", "--port", "0")])
def test_what_works_on_the_store_itself_says_so(run: Run, verb: tuple[str, ...]) -> None:
    """CF2: with `brain.url` there is no store here to migrate or serve: exit 2, in words, and nothing is made."""
    said = run(*verb)
    assert said.code == 2
    assert "brain.url" in said.err
    assert "run it where that store is" in said.err
