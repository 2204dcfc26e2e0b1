"""Settings come from four places, the stronger over the weaker (CF1), and none is needed (CF4)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from sliceway.errors import SettingsError
from sliceway.settings import load_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A settings file with a few values."""
    path = tmp_path / "some.toml"
    path.write_text('agent_id = "from-file"\n[policy]\ndm = "off"\nmanagers = ["U1", "T1:U2"]\n[server]\nport = 4000\n')
    return path


def test_defaults() -> None:
    """CF4: with no configuration at all the settings are whole, and the store is embedded in the data home."""
    settings = load_settings(env={"HOME": "/h"})
    assert settings.agent_id is None
    assert settings.brain.url is None
    assert settings.store_url == "sqlite:////h/.local/share/sliceway/brain.db"
    assert settings.plugins.enabled == ("notes",)
    assert settings.approvals.expire_after == timedelta(hours=72)
    assert settings.approvals.grant_for == timedelta(hours=8)
    assert settings.one_on_one.idle_after == timedelta(hours=8)
    assert settings.policy_set == frozenset()


def test_file_over_defaults(file: Path) -> None:
    """CF1: a file is stronger than the defaults, and what it leaves out keeps its default."""
    settings = load_settings(file, env={})
    assert (settings.agent_id, settings.policy.dm, settings.server.port) == ("from-file", "off", 4000)
    assert settings.policy.managers == ("U1", "T1:U2")
    assert settings.server.host == "127.0.0.1"


def test_environment_over_file(file: Path) -> None:
    """CF1: the environment is stronger than the file, key by key and not section by section."""
    settings = load_settings(file, env={"SLICEWAY_AGENT_ID": "from-env", "SLICEWAY_POLICY__MANAGERS": "U9 , T2:U8,U9"})
    assert settings.agent_id == "from-env"
    assert settings.policy.managers == ("U9", "T2:U8")
    assert settings.policy.dm == "off"


def test_command_line_over_environment(file: Path) -> None:
    """CF1: the command line is strongest; an option that was not given changes nothing."""
    settings = load_settings(
        file, {"server.port": 0, "server.host": None, "agent_id": "from-line"}, {"SLICEWAY_SERVER__PORT": "5000"}
    )
    assert (settings.server.port, settings.server.host, settings.agent_id) == (0, "127.0.0.1", "from-line")


def test_slack_names() -> None:
    """CF1: Slack's own names are honoured as they are; an OAuth client id is noted and does nothing (T9)."""
    settings = load_settings(
        env={
            "SLACK_BOT_TOKEN": " xoxb-1-abc ",
            "SLACK_APP_TOKEN": "xapp-1-abc",
            "SLACK_USER_TOKEN": "xoxp-1-abc",
            "SLACK_SIGNING_SECRET": "0123abcd",
            "SLACK_API_URL": "http://127.0.0.1:9999/api",
            "SLACK_CLIENT_ID": "1.2",
        }
    )
    slack = settings.slack
    assert slack.bot_token is not None
    assert slack.bot_token.get_secret_value() == "xoxb-1-abc"
    assert slack.posting_token == "xoxp-1-abc"
    assert slack.api_url == "http://127.0.0.1:9999/api/"
    assert slack.client_id == "1.2"


def test_which_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CF1: the file is the one named on the command line, else by SLICEWAY_CONFIG, else config/sliceway.toml here."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "sliceway.toml").write_text('agent_id = "here"')
    (tmp_path / "named.toml").write_text('agent_id = "named"')
    (tmp_path / "given.toml").write_text('agent_id = "given"')
    named = {"SLICEWAY_CONFIG": "named.toml"}
    assert load_settings(env={}).agent_id == "here"
    assert load_settings(env=named).agent_id == "named"
    assert load_settings(Path("given.toml"), env=named).agent_id == "given"


@pytest.mark.parametrize("blank", ["", "  ", "\t"])
def test_id1_trimmed(blank: str) -> None:
    """ID1: the agent's id is trimmed, and a blank one counts as unset."""
    assert load_settings(env={"SLICEWAY_AGENT_ID": f"{blank}ada{blank}"}).agent_id == "ada"
    assert load_settings(env={"SLICEWAY_AGENT_ID": blank}).agent_id is None


@pytest.mark.parametrize(
    "label", ["unknown", "Anonymous", "NONE", "null", "default", "mcp_client", "n/a", "unspecified"]
)
def test_id9_names_nobody(label: str) -> None:
    """ID9: a label that names nobody is refused as an agent's id, in any case."""
    with pytest.raises(SettingsError, match="SLICEWAY_AGENT_ID"):
        load_settings(env={"SLICEWAY_AGENT_ID": label})


def test_blank_scalar_is_unset() -> None:
    """A blank value counts as not set, as a compose file passes it."""
    settings = load_settings(env={"SLICEWAY_POLICY__DM": "", "SLACK_BOT_TOKEN": " ", "SLICEWAY_STORE__URL": ""})
    assert settings.policy.dm == "personal"
    assert settings.slack.bot_token is None
    assert settings.policy_set == frozenset()


def test_blank_list_is_empty() -> None:
    """AP7: a blank list is an empty one, set on purpose: nobody may approve. It never means anyone."""
    settings = load_settings(env={"SLICEWAY_POLICY__APPROVERS": " "})
    assert settings.policy.approvers == ()
    assert settings.policy_values() == {"approvers": frozenset()}


def test_policy_set() -> None:
    """AP7: only what is set is copied into the store's policy, even where it is set to its default."""
    settings = load_settings(
        env={
            "SLICEWAY_POLICY__MANAGERS": "U1",
            "SLICEWAY_APPROVALS__GRANT_FOR": "8h",
            "SLICEWAY_APPROVALS__CHANNEL": "C1",
        }
    )
    assert settings.policy_values() == {"managers": frozenset({"U1"}), "grant_for": timedelta(hours=8)}


def test_data_home() -> None:
    """BR17: what is kept without an address goes to $XDG_DATA_HOME/sliceway; a relative one is ignored."""
    assert load_settings(env={"XDG_DATA_HOME": "/data", "HOME": "/h"}).home == Path("/data/sliceway")
    assert load_settings(env={"XDG_DATA_HOME": "data", "HOME": "/h"}).home == Path("/h/.local/share/sliceway")


def test_desk_beside_store() -> None:
    """Each agent's desk is a file of its own beside the store, unless state.url says otherwise."""
    settings = load_settings(env={"SLICEWAY_STORE__URL": "sqlite:////srv/team.db", "HOME": "/h"})
    assert settings.desk_url("ada") == "sqlite:////srv/team.desk-agent-ada.db"
    assert settings.desk_url("Ada") != settings.desk_url("ada")
    elsewhere = load_settings(env={"SLICEWAY_STORE__URL": "postgresql://app@db/x", "HOME": "/h"})
    assert elsewhere.desk_url("ada") == "sqlite:////h/.local/share/sliceway/brain.desk-agent-ada.db"
    assert load_settings(env={"SLICEWAY_STATE__URL": "sqlite:///d.db"}).desk_url("ada") == "sqlite:///d.db"


def test_byte_order_mark(tmp_path: Path) -> None:
    """A file saved with a byte order mark is read as one without."""
    path = tmp_path / "bom.toml"
    path.write_bytes(b'\xef\xbb\xbfagent_id = "ada"')
    assert load_settings(path, env={}).agent_id == "ada"
