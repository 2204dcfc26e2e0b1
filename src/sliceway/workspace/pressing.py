"""What people do with the app: press a button, submit or close a form, type a slash command."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sliceway.errors import FieldError, InvalidRequest, NotFound, NotPermitted
from sliceway.workspace.choices import ASKED, Chosen, choice_of, keeps_state, merged, state_of, still_there
from sliceway.workspace.elements import elements_of
from sliceway.workspace.hub import Hub
from sliceway.workspace.interactions import (
    action_of,
    command_form,
    message_action,
    view_action,
    view_closed,
    view_submission,
)
from sliceway.workspace.model import Json, Person, Role, View
from sliceway.workspace.refusals import SlackRefusal
from sliceway.workspace.replying import show_reply
from sliceway.workspace.saying import active, readable_channel, visible_message
from sliceway.workspace.transport import Answer, Delivery
from sliceway.workspace.view_shapes import view_shape
from sliceway.workspace.views import checked_content, modals_of, push_modal, update_view


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the person sees after it: whether the app acknowledged, and whatever came back with that."""

    answer: Answer
    more: Json = field(default_factory=dict)

    @property
    def shape(self) -> Json:
        """This as the control API answers it; `error` says as Slack does why the app did not acknowledge."""
        shape: Json = {"ok": True, "acked": self.answer.taken, "status": self.answer.status}
        if not self.answer.taken:
            late = self.answer.error in ("http_timeout", "timeout")
            shape["error"] = "operation_timeout" if late else "dispatch_failed"
        return shape | self.more


@dataclass(frozen=True, slots=True)
class Press:
    """What is pressed, what is chosen by that, and what stands in the fields beside it, as `state.values`; what is not
    there any more is left out."""

    action_id: str
    block_id: str | None = None
    chosen: Chosen = None
    values: Json = field(default_factory=dict)


async def click_message(hub: Hub, user: str, channel: str, ts: str, press: Press) -> Outcome:
    """Press something in a message. What the message no longer has is sent as it was last seen: a stale client.

    :raises NotPermitted: the person cannot see the message.
    :raises NotFound: there is no such message, or nothing of that name was ever in it.
    """
    person = presser(hub, user)
    message = visible_message(hub, person, readable_channel(hub, person, channel), ts)
    blocks = list(message.blocks)
    action, now = _pressed(hub, user, [*blocks, *reversed(message.earlier_blocks)], press)
    before = merged(hub.held.get((user, channel, ts), {}), press.values)
    if held := still_there(merged(before, now), blocks):
        hub.held[user, channel, ts] = held
    secret = hub.response_urls.mint(user, channel, ts)
    payload = message_action(
        hub.workspace,
        person,
        message,
        action,
        state=merged(state_of(blocks), held),
        trigger_id=hub.triggers.mint(user),
        response_url=response_url(hub, secret),
    )
    return Outcome(await hub.postman.ask(Delivery("interactive", payload)))


async def click_view(hub: Hub, user: str, view_id: str, press: Press) -> Outcome:
    """Press something in a modal or on the home tab.

    :raises NotPermitted: the view is in front of somebody else.
    :raises NotFound: no such view, or nothing of that name in it.
    """
    person = presser(hub, user)
    view = own_view(hub, person, view_id)
    action, now = _pressed(hub, user, view.content["blocks"], press)
    if held := merged(still_there(press.values, view.content["blocks"]), now):
        view = replace(view, values=merged(view.values, held))
        hub.workspace.put_view(view)
    payload = view_action(hub.workspace, person, view, action, trigger_id=hub.triggers.mint(user))
    return Outcome(await hub.postman.ask(Delivery("interactive", payload)))


async def submit(hub: Hub, user: str, view_id: str, values: Json) -> Outcome:
    """Submit a modal with what was filled in, and do as the app answers: close, show errors, update, push or clear.

    :param values: as Slack's `state.values`, on top of what the form began with.
    :raises InvalidRequest: values for a block that the form does not have, or the view is the home tab.
    """
    person = presser(hub, user)
    view = own_view(hub, person, view_id)
    if view.type != "modal":
        raise InvalidRequest("The home tab cannot be submitted; press something on it.")
    known = {block["block_id"] for block in view.content["blocks"]}
    unknown = [block for block, entries in values.items() if block not in known or not isinstance(entries, dict)]
    if unknown:
        detail = f"the form has the blocks {', '.join(sorted(known))}; each holds {{action_id: {{…}}}}"
        raise InvalidRequest(errors=[FieldError(f"values.{block}", "unknown_block", detail) for block in unknown])
    view = replace(view, values=merged(view.values, values))
    hub.workspace.put_view(view)
    payload = view_submission(hub.workspace, person, view, trigger_id=hub.triggers.mint(user))
    answer = await hub.postman.ask(Delivery("interactive", payload))
    if not answer.taken or view.id not in hub.workspace.views:
        return Outcome(answer)
    return Outcome(answer, _respond(hub, hub.workspace.views[view.id], answer.json))


