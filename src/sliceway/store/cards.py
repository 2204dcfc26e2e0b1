"""Who may post the card of a proposal in a place, and where it stands (AP3). Claims survive a restart."""

from __future__ import annotations

from sqlalchemy import RowMapping, select

from sliceway.core.proposals import CardClaim, CardPlace
from sliceway.store.session import Session
from sliceway.store.tables import cards


def cards_of(session: Session, slice_name: str, proposal: str) -> tuple[CardPlace, ...]:
    """Return where a proposal's cards stand or are being posted."""
    where = (cards.c.slice == slice_name, cards.c.proposal == proposal)
    found = session.execute(select(cards).where(*where).order_by(cards.c.place), of=slice_name).mappings()
    return tuple(CardPlace(row["place"], row["holder"], row["until"], row["ref"]) for row in found)


def claim(
    session: Session, slice_name: str, proposal: str, place: str, holder: str, *, now: str, until: str
) -> CardClaim:
    """Claim to post, until a time; a card that stands, or another's living claim, is answered instead."""
    row = _row(session, slice_name, proposal, place)
    if row is None:
        made = {"proposal": proposal, "place": place, "holder": holder, "until": until}
        session.insert(cards, made, into=slice_name)
        return CardClaim(True, until)
    if row["ref"] is not None:
        return CardClaim(False, ref=row["ref"])
    if row["holder"] != holder and row["until"] > now:
        return CardClaim(False, row["until"])
    _set(session, slice_name, proposal, place, holder=holder, until=until)
    return CardClaim(True, until)


def posted(
    session: Session, slice_name: str, proposal: str, place: str, holder: str, ref: str, *, now: str
) -> CardClaim:
    """Say where the card stands. A lease that was lost changes nothing; a repeat is answered alike."""
    row = _row(session, slice_name, proposal, place)
    if row is None or row["holder"] != holder:
        return CardClaim(False, ref=row["ref"] if row is not None else None)
    if row["ref"] is not None:
        same = row["ref"] == ref
        return CardClaim(same, row["until"] if same else None, row["ref"])
    if row["until"] <= now:
        return CardClaim(False)
    _set(session, slice_name, proposal, place, ref=ref)
    return CardClaim(True, row["until"], ref)


def _row(session: Session, slice_name: str, proposal: str, place: str) -> RowMapping | None:
    where = (cards.c.slice == slice_name, cards.c.proposal == proposal, cards.c.place == place)
    return session.execute(select(cards).where(*where), of=slice_name).mappings().one_or_none()


def _set(session: Session, slice_name: str, proposal: str, place: str, **values: str) -> None:
    session.update(cards, cards.c.proposal == proposal, cards.c.place == place, into=slice_name, values=values)
