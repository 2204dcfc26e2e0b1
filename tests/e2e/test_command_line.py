"""The command line as scripts use it: exit codes, JSON, words."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.front import VERBS, answered
from sliceway.cli.play.processes import clean_environment
from tests.fakes.verbs import Ended, verb

Run = Callable[..., Ended]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a verb on a store of the test's own; `text` is its stdin."""
    environment = {"SLICEWAY_STORE__URL": f"sqlite:///{tmp_path / 'store' / 'brain.db'}"}

    def running(*arguments: str, text: str = "", **more: str) -> Ended:
        return verb(*arguments, environment={**environment, **more}, given=text.encode())

    return running


def _json(ended: Ended) -> Any:
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_cf4_without_any_configuration_a_note_is_saved_and_found(run: Run) -> None:
    """CF4, ID3: with nothing configured the embedded default runs as `default`, and finds what it saved."""
    saved = _json(run("memoize", "ops/rollback", "--json", text="build 2301 is the rollback target"))
    assert saved["outcome"] == "written"
    assert saved["receipts"][0]["slice"] == "agent-default"
    assert saved["receipts"][0]["action"] == "store"
    found = _json(run("recall", "rollback target", "--json"))
    assert [hit["slug"] for hit in found["hits"]] == ["ops/rollback"]
    page = _json(run("page", "show", "ops/rollback", "--slice", "agent-default", "--json"))
    assert page["content"] == "build 2301 is the rollback target"


def test_id4_a_gateway_that_cannot_learn_its_id_ends_and_says_why(run: Run, tmp_path: Path) -> None:
    """ID4: where Slack is out of reach beyond the boot timeout the process ends non-zero, says why, and wrote to no
    mind, least of all to `default`."""
    ended = run(
        "gateway", "--port", "0", SLACK_BOT_TOKEN="xoxb-1-2-abc", SLACK_SIGNING_SECRET="0" * 32,
        SLACK_API_URL="http://127.0.0.1:9/api/", SLICEWAY_IDENTITY__BOOT_TIMEOUT="1s",
    )  # fmt: skip
    assert ended.returncode == 1
    assert "did not say who the agent is" in ended.stderr
    assert _json(run("slices", "list", "--json"))["items"] == []
    assert _json(run("agent", "list", "--json"))["items"] == []


def test_id3_the_only_registered_agent_acts_and_several_must_be_told_apart(run: Run) -> None:
    """ID3: a command without --agent uses the only registered one, and refuses where there are several."""
    _json(run("memoize", "a", "--agent", "ada", "--json", text="one"))
    assert _json(run("memoize", "b", "--json", text="two"))["receipts"][0]["slice"] == "agent-ada"
    _json(run("memoize", "a", "--agent", "ben", "--json", text="three"))
    refused = run("memoize", "c", "--json", text="four")
    assert refused.returncode == 1
    assert "(ada, ben)" in refused.stderr
    assert "--agent ada, or set SLICEWAY_AGENT_ID" in refused.stderr
    assert refused.stdout == ""
    assert _json(run("memoize", "c", "--json", text="four", SLICEWAY_AGENT_ID="ben"))["receipts"][0]["author"]


def test_id3_id9_the_agent_without_an_id_is_found_again_beside_others(run: Run) -> None:
    """ID3, ID9: what `default` saved in an empty store stays its own once a bot came; `--agent default` goes on with
    it, and `default` as a setting is refused with what to do."""
    assert _json(run("memoize", "a", "--json", text="one"))["receipts"][0]["slice"] == "agent-default"
    _json(run("memoize", "a", "--agent", "UBOT", "--json", text="two"))
    refused = run("recall", "one")
    assert "default" in refused.stderr
    assert "--agent" in refused.stderr
    assert len(_json(run("recall", "one", "--agent", "default", "--json"))["hits"]) == 1
    wrong = run("recall", "one", SLICEWAY_AGENT_ID="default")
    assert wrong.returncode == 2
    assert "leave that unset" in wrong.stderr