async def close(hub: Hub, user: str, view_id: str, everything: bool) -> Outcome | None:
    """Close a modal, or all of them, without submitting; the app is told where it asked for that.

    :returns: what the app said, or None where it did not want to know.
    """
    person = presser(hub, user)
    view = own_view(hub, person, view_id)
    above = modals_of(hub, user)
    for closed in above if everything else above[above.index(view) :]:
        hub.workspace.drop_view(closed)
    if not view.content.get("notify_on_close"):
        return None
    payload = view_closed(hub.workspace, person, view, cleared=everything)
    return Outcome(await hub.postman.ask(Delivery("interactive", payload)))


async def command(hub: Hub, user: str, channel: str, name: str, text: str, thread_ts: str | None) -> Outcome:
    """Type a slash command; what the app answers at once is shown as a message.

    :raises SlackRefusal: in a thread, and for people of another team: Slack does not send these to the app.
    :raises NotPermitted: the person cannot see the channel.
    """
    person = presser(hub, user)
    place = readable_channel(hub, person, channel)
    if not name.startswith("/") or len(name) < 2 or any(letter.isspace() for letter in name):
        raise InvalidRequest(errors=[FieldError("command", "not_a_command", "a command is a slash and one word")])
    if thread_ts is not None:
        raise SlackRefusal("not_supported_in_threads", detail=f"{name} is not supported in threads. Sorry!")
    if person.role is Role.STRANGER:
        raise SlackRefusal("unknown_command", detail=f"{name} is not a valid command.")
    secret = hub.response_urls.mint(user, channel)
    form = command_form(
        hub.workspace,
        person,
        place,
        name,
        text,
        trigger_id=hub.triggers.mint(user),
        response_url=response_url(hub, secret),
    )
    outcome = Outcome(await hub.postman.ask(Delivery("command", form)))
    if not outcome.answer.taken:
        failure = outcome.shape["error"]
        cause = "" if hub.postman.connected else ": no app is connected to this workspace"
        return replace(outcome, more={"detail": f'{name} failed with the error "{failure}"{cause}'})
    ts = show_reply(hub, user, channel, outcome.answer)
    return replace(outcome, more={"ts": ts} if ts else {})


def response_url(hub: Hub, secret: str) -> str:
    """Return the address of a response URL."""
    return f"{hub.url}/response/{secret}"


def presser(hub: Hub, user: str) -> Person:
    """Return who presses: a person who is still here.

    :raises NotPermitted: it is a bot.
    """
    person = active(hub, user)
    if person.role is Role.BOT:
        raise NotPermitted(f"{person.real_name} is a bot; only people press, submit and type commands.")
    return person


def own_view(hub: Hub, person: Person, view_id: str) -> View:
    """Return the view in front of somebody.

    :raises NotFound: there is none of that id. :raises NotPermitted: it is in front of somebody else.
    """
    view = hub.workspace.views.get(view_id)
    if view is None:
        raise NotFound(f"There is no open view {view_id!r}; /_control/state lists the views.")
    if view.user != person.id:
        raise NotPermitted(f"The view {view_id} is not in front of {person.real_name}.")
    return view


def named_elements(blocks: list[Json], action_id: str, block_id: str | None) -> list[tuple[str, Json]]:
    """Return what has that name in blocks, each with its block's id; at least one.

    :raises NotFound: nothing of that name is there.
    """
    found = [
        (block, element)
        for block, element in elements_of(blocks)
        if element["action_id"] == action_id and block_id in (None, block)
    ]
    if not found:
        known = ", ".join(dict.fromkeys(element["action_id"] for _, element in elements_of(blocks))) or "none"
        raise NotFound(f"There is nothing to press with the action_id {action_id!r} here; there are: {known}.")
    return found


def _pressed(hub: Hub, user: str, blocks: list[Json], press: Press) -> tuple[Json, Json]:
    """Return the entry of `actions`, and what stands in the element from now on, as `state.values`.

    :raises NotFound: nothing of that name is there.
    """
    action_id, chosen = press.action_id, press.chosen
    found = named_elements(blocks, action_id, press.block_id)
    exact = [(block, element) for block, element in found if chosen is not None and element.get("value") == chosen]
    block, element = (exact or found)[0]
    if element["type"] in ASKED:
        element = {**element, "options": hub.offered.get((user, action_id), [])}
    action = action_of(element, block, chosen, hub.workspace.clock.stamp())
    if not keeps_state(element):
        return action, {}
    return action, {block: {action_id: {"type": element["type"], **choice_of(element, chosen)}}}


def _respond(hub: Hub, view: View, body: Json) -> Json:
    """Do to the stack of modals what the app's answer says, and return what the person sees of it."""
    action = body.get("response_action")
    if action == "errors":
        return {"response_action": "errors", "errors": body.get("errors", {})}
    try:
        if action in ("update", "push"):
            content = checked_content(body.get("view"), "modal")
            shown = update_view(hub, view, content) if action == "update" else push_modal(hub, view.user, content)
            return {"response_action": action, "view": view_shape(hub.workspace, shown)}
    except SlackRefusal as refusal:
        return {"response_action": action, "error": refusal.error, **refusal.more}
    if action not in (None, "clear"):
        return {"error": "invalid_response_action", "response_action": action}
    stack = modals_of(hub, view.user)
    for closed in stack if action == "clear" else stack[stack.index(view) :]:
        hub.workspace.drop_view(closed)
    return {"response_action": action} if action else {}
