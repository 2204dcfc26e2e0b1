"""The documents are true: what there is stands in them."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import click
import pytest
from pydantic import BaseModel

from sliceway import errors
from sliceway.cli.front import VERBS, root
from sliceway.settings.model import Settings
from sliceway.wire.routes import ROUTES, STREAMS, Route
from sliceway.workspace.control import Control

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / "docs" / "reference.md").read_text()


def _verbs() -> list[tuple[str, click.Command]]:
    found: list[tuple[str, click.Command]] = []
    for name in VERBS:
        command = root.get_command(click.Context(root), name)
        assert command is not None
        if isinstance(command, click.Group):
            found += [(f"{name} {below}", each) for below, each in command.commands.items()]
        else:
            found.append((name, command))
    return found


@pytest.mark.parametrize(("name", "command"), _verbs())
def test_every_verb_and_option_is_in_the_reference(name: str, command: click.Command) -> None:
    """Each verb has a row that names each of its options and says its first line."""
    row = next((line for line in REFERENCE.splitlines() if line.startswith(f"| `sliceway {name}` |")), None)
    assert row is not None, f"docs/reference.md has no row for `sliceway {name}`"
    options = {each.opts[-1] for each in command.params if isinstance(each, click.Option)} - {"--json", "--config"}
    assert options <= set(re.findall(r"`(--[a-z-]+)`", row))
    assert command.help is not None
    assert command.help.splitlines()[0] in row


def test_every_verb_takes_json_and_config() -> None:
    """The contract: every verb takes --json and --config FILE."""
    for name, command in _verbs():
        options = {opt for each in command.params if isinstance(each, click.Option) for opt in each.opts}
        assert {"--json", "--config"} <= options, name


def test_every_setting_is_in_the_reference() -> None:
    """CF1: each key of the settings is named, as it is written in the file."""
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        if inspect.isclass(kind) and issubclass(kind, BaseModel):
            for key in kind.model_fields:
                assert f"`{name}.{key}`" in REFERENCE
        elif name != "home":
            assert f"`{name}`" in REFERENCE


@pytest.mark.parametrize("route", [*ROUTES, *STREAMS], ids=lambda route: route.call)
def test_every_call_over_http_is_in_the_reference(route: Route) -> None:
    """Each row of the table of calls has a row that names its fields."""
    row = next((line for line in REFERENCE.splitlines() if line.startswith(f"| `{route.method} {route.path}` |")), None)
    assert row is not None, f"docs/reference.md has no row for `{route.method} {route.path}`"
    assert set(route.fields.model_fields) <= set(re.findall(r"`([a-z_]+)`", row))


def test_every_error_code_is_in_the_reference() -> None:
    """Each code of the tree has a row."""
    for _, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, errors.SlicewayError) and kind is not errors.SlicewayError:
            assert f"| `{kind.code}` |" in REFERENCE


def test_every_control_of_the_workspace_is_in_the_reference() -> None:
    """Each verb and each look of the workspace's control is named."""
    text = REFERENCE[REFERENCE.index("## The local workspace") :]
    for resource in _control_names():
        assert re.search(rf"\b{resource}\b", text), resource


def _control_names() -> set[str]:
    source = Path(inspect.getfile(Control)).read_text()
    return set(re.findall(r'^\s+"([a-z_]+)": \w+', source, re.MULTILINE))


def test_links_between_documents_lead_somewhere() -> None:
    """Each relative link in a document names a file that is there."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
