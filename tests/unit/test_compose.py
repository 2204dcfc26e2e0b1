"""The example for containers is true: what it sets and runs is there to be set and run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import pytest
import yaml

from sliceway.cli.front import root
from sliceway.settings.load import load_settings
from sliceway.wiring.brain import DEFAULT_PORT

CONFIG = Path(__file__).parents[2] / "config"
TEXT = (CONFIG / "compose.yaml").read_text()
COMPOSED: dict[str, Any] = yaml.safe_load(TEXT)
OURS = {name: each for name, each in COMPOSED["services"].items() if "build" in each}
GIVEN = {
    "OWNER_PASSWORD": "one", "BRAIN_PASSWORD": "two", "KEEPER_PASSWORD": "three", "MANAGERS": "U012AB3CD",
    "GATEWAY_TOKEN": "slw_a_b", "SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1",
}  # fmt: skip


def filled(value: str) -> str:
    """Return a value as it is once the variables of the file's head are set."""
    return re.sub(r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda found: GIVEN.get(found[1], found[2] or ""), value)


def command_of(words: list[str]) -> click.Command:
    """Return the verb that some words call, as they are parsed; wrong options are refused there."""
    context = click.Context(root)
    command: click.Command = root
    while isinstance(command, click.Group):
        below = command.get_command(context, words[0])
        assert below is not None, words
        command, words = below, words[1:]
    command.make_context(command.name, [*words])
    return command


@pytest.mark.parametrize("name", OURS)
def test_cf2_cl1_every_service_of_ours_can_start_with_what_it_is_given(name: str) -> None:
    """CF2 CL1: its settings are known and go together, its command is a verb, and no token travels in the clear."""
    env = {key: filled(value) for key, value in OURS[name]["environment"].items()}
    settings = load_settings(env=env)
    command_of(OURS[name]["command"])
    if settings.brain.url is not None:  # plain HTTP is for loopback alone: they share one network
        assert urlsplit(str(settings.brain.url)).hostname == "127.0.0.1"
        assert OURS[name]["network_mode"] == "service:brain"


def test_the_owner_password_is_the_migrations_alone() -> None:
    """What serves never holds what may change the tables."""

    def holders(password: str) -> set[str]:
        return {name for name, each in COMPOSED["services"].items() if password in str(each["environment"])}

    assert holders("OWNER_PASSWORD") == {"postgres", "migrate"}
    assert holders("KEEPER_PASSWORD") == {"postgres", "migrate", "verify"}


@pytest.mark.parametrize("name", ["brain", "gateway"])
def test_op2_op4_what_serves_is_asked_whether_it_is_ready_and_given_time_to_stop(name: str) -> None:
    """OP2 OP4: its health is `/readyz` at the port that it listens on, and a stop has longer than a drain."""
    service = COMPOSED["services"][name]
    settings = load_settings(env={key: filled(value) for key, value in service["environment"].items()})
    asked = urlsplit(re.findall(r"'(http://[^']+)'", service["healthcheck"]["test"][-1])[0])
    port = DEFAULT_PORT if name == "brain" else settings.server.port
    assert (asked.hostname, asked.port, asked.path) == ("127.0.0.1", port, "/readyz")
    assert int(service["stop_grace_period"].removesuffix("s")) > settings.server.drain.total_seconds() + 12


def test_the_head_says_commands_that_there_are() -> None:
    """The steps at the head name services and verbs of ours, and every variable that has to be set."""
    head = "\n".join(line.removeprefix("#").strip() for line in TEXT.splitlines() if line.startswith("#"))
    steps = re.sub(r"\\\n", " ", head)
    made = re.search(r"run --rm migrate (token create .*)", steps)
    assert made is not None
    assert command_of(made[1].split()).name == "create"
    assert set(re.findall(r"up --detach (\w+)", steps)) <= set(COMPOSED["services"])
    wanted = set(re.findall(r"\$\{(\w+)(?::\?[^}]*)?\}", TEXT)) | {"GATEWAY_TOKEN"}
    assert wanted <= set(re.findall(r"\b([A-Z_]+)=", steps))


def test_what_is_not_ours_is_named_with_its_version() -> None:
    """An image has a version, and no address of a registry stands in either file."""
    images = [each["image"] for each in COMPOSED["services"].values() if "image" in each]
    based = re.findall(r"^FROM (\S+)", (CONFIG / "Dockerfile").read_text(), re.MULTILINE)
    assert images
    assert based
    assert all(re.fullmatch(r"[a-z]+:\d[\w.-]*", image) for image in [*images, *based])


def test_the_image_holds_what_the_package_is_built_from() -> None:
    """Each path that is copied is there, and the extras that are installed are ours."""
    said = (CONFIG / "Dockerfile").read_text()
    copied = [path for line in re.findall(r"^COPY (.*) \S+$", said, re.MULTILINE) for path in line.split()]
    assert {"src", "plugins", "pyproject.toml"} <= set(copied)
    assert all((CONFIG.parent / path).exists() for path in copied)
    extras = re.search(r"\.\[([\w,]+)\]", said)
    assert extras is not None
    declared = (CONFIG.parent / "pyproject.toml").read_text()
    assert all(re.search(rf"^{extra} = \[", declared, re.MULTILINE) for extra in extras[1].split(","))
