"""The command line, aimed at every slice: what is somebody else's is, word for word, as what never was."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from sliceway.cli.front import answered
from tests.isolation.grid import READ, REMOVE, Grid
from tests.isolation.world import PLACES, TWINS, World

VERBS_BY_SLICE: Mapping[str, tuple[Grid, tuple[str, ...]]] = {
    "recall": (READ, ("rotation plan",)),
    "page show": (READ, ("n",)),
    "page list": (READ, ()),
    "page history": (READ, ("n",)),
    "page delete": (REMOVE, ("{slug}",)),
    "page restore": (REMOVE, ("n", "--version", "1")),
    "page undo": (REMOVE, ("{slug}", "{event}")),
}
"""The verbs that take `--slice` and act as an agent, the grid they are held against, and what else they are given."""

Way = Callable[[World, pytest.MonkeyPatch], tuple[str, ...]]


def _on_the_file(world: World, patch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Set the store's own file; return the options that say who acts."""
    patch.setenv("SLICEWAY_STORE__URL", f"sqlite:///{world.local.database.file}")
    return ("--agent", "ada")


WAYS: Mapping[str, Way] = {"file": _on_the_file}
"""How a verb reaches the brain. A brain elsewhere is one more line: its address and the token of `agent`, set."""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """A way to run a verb in this process: exit code, stdout, stderr."""

    def go(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        try:
            code = answered([*arguments, "--json"])
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capfd.readouterr()
        return code, said.out, said.err

    return go


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("verb", VERBS_BY_SLICE)
def test_br4_sc9_a_verb_aimed_at_what_is_foreign(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verb: str, way: str
) -> None:
    """BR4 SC9: each verb does with each slice what the grid says, and answers for what is not the agent's as for what
    never was."""
    who = WAYS[way](world, monkeypatch)
    monkeypatch.chdir(tmp_path)
    grid, more = VERBS_BY_SLICE[verb]

    def done(name: str, slug: str = "n", event: str = "x") -> tuple[int, str, str]:
        given = [word.format(slug=slug, event=event) for word in more]
        code, out, err = run(*verb.split(), *given, "--slice", name, *who)
        return code, out.replace(name, "…"), err.replace(name, "…")

    told = {twin: done(twin) for twin in TWINS.values()}
    wrong = []
    for place, said in grid["agent"].items():
        name = PLACES[place]
        if said == "a" and "undo" in verb:
            continue  # what is asked for by an event is tried over HTTP
        slug, event = world.fresh(name) if said == "w" else ("n", "x")
        code, out, err = done(name, slug, event)
        if said in {"r", "w", "a"}:
            found = json.loads(out) if code == 0 else {}
            if code or (said == "r" and not found.get("hits", found.get("items", [1]))):
                wrong.append(f"{place}: {code} {err}")
        elif (code, out, err) != told[TWINS[place]]:
            wrong.append(f"{place}: {code} {out} {err} is not {told[TWINS[place]]}")
    assert not wrong, "\n".join([f"{verb}:", *wrong])
