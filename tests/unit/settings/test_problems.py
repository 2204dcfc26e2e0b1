"""What is wrong with the settings is told all at once, in words, and without the secrets (CF2, CF3)."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from pathlib import Path

import pytest

from sliceway.errors import SettingsError
from sliceway.settings import Settings, load_settings, masked


def problems(env: Mapping[str, str], file: Path | None = None, *, on_slack: bool = False) -> dict[str, str]:
    """Return what is wrong, by the name the user gave the key."""
    with pytest.raises(SettingsError) as caught:
        load_settings(file, env=env, on_slack=on_slack)
    found: dict[str, str] = {}
    for problem in caught.value.problems:
        found[problem.field] = f"{found.get(problem.field, '')} {problem.detail}".strip()
    return found


def test_all_at_once(tmp_path: Path) -> None:
    """CF2: problems of the file, the environment and the command line are reported together."""
    path = tmp_path / "bad.toml"
    path.write_text('[policy]\ndm = "on"\n[serverr]\nport = 1\n')
    with pytest.raises(SettingsError) as caught:
        load_settings(path, {"server.port": 70000}, {"SLICEWAY_AGENT_ID": "a b", "SLICEWAY_BRAIN__URL": "ftp://x"})
    said = str(caught.value)
    for name in (
        f"policy.dm in {path}",
        f"serverr in {path}",
        "SLICEWAY_AGENT_ID",
        "SLICEWAY_BRAIN__URL",
        "server.port",
    ):
        assert name in said
    assert caught.value.code == "invalid_settings"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SLICEWAY_POLICY__MANAGER", "SLICEWAY_POLICY__MANAGERS"),
        ("SLICEWAY_AGENTID", "SLICEWAY_AGENT_ID"),
        ("SLICEWAY_PLUGINS__ENABLE", "SLICEWAY_PLUGINS__ENABLED"),
        ("SLICEWAY_APPROVALS__GRANTFOR", "SLICEWAY_APPROVALS__GRANT_FOR"),
        ("SLICEWAY_STORE_URL", "SLICEWAY_STORE__URL"),
    ],
)
def test_unknown_environment(name: str, meant: str) -> None:
    """CF2: an unknown SLICEWAY_ variable is an error that names the nearest key."""
    assert meant in problems({name: "x"})[name]


@pytest.mark.parametrize(
    "name", ["SLICEWAY_X", "SLICEWAY_", "SLICEWAY_POLICY__", "SLICEWAY___DM", "SLICEWAY_SLACK__BOT_TOKEN"]
)
def test_odd_names(name: str) -> None:
    """CF2: no name that begins with SLICEWAY_ is silently ignored."""
    assert name in problems({name: "x"})


def test_unknown_in_file(tmp_path: Path) -> None:
    """CF2: an unknown key of the file is an error that names the nearest one as the file spells it."""
    path = tmp_path / "typo.toml"
    path.write_text('[aprovals]\nexpire_after = "1h"\n[policy]\nself_aproval = "never"\n')
    found = problems({}, path)
    assert "did you mean policy.self_approval?" in found[f"policy.self_aproval in {path}"]
    assert f"aprovals in {path}" in found


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"agent_id = ", "not TOML"),
        (b"\xff\xfe", "UTF-8"),
        (b"server = 3", "table of keys"),
        (b'store.sync = "no"', "full"),
    ],
)
def test_broken_file(tmp_path: Path, content: bytes, said: str) -> None:
    """CF2: a file that cannot be understood is told in words."""
    path = tmp_path / "broken.toml"
    path.write_bytes(content)
    assert said in " ".join(problems({}, path).values())


def test_missing_file(tmp_path: Path) -> None:
    """CF2: a file that was named and is not there is an error, not a default."""
    assert "cannot be read" in problems({}, tmp_path / "none.toml")[str(tmp_path / "none.toml")]
    assert "cannot be read" in problems({"SLICEWAY_CONFIG": "/no/such.toml"})["/no/such.toml"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SLICEWAY_AGENT_ID", "a/b", "not an agent id"),
        ("SLICEWAY_STORE__URL", "team.db", "sqlite:///FILE"),
        ("SLICEWAY_STORE__URL", "sqlite:///", "sqlite:///FILE"),
        ("SLICEWAY_STORE__URL", "sqlite:///:memory:", "in memory"),
        ("SLICEWAY_STORE__URL", "mysql://x/y", "postgresql"),
        ("SLICEWAY_STORE__SYNC", "off", "'full' or 'normal'"),
        ("SLICEWAY_POLICY__MANAGERS", "U1,@ada", "not names"),
        ("SLICEWAY_POLICY__TEAMS", "T1:U1", "more than a team"),
        ("SLICEWAY_POLICY__DM", "yes", "'personal' or 'off'"),
        ("SLICEWAY_APPROVALS__EXPIRE_AFTER", "0", "longer than 0"),
        ("SLICEWAY_APPROVALS__EXPIRE_AFTER", "3 days", "write 4s, 15m, 72h or 7d"),
        ("SLICEWAY_APPROVALS__GRANT_FOR", "169h", "7d"),
        ("SLICEWAY_APPROVALS__CHANNEL", "#general", "not names"),
        ("SLICEWAY_SERVER__PORT", "80000", "0 to 65535"),
        ("SLICEWAY_SERVER__PORT", "many", "whole number"),
        ("SLICEWAY_PLUGINS__ENABLED", "notes,enabled", "not a plugin's name"),
        ("SLICEWAY_PLUGINS__NOTES", "yes", "no such setting"),
        ("SLICEWAY_BRAIN__URL", "https://a:b@brain/", "name or password"),
        ("SLICEWAY_BRAIN__URL", "https://brain:port/", "not a web address"),
        ("SLACK_API_URL", "http://slack.example/api/", "https"),
        ("SLACK_BOT_TOKEN", "xoxp-1-abc", "SLACK_USER_TOKEN"),
        ("SLACK_APP_TOKEN", "xoxb-1-abc", "SLACK_BOT_TOKEN"),
        ("SLACK_USER_TOKEN", "nonsense", "xoxp-"),
        ("SLACK_BOT_TOKEN", "xoxb-", "whole token"),
        ("SLACK_SIGNING_SECRET", "two words", "white space"),
    ],
)
def test_bad_values(name: str, value: str, said: str) -> None:
    """CF2: a wrong value is told under the user's own name for it, with the cure; a token under the wrong name is told
    the right one (T6)."""
    assert said in problems({name: value})[name]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.8.9.10"])
def test_loopback(host: str) -> None:
    """CF1: the address of Slack's API may be http on this machine only."""
    assert load_settings(env={"SLACK_API_URL": f"http://{host}:8080/api/"}).slack.api_url.startswith("http://")


