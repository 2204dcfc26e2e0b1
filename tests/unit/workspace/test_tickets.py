"""Tickets: in once, in time."""

from __future__ import annotations

from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.tickets import LIFETIME, Tickets


def test_a_ticket_lets_in_once() -> None:
    """Each ticket is new, lets in once, and an invented one never does."""
    tickets = Tickets(VirtualClock(lambda: 0.0))
    first, second = tickets.mint(), tickets.mint()
    assert first != second
    assert [tickets.take(ticket) for ticket in (first, first, second, "invented", "")] == [True, False, True] + [
        False
    ] * 2


async def test_a_ticket_grows_old() -> None:
    """A ticket lets in until its time is over, and one that is reusable too."""
    for reusable in (False, True):
        clock = VirtualClock(lambda: 0.0)
        tickets = Tickets(clock, reusable=reusable)
        early, late = tickets.mint(), tickets.mint()
        clock.advance(LIFETIME)
        assert tickets.take(early)
        assert tickets.take(early) is reusable
        clock.advance(0.1)
        assert not tickets.take(late)
