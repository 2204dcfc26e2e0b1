"""Where nobody could confirm what Slack does: the likelier way is the default, and the other one can be chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How the workspace behaves in the places that its sources do not settle.

    :param mention_in_direct: a mention of the bot in a direct message of two is an `app_mention` too.
    :param response_url_anywhere: a response URL works also in a channel that the bot is no member of.
    :param reusable_tickets: an address for a socket lets in more than once.
    """

    mention_in_direct: bool = False
    response_url_anywhere: bool = True
    reusable_tickets: bool = False
