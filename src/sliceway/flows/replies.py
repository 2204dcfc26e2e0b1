"""What an agent says in a turn: owed once per turn and index, and posted where it may still be heard (SC10)."""

from __future__ import annotations

import logging
from dataclasses import replace

from sliceway.core.cards import LONGEST, Message
from sliceway.core.proposals import place_key
from sliceway.core.scope import Scope
from sliceway.core.text import cut, pieces
from sliceway.core.turn_codec import turn_from_json, turn_to_json
from sliceway.core.turns import Turn
from sliceway.errors import ChatError
from sliceway.flows.grant_words import revoke_button
from sliceway.flows.grants import live_grant
from sliceway.flows.parts import Parts
from sliceway.flows.posting import say_once
from sliceway.flows.standing import fell, may_be_told, scope_now
from sliceway.ports import Owed

log = logging.getLogger(__name__)

REPLY = "reply"
"""The kind of debt that is an agent's reply."""
_MOST = 25
"""Messages that one answer takes at most: the largest page fits."""


async def owe_reply(
    parts: Parts, turn: Turn, scope: Scope, index: int | str, text: str, *, grant: str | None = None
) -> bool:
    """Owe one reply of a turn; False when it is owed already, from an earlier run of the same turn. What is longer than
    one message is owed in several, one after another, and nothing of it is lost (R21).

    :param grant: the id of the grant that something was written under, to be shown with Revoke (AP16).
    """
    key = f"{turn.key}/{REPLY}/{index}"
    said = _messages(text)
    owed = [
        await parts.desk.owe(
            key=key if at == 0 else f"{key}/{at + 1}",
            kind=REPLY,
            payload={
                "turn": turn_to_json(replace(turn, text="", raw="", forwarded=None)),
                "reads": sorted(scope.reads),
                "aside": scope.aside,
                "case": scope.case,
                "text": words,
                "grant": grant if at == len(said) - 1 else None,
            },
            lane=place_key(turn.place),
        )
        for at, words in enumerate(said)
    ]
    return owed[0]


def _messages(text: str) -> list[str]:
    """Return an answer as messages; what is longer than any page says in the last one how much it hides."""
    shown, hidden = cut(text, LONGEST * _MOST)
    found = pieces(shown, LONGEST) or [shown]
    return found if hidden is None else [*found, hidden]


async def post_reply(parts: Parts, item: Owed) -> None:
    """Post a reply: in its thread, or to the speaker alone where it may only be shown aside or the place fell."""
    turn = turn_from_json(item.payload["turn"])
    frozen = Scope(
        item.payload["case"], parts.agent_id, None, frozenset(item.payload["reads"]), aside=item.payload["aside"]
    )
    fresh, now, policy = await scope_now(parts, turn)
    granted = item.payload.get("grant")
    grant = await live_grant(parts, granted) if granted is not None else None
    message = Message(item.payload["text"], buttons=(revoke_button(grant),) if grant is not None else ())
    if not fell(frozen, now) and not frozen.aside:
        await say_once(parts, turn.place, message, key=item.key, attempts=item.attempts)
        return
    if fresh.speaker is None or not may_be_told(policy, fresh.speaker):
        parts.metrics.count("replies_withheld")
        log.warning("reply %s is withheld: its place may no longer hear it and nobody may be told alone", item.key)
        return
    try:
        await parts.chat.say_privately(turn.place, fresh.speaker, message)
    except ChatError as error:
        if error.ambiguous or error.retry_after is not None:
            raise
        parts.metrics.count("replies_withheld")
        log.warning("reply %s is withheld: its speaker cannot be told alone (%s)", item.key, error.reason)
