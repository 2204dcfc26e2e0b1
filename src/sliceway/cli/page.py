"""`page show | list | history | delete | restore | undo | erase`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import click

from sliceway.cli.call import Call, signed, table, verb, who
from sliceway.cli.erasing import dry_run_option, erase, yes_option
from sliceway.core.pages import Action

if TYPE_CHECKING:
    from sliceway.ports import Brain, Outcome


@click.group()
def page() -> None:
    """Show, list, delete, restore and erase pages."""


_DID = {Action.DELETE: "Deleted", Action.RESTORE: "Restored", Action.UNDO: "Undone", Action.NOCHANGE: "As it was"}
_slice = click.option("--slice", default="mine", show_default=True, help="The slice, in full, or `mine`.")
_agent = click.option("--agent", metavar="ID", help="The agent that acts.")
_limit = click.option("--limit", type=int, default=50, show_default=True, help="1 to 200.")
_cursor = click.option("--cursor", help="Where the list before this one ended.")


@verb(page)
@click.argument("slug")
@_slice
@click.option("--version", type=int, help="An earlier version.")
@click.option("--as-of", help="As it was at this time.")
@_agent
def show(call: Call, slug: str, slice: str, version: int | None, as_of: str | None, agent: str | None) -> None:
    """Show the page SLUG."""
    found = call.as_agent(agent, lambda b: b.read_page(slice=slice, slug=slug, version=version, as_of=as_of))
    about = f"version {found.version}, {signed(found.author, found.approver)}, {found.updated_at}"
    call.emit(found, [f"# {found.title}", f"{found.slice} / {found.slug}: {about}", "", found.content])


@verb(page, "list")
@click.option("--slice", help="Only this slice.")
@click.option("--saved-by", metavar="AGENT", help="Only pages this agent wrote.")
@click.option("--tag", help="Only pages with this tag.")
@click.option("--kind", help="Only pages of this kind.")
@_limit
@_cursor
@_agent
def list_(
    call: Call, slice: str | None, saved_by: str | None, tag: str | None, kind: str | None, limit: int,
    cursor: str | None, agent: str | None,
) -> None:  # fmt: skip
    """List the pages the agent may read."""
    found = call.as_agent(
        agent,
        lambda b: b.list_pages(slice=slice, saved_by=saved_by, tag=tag, kind=kind, limit=limit, cursor=cursor),
    )
    rows = [
        {"slice": item.slice, "slug": item.slug, "version": item.version, "by": item.author.shown, "title": item.title}
        for item in found
    ]
    lines = table(rows, ("slice", "slug", "version", "by", "title"), empty="No pages.")
    call.emit(found, lines + ([f"More with --cursor {found.next_cursor}"] if found.next_cursor else []))


@verb(page)
@click.argument("slug")
@_slice
@_limit
@_cursor
@_agent
def history(call: Call, slug: str, slice: str, limit: int, cursor: str | None, agent: str | None) -> None:
    """List the versions of the page SLUG, newest first."""
    found = call.as_agent(agent, lambda b: b.versions(slice=slice, slug=slug, limit=limit, cursor=cursor))
    rows = [
        {
            "version": item.version, "what": item.action.value, "by": item.author.shown,
            "for": who(item.author.on_behalf_of),
            "approved by": who(item.approver), "at": item.at, "event": item.event_id,
        }
        for item in found
    ]  # fmt: skip
    call.emit(found, table(rows, ("version", "what", "by", "for", "approved by", "at", "event"), empty="No versions."))


@verb(page)
@click.argument("slug")
@_slice
@click.option("--if-version", type=int, help="Only if this is the version.")
@click.option("--reason", help="Why, for the record.")
@_agent
def delete(call: Call, slug: str, slice: str, if_version: int | None, reason: str | None, agent: str | None) -> None:
    """Delete the page SLUG softly; in `shared` and `public` this waits for a yes."""
    _changed(
        call, agent, lambda b: b.delete(slice=slice, slug=slug, if_version=if_version, reason=reason)
    )  # fmt: skip


@verb(page)
@click.argument("slug")
@_slice
@click.option("--version", type=int, help="An earlier version; what was deleted if absent.")
@click.option("--reason", help="Why, for the record.")
@_agent
def restore(call: Call, slug: str, slice: str, version: int | None, reason: str | None, agent: str | None) -> None:
    """Bring back the page SLUG, or an earlier version of it."""
    _changed(call, agent, lambda b: b.restore(slice=slice, slug=slug, version=version, reason=reason))


@verb(page)
@click.argument("slug")
@click.argument("event")
@_slice
@click.option("--reason", help="Why, for the record.")
@_agent
def undo(call: Call, slug: str, event: str, slice: str, reason: str | None, agent: str | None) -> None:
    """Take back the change EVENT (`page history` lists them) of the page SLUG."""
    _changed(call, agent, lambda b: b.undo(slice=slice, slug=slug, expected_event=event, reason=reason))


@verb(page, "erase")
@click.argument("slug")
@click.option("--slice", required=True, help="The slice, in full.")
@yes_option
@dry_run_option
def erase_(call: Call, slug: str, slice: str, yes: bool, dry_run: bool) -> None:
    """Erase the page SLUG for good: every version, what is indexed of it, every proposal about it."""
    erase(
        call, lambda b: b.erase(slice=slice, slug=slug, dry_run=dry_run), what=f"{slice} / {slug}", yes=yes,
        dry_run=dry_run,
    )  # fmt: skip


def _changed(call: Call, agent: str | None, change: Callable[[Brain], Awaitable[Outcome]]) -> None:
    """Make a change and say what it came to."""
    outcome = call.as_agent(agent, change, writes=True)
    if outcome.proposal is not None:
        words = [
            f"Waits for a yes: proposal {outcome.proposal.id} to {outcome.proposal.slice}.",
            call.how_to_decide(outcome.proposal.id),
        ]
    else:
        words = [
            f"{_DID.get(receipt.action, receipt.action.value)}: {receipt.slug} (version {receipt.version}) "
            f"in {receipt.slice}; take it back with: sliceway page undo {receipt.slug} {receipt.event_id} "
            f"--slice {receipt.slice}"
            for receipt in outcome.receipts
        ]
    call.emit(outcome, words)
