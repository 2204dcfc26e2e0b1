"""The command line, aimed at every slice: what is somebody else's is, word for word, as what never was."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from sliceway.cli.front import answered
from tests.isolation.grid import READ, REMOVE, Grid
from tests.isolation.world import BAD, PLACES, TWINS, World

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


@dataclass(frozen=True)
class Way:
    """How a verb reaches the brain: by whose token, None on the store's own file, and the grid's row it is held to."""

    token: str | None
    row: str

    def set_up(self, world: World, patch: pytest.MonkeyPatch) -> tuple[str, ...]:
        """Set where the brain is; return the options that say who acts."""
        if self.token is None:
            patch.setenv("SLICEWAY_STORE__URL", f"sqlite:///{world.local.database.file}")
            return ("--agent", "ada")
        patch.setenv("SLICEWAY_BRAIN__URL", world.address)
        patch.setenv("SLICEWAY_BRAIN__TOKEN", str(world.tokens[self.token]))
        return ()


WAYS: Mapping[str, Way] = {
    "file": Way(None, "agent"),
    **{f"elsewhere: {token}": Way(token, token) for token in ("agent", "reads shared", "reads kb", "admin")},
}
"""On the file as an agent; with the brain elsewhere as each caller that a token can be at the command line: a gateway's
is no caller there."""

REFUSED = {"n": "not_permitted", "f": "slice_forbidden"}
"""The codes of the grid's refusals; `shared` and `public` are there for everybody and have no twin in them."""

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
    who = WAYS[way].set_up(world, monkeypatch)
    monkeypatch.chdir(tmp_path)
    grid, more = VERBS_BY_SLICE[verb]

    def done(name: str, slug: str = "n", event: str = "x") -> tuple[int, str, str]:
        given = [word.format(slug=slug, event=event) for word in more]
        code, out, err = run(*verb.split(), *given, "--slice", name, *who)
        shown = f'"{name}"' if name == "agent" else name  # which is a word of our own, too
        return code, out.replace(shown, shown.replace(name, "…")), err.replace(shown, shown.replace(name, "…"))

    told = {twin: done(twin) for twin in TWINS.values()}
    wrong = []
    for place, said in grid[WAYS[way].row].items():
        name = PLACES[place]
        if said == "a" and "undo" in verb:
            continue  # what is asked for by an event is tried over HTTP
        slug, event = world.fresh(name) if said == "w" else ("n", "x")
        code, out, err = done(name, slug, event)
        if said in {"r", "w", "a"}:
            found = json.loads(out) if code == 0 else {}
            if code or (said == "r" and not found.get("hits", found.get("items", [1]))):
                wrong.append(f"{place}: {code} {err}")
        elif said in REFUSED and (code != 1 or json.loads(err)["code"] != REFUSED[said]):
            wrong.append(f"{place}: {code} {err} is not {REFUSED[said]}")
        elif (place not in {"shared", "public"} or said == ".") and (code, out, err) != told[TWINS[place]]:
            wrong.append(f"{place}: {code} {out} {err} is not {told[TWINS[place]]}")
    assert not wrong, "\n".join([f"{verb}:", *wrong])


@pytest.mark.parametrize("token", ["gateway", "bob's gateway", *BAD[1:]])
@pytest.mark.parametrize("verb", VERBS_BY_SLICE)
def test_br2_a_token_that_is_no_caller_at_the_command_line_is_told_one_thing(
    world: World, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verb: str, token: str
) -> None:
    """BR2 BR4: a gateway's token, and one good for nothing, is refused in the same words whatever is aimed at."""
    Way(token, "").set_up(world, monkeypatch)
    monkeypatch.chdir(tmp_path)
    more = [word.format(slug="n", event="x") for word in VERBS_BY_SLICE[verb][1]]
    told = {run(*verb.split(), *more, "--slice", name) for name in (*PLACES.values(), *TWINS.values())}
    ((code, out, err),) = told
    assert (code, out) == (1, "")
    assert json.loads(err)["code"] == ("not_permitted" if "gateway" in token else "unauthorized")