def test_ap20_the_operator_decides_without_chat(run: Run) -> None:
    """AP20: what is proposed for `shared` waits; the operator approves it by the command line, recorded as such."""
    asked = _json(run("memoize", "team/rota", "--target", "shared", "--agent", "ada", "--json", text="Mondays"))
    assert asked["outcome"] == "pending"
    waiting = _json(run("proposals", "list", "--state", "pending", "--json"))["items"]
    assert [one["id"] for one in waiting] == [asked["proposal"]["id"]]
    done = _json(run("proposals", "approve", waiting[0]["id"], "--json"))
    assert done["state"] == "applied"
    assert done["decided_by"]["operator"]
    page = _json(run("page", "show", "team/rota", "--slice", "shared", "--agent", "ben", "--json"))
    assert page["approver"]["operator"] == done["decided_by"]["operator"]
    again = run("proposals", "approve", waiting[0]["id"], "--json")
    assert again.returncode == 1
    assert json.loads(again.stderr)["code"] == "not_pending"


def test_ap12_denied_with_a_reason_it_is_not_written(run: Run) -> None:
    """AP12: a denial keeps its reason, and nothing is written."""
    asked = _json(run("memoize", "team/rota", "--target", "shared", "--agent", "ada", "--json", text="Mondays"))
    denied = _json(run("proposals", "deny", asked["proposal"]["id"], "--reason", "Not true", "--json"))
    assert (denied["state"], denied["reason"]) == ("denied", "Not true")
    assert run("page", "show", "team/rota", "--slice", "shared", "--agent", "ben").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "text", "code"),
    [
        (("memoize", "a"), "   ", "invalid_request"),
        (("memoize", "a/../b"), "x", "invalid_slug"),
        (("memoize", "a"), "x" * 300_000, "too_large"),
        (("memoize", "a"), "x\0y", "invalid_request"),
        (("memoize", "a", "--agent", "unknown"), "x", "invalid_agent_id"),
        (("recall", ""), "", "invalid_request"),
        (("recall", "x", "--limit", "0"), "", "invalid_request"),
        (("page", "show", "nothing", "--slice", "shared"), "", "not_found"),
        (("page", "show", "nothing", "--slice", "kb-nothing"), "", "not_found"),
    ],
)
def test_br5_bad_input_is_refused_with_a_code_and_nothing_is_kept(
    run: Run, arguments: tuple[str, ...], text: str, code: str
) -> None:
    """BR5: blank text, bad slugs, oversized pages, control characters, nameless agents: exit 1, a code, no slice."""
    refused = run(*arguments, "--json", text=text)
    assert refused.returncode == 1, refused.stderr
    assert json.loads(refused.stderr)["code"] == code
    assert refused.stdout == ""
    assert _json(run("slices", "list", "--json"))["items"] == []


def test_cf2_settings_with_typos_are_reported_together_and_nothing_starts(run: Run) -> None:
    """CF2: every wrong setting is named in one go, exit 2, and no store is made."""
    refused = run("recall", "x", SLICEWAY_POLICY__MANGERS="U1", SLICEWAY_STORE__SYNC="fast")
    assert refused.returncode == 2
    assert "MANGERS" in refused.stderr
    assert "STORE__SYNC" in refused.stderr.upper()


@pytest.mark.parametrize(
    ("arguments", "text", "named"),
    [
        (("token", "create", "--kind", "agent"), "", "--agent: say which agent it is"),
        (("token", "create", "--kind", "agent", "--agent", "ada", "--expires", "4000d"), "", "--expires: "),
        (("recall", ""), "", "QUERY: it is blank"),
        (("recall", "x", "--saved-by", ""), "", "--saved-by: it is blank"),
        (("page", "show", "A b", "--slice", "shared", "--agent", "ada"), "", "SLUG: "),
        (("page", "undo", "a", "", "--agent", "ada"), "", "EVENT: it is blank"),
        (("memoize", "a", "--agent", "ada"), " ", "the text: it is blank"),
        (("memoize", "a", "--agent", "ada", "--tag", "a", "--tag", "b" * 65), "x", "--tag: at most 64"),
    ],
    ids=lambda value: " ".join(value[:4]) if isinstance(value, tuple) else "",
)
def test_br5_a_refusal_names_the_option_that_cures_it(
    run: Run, arguments: tuple[str, ...], text: str, named: str
) -> None:
    """BR5: in words and in JSON what is wrong is called as the command line calls it; `errors` keep the field."""
    refused = run(*arguments, text=text)
    assert refused.returncode == 1
    assert refused.stderr.startswith(named)
    told = json.loads(run(*arguments, "--json", text=text).stderr)
    assert told["detail"].startswith(named)
    assert not told["errors"][0]["field"].startswith("-")


