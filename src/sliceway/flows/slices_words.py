"""What `/slices` says: which slices a place reads and writes and why, in people's words (SC1-SC6). Pure."""

from __future__ import annotations

from sliceway.core.cards import Form
from sliceway.core.policy import Policy, is_external_place, is_manager
from sliceway.core.scope import Scope
from sliceway.core.slices import PUBLIC, SHARED, is_mounted
from sliceway.core.turns import Person, Place, PlaceKind, Trust

NAME = "slices"
HELP = (
    "`/slices` shows you alone what this place reads and writes and why, what waits for your decision, what you asked "
    "for, and the standing yeses you have a say in.\n"
    "• `/slices trust` and `/slices untrust` are for managers: whether what is said in this channel is remembered.\n"
    "It works in a channel and in a direct message; in threads there are no slash commands."
)
FAILED = "I could not finish this, though I tried three times. {why} Please type the command again later."
AGAIN = "That came too late for the form to open. Please type the command once more."
NOTHING_WAITS = "Nothing waits for your decision."
NOT_A_MANAGER = "Only a manager decides whether a channel is trusted; nothing changed."
NOT_HERE = "A direct message is its person's own, so there is nothing to trust here. Type it in a channel."
SHARED_OUT = (
    "This place is shared with another organisation, so it cannot be trusted: I read only what anyone may read here, "
    "and keep nothing. Nothing changed."
)
ABSENT = (
    "You typed `/slices` in a channel that I am no member of: I read and write nothing there until somebody invites "
    "me. Typed here, it shows what our direct messages read and write, and what waits for you."
)
TRUST_TEXT = (
    "I will remember what I am told here, in my own notes.",
    "What is learned here can be recalled in every trusted channel, also by people who are not in this one.",
    "I will answer here from my own notes and the team's knowledge base.",
    "/slices untrust takes it back for what comes; what was learned by then stays.",
)

_WHY = {
    "SC2": "this is a direct message, so it is your private session",
    "SC5": "this channel is trusted: what is learned here can be recalled in every trusted channel",
    "SC6": "this channel is not one that the team trusts for memory; a manager may trust it (`/slices trust`)",
}
HOME = (
    "I keep three kinds of memory apart: my own notes, a private corner for each person, and the team's knowledge "
    "base, which nothing enters without a person's yes."
)
HOME_HELP = (
    "*What you can type*\n"
    "• `/1on1` opens a private session, saved only to your own corner.\n"
    "• `/slices` shows what a place reads and writes, and what waits for you, with the buttons that decide it."
)
HERE, IN_DIRECT_MESSAGES = "*What I read and write here*", "*What I read and write in our direct messages*"

_HEADINGS = {
    "inbox": "*Waiting for your decision* ({count})",
    "own": "*You asked for, and it waits*",
    "grants": "*Standing yeses*",
}
_NOTHING_LEFT = {
    "inbox": NOTHING_WAITS,
    "own": "Nothing that you asked for waits any more.",
    "grants": "There is no standing yes any more in which you have a say.",
}


def heading(name: str, count: int) -> str:
    """Return what stands above a list with so many entries in all."""
    return _HEADINGS[name].format(count=count)


def waits(inbox: int, own: int, *, decides: bool) -> str:
    """Return how much waits for somebody, empty where nothing does and nothing ever would."""
    lines = []
    if inbox or decides:
        lines.append(f"• {inbox or 'Nothing'} {'wait' if inbox > 1 else 'waits'} for your decision.")
    if own:
        lines.append(f"• {own} that you asked for {'waits' if own == 1 else 'wait'}.")
    return "\n".join(["*What waits*", *lines]) if lines else ""


def nothing_left(name: str) -> str:
    """Return what a list becomes when its last entry is gone."""
    return _NOTHING_LEFT.get(name, "Nothing is left here.")


def trust_form(place: Place) -> Form:
    """Return the form that says what trust means, and asks for it (SC7)."""
    return Form("trust", "Trust this channel?", "Trust", value="trust", texts=TRUST_TEXT, place=place)


def of_place(scope: Scope, policy: Policy, who: Person, place: Place, *, heading: str = HERE) -> str:
    """Return what a place reads and writes for this person, and why."""
    why = _why(scope, policy, place)
    lines = [
        heading,
        f"• I save: {_writes(scope)}.",
        f"• I read: {_reads(scope)}.",
        f"• Why: {why}.",
    ]
    if scope.aside:
        lines.append("• To you, as a manager, I answer from all of that, and show the answer to you alone.")
    if place.kind is not PlaceKind.IM and is_manager(policy, who) and scope.case == "SC5":
        lines.append("• As a manager you may take the trust back: `/slices untrust`.")
    return "\n".join(lines)


def trusted(who: Person) -> str:
    """Return what the channel is told when it became trusted."""
    return (
        f"{who.shown} trusts this channel from now on: I remember what I am told here, and it can be recalled in every "
        "trusted channel."
    )


def now_trusted(trust: Trust) -> str:
    """Return what the manager is told after the trust changed."""
    if trust is Trust.TRUSTED:
        return "This channel is trusted now. `/slices untrust` takes it back."
    return "This channel is not trusted any more: I keep nothing from it, and read here only what anyone may read."


def _why(scope: Scope, policy: Policy, place: Place) -> str:
    """Return why the scope is what it is."""
    if scope.case == "SC1" and is_external_place(policy, place):
        return "this place is shared with another organisation"
    if scope.case == "SC1":
        return "I remember things for full members of the team only"
    if place.kind is PlaceKind.IM and not scope.private:
        return "direct messages are switched off for memory; `/1on1` opens a private session"
    return _WHY.get(scope.case, "the team's rules say so")


def _writes(scope: Scope) -> str:
    """Return where things are saved."""
    if scope.write is None:
        return "nothing"
    own = "your private corner, which only you find again" if scope.private else "my own notes, without a card"
    asked = f"; to `{SHARED}`, the team's knowledge base, and `{PUBLIC}` after a person's yes" if scope.proposes else ""
    return own + asked


def _reads(scope: Scope) -> str:
    """Return what is read, in words; mounted reference by name."""
    named = {
        scope.corner: "your private corner",
        scope.mind: "my own notes",
        SHARED: f"`{SHARED}`, the team's knowledge base",
        PUBLIC: f"`{PUBLIC}`, what anyone may read",
    }
    parts = [words for name, words in named.items() if name in scope.reads and (name != scope.corner or scope.private)]
    parts += [f"`{name}`, mounted reference" for name in sorted(filter(is_mounted, scope.reads))]
    return "; ".join(parts)