@pytest.mark.parametrize(
    "name",
    [
        "SLICEWAY_POLICY__MANAGERS",
        "SLICEWAY_POLICY__APPROVERS",
        "SLICEWAY_POLICY__TEAMS",
        "SLICEWAY_POLICY__RAISED",
        "SLICEWAY_POLICY__TRUSTED_CHANNELS",
    ],
)
def test_policy_with_brain_elsewhere(name: str) -> None:
    """AP7, CF2: the policy belongs to the brain: set together with brain.url it stops the boot, for every key."""
    elsewhere = {"SLICEWAY_BRAIN__URL": "https://brain.example", "SLICEWAY_BRAIN__TOKEN": "slw_1_x"}
    assert load_settings(env={**elsewhere, "SLICEWAY_APPROVALS__CHANNEL": "C1"}).brain.url == "https://brain.example"
    assert "set it on that server" in problems({**elsewhere, name: ""})[name]
    for key, value in (("POLICY__DM", "off"), ("POLICY__SELF_APPROVAL", "never"), ("APPROVALS__GRANT_FOR", "0")):
        assert "set it on that server" in problems({**elsewhere, f"SLICEWAY_{key}": value})[f"SLICEWAY_{key}"]


def test_half_a_brain() -> None:
    """CF2: an address without a token, or a token without an address, is a contradiction: it never falls back to the
    embedded brain, which would split the mind."""
    assert "token" in problems({"SLICEWAY_BRAIN__URL": "https://brain.example"})["SLICEWAY_BRAIN__URL"]
    assert "SLICEWAY_BRAIN__URL" in problems({"SLICEWAY_BRAIN__TOKEN": "slw_1_x"})["SLICEWAY_BRAIN__TOKEN"]