def test_usage_errors_exit_2(run: Run) -> None:
    """An unknown verb and an unknown target are usage: exit 2, and the valid ones are listed."""
    assert run("memorize").returncode == 2
    refused = run("memoize", "a", "--target", "everyone", text="x")
    assert refused.returncode == 2
    assert "shared" in refused.stderr


@pytest.mark.parametrize("wrong", [*([verb, "--nope"] for verb in sorted(VERBS)), ["memorize"], ["page", "show"], []])
def test_usage_errors_are_json_where_json_is_asked_for(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With --json a usage error of any verb is one JSON document on stdout with a code, exit 2, and in prose on stderr;
    after `--` it is no option."""
    assert answered([*wrong, "--json"]) == 2
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert document["code"] == "usage"
    assert document["detail"]
    assert document["detail"] in said.err
    assert answered(["memorize", "--", "--json"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", sorted(VERBS))
def test_every_verb_explains_itself(run: Run, name: str) -> None:
    """Each verb has a help page that says what it does."""
    shown = run(name, "--help")
    assert shown.returncode == 0, shown.stderr
    assert len(shown.stdout.splitlines()) > 4


def test_cf2_the_policy_takes_no_names_where_ids_are_meant(run: Run) -> None:
    """CF2: a name would silently match nobody; it is refused as in the settings, and nothing is changed."""
    refused = run("policy", "set", "managers", "mia", "--json")
    assert refused.returncode == 1
    said = json.loads(refused.stderr)
    assert said["code"] == "invalid_request"
    assert "not names" in said["detail"]
    assert _json(run("policy", "show", "--json"))["managers"] == []
    assert run("policy", "set", "managers", "U012AB3CD,T1:UMAX").stdout == "managers = T1:UMAX,U012AB3CD\n"


def test_a_page_that_changed_is_said_in_words(run: Run) -> None:
    """A delete says what it did and how to take it back; one that has to wait says how it is decided."""
    run("memoize", "ops/a", "--agent", "ada", text="one")
    gone = run("page", "delete", "ops/a", "--agent", "ada").stdout
    assert gone.startswith("Deleted: ops/a (version 2) in agent-ada; take it back with: sliceway page undo ops/a ")
    waits = run("memoize", "ops/b", "--agent", "ada", "--target", "shared", text="two").stdout
    run("proposals", "approve", waits.split()[5])
    asked = run("page", "delete", "ops/b", "--slice", "shared", "--agent", "ada").stdout
    assert "Decide it with: sliceway proposals approve " in asked
    assert run("recall", "nowhere", "--agent", "ada").stdout == "Nothing found: no page has these words.\n"


def test_the_list_of_verbs_is_whole(run: Run) -> None:
    """The help of a group says the whole first line of each verb, cut nowhere."""
    words = " ".join(run("proposals", "--help").stdout.split())
    assert "what it proposes is written in the same transaction." in words
    assert "..." not in words.partition("Commands:")[2]


def test_ctrl_c_ends_a_gateway_that_still_waits_for_slack(tmp_path: Path) -> None:
    """A gateway that cannot reach Slack stops at once when told to, long before its boot timeout, without a
    traceback, and its log has no chatter of the migrations."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings = {
            "SLICEWAY_STORE__URL": f"sqlite:///{tmp_path / 'brain.db'}",
            "SLACK_API_URL": f"http://127.0.0.1:{silent.getsockname()[1]}/api/",
            "SLACK_BOT_TOKEN": "xoxb-local", "SLACK_SIGNING_SECRET": "0123abcd",
        }  # fmt: skip
        started = subprocess.Popen(
            [sys.executable, "-m", "sliceway", "gateway", "--port", "0"],
            env=clean_environment(settings), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        with started:
            silent.settimeout(30)
            asked, _ = silent.accept()  # it asks who it is, and waits for an answer that does not come
            with asked:
                started.send_signal(signal.SIGINT)
                out, err = started.communicate(timeout=20)
    assert (started.returncode, out) == (0, "")
    assert err.splitlines()[-1] == "Stopped before it was ready."
    assert "Traceback" not in err
    assert "alembic" not in err


def test_pl7_plugins_check_says_all_that_keeps_the_gateway_from_starting(run: Run) -> None:
    """PL1, PL6, PL7: `plugins check` loads what is enabled as the gateway would: exit 0 where it would start, else 1
    with every reason, settings and plugins together."""
    assert _json(run("plugins", "check", "--json"))["ok"] is True
    wrong = run(
        "plugins", "check", "--json",
        SLICEWAY_PLUGINS__ENABLED="quiet_hours,missing", SLICEWAY_PLUGINS__QUIET_HOURS__FORM="22:00",
    )  # fmt: skip
    assert wrong.returncode == 1
    problems = " ".join(json.loads(wrong.stdout)["problems"])
    assert "'missing' is enabled and not installed" in problems
    assert "quiet_hours" in problems
    nobody = run("plugins", "check", SLICEWAY_PLUGINS__ENABLED="quiet_hours")
    assert nobody.returncode == 1
    assert "The gateway would not start." in nobody.stdout


def test_br2_the_first_token_needs_none_and_makes_the_store(run: Run, tmp_path: Path) -> None:
    """BR2: `token create` on a store that is not there yet makes it; the secret is printed once, to be kept, and is in
    no file and no later answer; the JSON has `id` and `token`."""
    made = _json(run(
        "token", "create", "--kind", "gateway", "--agent", "ada", "--teams", "T1,T2", "--acts-for", "--decides",
        "--expires", "30d", "--json",
    ))  # fmt: skip
    assert made["token"].startswith(f"slw_{made['id']}_")
    rights = ("kind", "agent", "teams", "acts_for", "decides", "slices")
    assert [made[name] for name in rights] == ["gateway", "ada", ["T1", "T2"], True, True, []]
    secret = made["token"].rpartition(made["id"] + "_")[2].encode()
    assert all(secret not in file.read_bytes() for file in (tmp_path / "store").iterdir())
    listed = run("token", "list", "--json")
    assert [item["id"] for item in _json(listed)["items"]] == [made["id"]]
    assert "token" not in _json(listed)["items"][0]
    assert _json(run("policy", "show", "--json"))["teams"] == ["T1", "T2"]


def test_br2_a_token_is_rotated_and_revoked_by_its_id(run: Run) -> None:
    """BR2: the token alone on stdout, for a script to take; what to do with it on stderr; what ended stays ended."""
    made = run("token", "create", "--kind", "reader", "--slices", "shared,kb-runbooks")
    (first,) = made.stdout.splitlines()
    id = first.split("_")[1]
    assert "Keep it now" in made.stderr
    assert "shown this once" in made.stderr
    assert first not in made.stderr
    (second,) = run("token", "rotate", id).stdout.splitlines()
    assert second.split("_")[1] == id
    assert second != first
    assert run("token", "revoke", id).stdout == f"Revoked: token {id}, refused from the next request on.\n"
    assert "shared" in run("token", "list").stdout
    refused = run("token", "rotate", id, "--json")
    assert (refused.returncode, json.loads(refused.stderr)["code"]) == (1, "invalid_request")
    assert json.loads(run("token", "revoke", "nobody", "--json").stderr)["code"] == "not_found"


def test_br2_what_does_not_fit_a_kind_is_refused_by_its_field(run: Run) -> None:
    """BR2 BR5: exit 1 with the field; an unknown kind is usage; a gateway that can do little is told so, and made."""
    refused = run("token", "create", "--kind", "agent", "--agent", "ada", "--decides", "--json")
    assert refused.returncode == 1
    assert [error["field"] for error in json.loads(refused.stderr)["errors"]] == ["decides"]
    assert refused.stdout == ""
    assert run("token", "create", "--kind", "operator").returncode == 2
    idle = run("token", "create", "--kind", "gateway", "--agent", "ada", "--json")
    assert _json(idle)["teams"] == []
    assert "without --teams" in idle.stderr
    run("policy", "set", "teams", "T9")
    outside = run("token", "create", "--kind", "gateway", "--agent", "ada", "--teams", "T1", "--json")
    assert "sliceway policy set teams T1,T9" in outside.stderr
