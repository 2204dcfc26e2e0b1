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

CONFIG = Path(__file__).parents[2] / "config"
TEXT = (CONFIG / "compose.yaml").read_text()
COMPOSED: dict[str, Any] = yaml.safe_load(TEXT)
OURS = {name: each for name, each in COMPOSED["services"].items() if "build" in each}
GIVEN = {
    "OWNER_PASSWORD": "one", "BRAIN_PASSWORD": "two", "MANAGERS": "U012AB3CD", "GATEWAY_TOKEN": "slw_a_b",
    "SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1",
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
def test_cf2_every_service_of_ours_can_start_with_what_it_is_given(name: str) -> None:
    """CF2: its settings are known and go together, its command is a verb."""
    env = {key: filled(value) for key, value in OURS[name]["environment"].items()}
    settings = load_settings(env=env)
    command_of(OURS[name]["command"])
    if settings.brain.url is not None:  # plain HTTP is for loopback alone: they share one network
        assert urlsplit(str(settings.brain.url)).hostname == "127.0.0.1"
        assert OURS[name]["network_mode"] == "service:brain"


def test_the_owner_password_is_the_migrations_alone() -> None:
    """What serves never holds what may change the tables."""
    holders = {name for name, each in COMPOSED["services"].items() if "OWNER_PASSWORD" in str(each["environment"])}
    assert holders == {"postgres", "migrate"}


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