def test_t6_needs_of_slack() -> None:
    """T6: to connect to Slack, a token to post with is needed, and an app token or a signing secret; an empty secret is
    none."""
    found = problems({"SLACK_SIGNING_SECRET": ""}, on_slack=True)
    assert set(found) == {"SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"}
    load_settings(env={"SLACK_BOT_TOKEN": "xoxb-1-a", "SLACK_APP_TOKEN": "xapp-1-a"}, on_slack=True)
    load_settings(env={"SLACK_BOT_TOKEN": "xoxb-1-a", "SLACK_SIGNING_SECRET": "0123abcd"}, on_slack=True)
    load_settings(env={"SLACK_SIGNING_SECRET": ""})


def test_cf2_a_misspelt_name_of_slack() -> None:
    """CF2: where a token is missing and a name like it is set, the error points at that name; other programs' names are
    left alone."""
    found = problems({"SLACK_BOT_TOKN": "xoxb-1-a", "SLACK_TEAM": "harbor"}, on_slack=True)
    assert "SLACK_BOT_TOKN" in found["SLACK_BOT_TOKEN"]
    assert "SLACK_APP_TOKN" in problems({"SLACK_APP_TOKN": "xapp-1-a"}, on_slack=True)["SLACK_SIGNING_SECRET"]
    assert "SLACK_TEAM" not in "".join(found.values())
    load_settings(env={"SLACK_TEAM": "harbor"})


_SECRETS = {
    "SLACK_BOT_TOKEN": "xoxb-hush-1",
    "SLACK_APP_TOKEN": "xapp-hush-2",
    "SLACK_USER_TOKEN": "xoxp-hush-3",
    "SLACK_SIGNING_SECRET": "hush4",
    "SLICEWAY_BRAIN__TOKEN": "slw_hush_5",
    "SLICEWAY_BRAIN__URL": "https://brain.example",
    "SLICEWAY_STORE__URL": "postgresql://app:hush6@db/x",
    "SLICEWAY_STATE__URL": "postgresql://app:hush7@db/x",
    "SLICEWAY_PLUGINS__ELSEWHERE__KEY": "hush8",
}


def test_cf3_repr() -> None:
    """CF3: neither repr nor str of the settings, nor of a part of them, shows a secret."""
    settings = load_settings(env=_SECRETS)
    parts = [settings, *(getattr(settings, name) for name in type(settings).model_fields)]
    assert "hush" not in "".join(f"{part!r}{part}" for part in parts)
    assert masked(settings.store_url) == "postgresql://app:…@db/x"


def test_cf3_errors() -> None:
    """CF3: an error about a secret does not repeat it, and neither does the traceback that led to it."""
    wrong = {name: f"hush hush:{value}" for name, value in _SECRETS.items()}
    wrong["SLICEWAY_PLUGINS__ELSEWHERE"] = wrong["SLACK_BOT_TOKEN"]
    with pytest.raises(SettingsError) as caught:
        load_settings(env=wrong)
    assert "hush" not in "".join(traceback.format_exception(caught.value))
    assert "hush" not in repr(caught.value.problems)


def test_nothing_behind_the_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings made in a program take what they are given and read no environment."""
    monkeypatch.setenv("AGENT_ID", "someone")
    monkeypatch.setenv("SLICEWAY_AGENT_ID", "someone")
    assert Settings().agent_id is None
    assert Settings(agent_id="ada").agent_id == "ada"


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"MODEL": "openai:some"}, "SLICEWAY_EMBED__URL"),
        ({"URL": "https://models.example/v1"}, "SLICEWAY_EMBED__MODEL=openai:MODEL"),
        ({"MODEL": "minilm", "KEY": "sk-secret"}, "SLICEWAY_EMBED__MODEL=openai:MODEL"),
        ({"MODEL": "bert"}, "none, minilm, e5"),
        ({"MODEL": "openai:some", "URL": "http://models.example/v1"}, "https"),
    ],
)
def test_cf2_a_model_behind_an_address_has_one(given: Mapping[str, str], wrong: str) -> None:
    """CF2 CF3: a model elsewhere without an address, an address or a key without such a model, and other models are
    told of; the key is not."""
    [said] = problems({f"SLICEWAY_EMBED__{name}": value for name, value in given.items()}).values()
    assert wrong in said
    assert "sk-secret" not in said
