"""`memoize` and `recall`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sliceway.cli.call import Call, read_text, signed, verb
from sliceway.core.pages import PageDraft

if TYPE_CHECKING:
    from sliceway.ports import Brain, Outcome


@verb()
@click.argument("slug")
@click.option("--target", type=click.Choice(["mine", "shared", "public"]), default="mine", help="Where it lands.")
@click.option("--agent", metavar="ID", help="The agent that saves it.")
@click.option("--title", help="The page’s title; its first heading, or the slug, if absent.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be repeated.")
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False), help="Read the text from FILE, not stdin.")
def memoize(
    call: Call, slug: str, target: str, agent: str | None, title: str | None, tags: tuple[str, ...], file: Path | None
) -> None:
    """Save the text from stdin (or --file) as the page SLUG.

    In `mine` it is written at once; in `shared` and `public` it waits for a person's yes.
    """
    draft = PageDraft(slug, read_text(file), title=title, tags=tags)

    async def save(brain: Brain) -> Outcome:
        return await brain.write_pages(slice=target, pages=[draft])

    outcome = call.as_agent(agent, save, writes=True)
    if outcome.proposal is not None:
        waiting = outcome.proposal
        words = [
            f"Waits for a yes: proposal {waiting.id} to {waiting.slice}, until {waiting.expires_at}.",
            call.how_to_decide(waiting.id),
        ]
    else:
        done = {"store": "Saved", "replace": "Replaced", "nochange": "Already saved"}
        words = [
            f"{done.get(receipt.action.value, receipt.action.value)}: {receipt.slug} (version {receipt.version}) "
            f"in {receipt.slice}"
            for receipt in outcome.receipts
        ]
    call.emit(outcome, words)


@verb()
@click.argument("query")
@click.option("--slice", "slices", multiple=True, help="Read only this slice; may be repeated.")
@click.option("--saved-by", metavar="AGENT", help="Only pages whose current version this agent wrote.")
@click.option("--tag", "tags", multiple=True, help="Only pages with this tag; several must all hold.")
@click.option("--kind", help="Only pages of this kind.")
@click.option("--since", help="Only pages changed at this time or later.")
@click.option("--until", help="Only pages changed before this time.")
@click.option("--as-of", help="Answer as it was at this time.")
@click.option("--prefix", is_flag=True, help="The last word is unfinished: also find what begins with it.")
@click.option("--limit", type=int, default=10, show_default=True, help="1 to 200.")
@click.option("--agent", metavar="ID", help="The agent that reads.")
def recall(
    call: Call,
    query: str,
    slices: tuple[str, ...],
    saved_by: str | None,
    tags: tuple[str, ...],
    kind: str | None,
    since: str | None,
    until: str | None,
    as_of: str | None,
    prefix: bool,
    limit: int,
    agent: str | None,
) -> None:
    """Find the pages that answer QUERY in everything the agent may read."""
    found = call.as_agent(
        agent,
        lambda brain: brain.recall(
            query=query, slices=slices or None, saved_by=saved_by, tags=tags, kind=kind, since=since, until=until,
            as_of=as_of, prefix=prefix, limit=limit,
        ),
    )  # fmt: skip
    words = []
    for at, hit in enumerate(found.hits, 1):
        words += [
            f"{at}. {hit.title}  [{hit.slice} / {hit.slug}]",
            f"   {hit.snippet}",
            f"   {signed(hit.author, hit.approver)}, {hit.updated_at}",
        ]
        if hit.related:
            words.append(f"   see also {', '.join(f'{link.slice} / {link.slug}' for link in hit.related)}")
    call.emit(found, words or [f"Nothing found{f': {found.reason}' if found.reason else ''}."])
