"""The front door: which verbs there are. Nothing heavy is imported before a verb is chosen."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from importlib import import_module
from typing import TextIO

import click

from sliceway import __version__
from sliceway.cli.loading import uncollected

VERBS: Mapping[str, tuple[str, str]] = {
    "demo": ("sliceway.cli.demo:demo", "Everything embedded, to try it: the three journeys on this machine."),
    "workspace": ("sliceway.cli.workspace:workspace", "Only the local Slack-like workspace, for any bot."),
    "gateway": ("sliceway.cli.gateway:gateway", "Serve an agent in chat."),
    "brain": ("sliceway.cli.brain:brain", "The brain as a server, and its schema."),
    "memoize": ("sliceway.cli.memory:memoize", "Save a text as a page."),
    "recall": ("sliceway.cli.memory:recall", "Find pages."),
    "page": ("sliceway.cli.page:page", "Show, list, delete, restore and erase pages."),
    "proposals": ("sliceway.cli.proposals:proposals", "What waits for a person's yes."),
    "grants": ("sliceway.cli.grants:grants", "Standing yeses."),
    "token": ("sliceway.cli.token:token", "What callers of a brain's server are known by."),
    "policy": ("sliceway.cli.policy:policy", "Who decides, and which places are trusted."),
    "agent": ("sliceway.cli.agent:agent", "The agents of this brain."),
    "slices": ("sliceway.cli.slices:slices", "The slices that exist."),
    "person": ("sliceway.cli.person:person", "What is kept of a person: erase it."),
    "audit": ("sliceway.cli.audit:audit", "Who did what, where and why."),
    "kb": ("sliceway.cli.kb:kb", "Folders of markdown that agents read as reference."),
    "ledger": ("sliceway.cli.ledger:ledger", "The record: verify it, show its heads."),
    "backup": ("sliceway.cli.backup:backup", "Copy the store while it is used, and verify the copy."),
    "plugins": ("sliceway.cli.plugins:plugins", "What is loaded, and from where."),
    "doctor": ("sliceway.cli.doctor:doctor", "What is wrong, in words, each with its cure."),
}
"""Every verb: where it is, and one line about it (kept here so that `--help` loads none of them)."""


class LazyGroup(click.Group):
    """A group whose verbs are imported when called, not when listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb and return it; None for a word that is no verb."""
        if cmd_name not in VERBS:
            return None
        module, _, name = VERBS[cmd_name][0].partition(":")
        with nullcontext() if module in sys.modules else uncollected():
            command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, line) for name, (_, line) in VERBS.items()])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sliceway")
def root() -> None:
    """Private minds, deliberate sharing: the memory gateway for chat bots and coding agents.

    Start with `sliceway demo`. Every verb takes --json and --config FILE.
    """


def answered(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 refused or failed, 2 usage or settings, 3 no brain."""
    try:
        code = root.main(arguments, prog_name="sliceway", standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.Abort:
        click.echo("Stopped.", err=True)
        return 1
    except click.ClickException as wrong:
        wrong.show()
        if _wants_json(sys.argv[1:] if arguments is None else arguments):
            code = "usage" if isinstance(wrong, click.UsageError) else "failed"
            click.echo(json.dumps({"code": code, "detail": wrong.format_message()}, ensure_ascii=False))
        return wrong.exit_code
    return code if isinstance(code, int) else 0


def _wants_json(arguments: list[str]) -> bool:
    """Say whether a command line asks for JSON, however wrong the rest of it is."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def run(arguments: list[str] | None = None) -> int:
    """Run the command line as `answered` does; an answer that nobody takes ends it quietly, with 1."""
    try:
        try:
            return answered(arguments)
        finally:
            if (out := _standard_output()) is not None:
                out.flush()
    except BrokenPipeError:
        _let_go()
    except OSError as error:
        if error.filename is not None:
            raise
        _let_go()
        click.echo(f"The answer could not be printed: {error.strerror}. What was asked for may be done.", err=True)
    return 1


def _standard_output() -> TextIO | None:
    """Return where answers go, None where it was closed."""
    return sys.stdout


def _let_go() -> None:
    """Have what is left of the answer go nowhere: Python would stumble over it once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
