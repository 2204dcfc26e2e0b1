"""Menus whose options the app is asked for while somebody types in them."""

from __future__ import annotations

from sliceway.errors import InvalidRequest
from sliceway.workspace.choices import ASKED
from sliceway.workspace.elements import check_element, options_of
from sliceway.workspace.hub import Hub
from sliceway.workspace.interactions import message_suggestion, view_suggestion
from sliceway.workspace.model import Json
from sliceway.workspace.pressing import Outcome, Press, named_elements, own_view, presser
from sliceway.workspace.saying import readable_channel, visible_message
from sliceway.workspace.transport import Delivery


async def suggest(hub: Hub, user: str, place: str | tuple[str, str], press: Press) -> Outcome:
    """Ask the app for the options of a menu, and answer them as `options`; one of them can be chosen from then on.
    What is no list of options is told as `invalid_options`, with what is wrong.

    :param place: the id of a view, or a message's channel and time. :param press: the menu, and what was typed in it.
    :raises NotPermitted: the person cannot see the message, or the view is in front of somebody else.
    :raises NotFound: no such message or view, or no such menu in it. :raises InvalidRequest: its options are its own.
    """
    person = presser(hub, user)
    if isinstance(place, str):
        view = own_view(hub, person, place)
        payload = view_suggestion(hub.workspace, person, view, _asked(view.content["blocks"], press))
    else:
        message = visible_message(hub, person, readable_channel(hub, person, place[0]), place[1])
        payload = message_suggestion(hub.workspace, person, message, _asked(list(message.blocks), press))
    answer = await hub.postman.ask(Delivery("interactive", payload))
    if not answer.taken:
        return Outcome(answer)
    offered: Json = {name: answer.json[name] for name in ("options", "option_groups") if answer.json.get(name)}
    if wrong := list(check_element({"type": "static_select", **offered}, "")) if offered else []:
        return Outcome(answer, {"options": [], "error": "invalid_options", "detail": "; ".join(wrong)})
    hub.offered[user, press.action_id] = options_of(offered)
    return Outcome(answer, {"options": hub.offered[user, press.action_id]})


def _asked(blocks: list[Json], press: Press) -> Json:
    block, element = named_elements(blocks, press.action_id, press.block_id)[0]
    if element["type"] not in ASKED:
        raise InvalidRequest(f"The options of {press.action_id!r} are its own; the app is not asked for them.")
    return {"action_id": press.action_id, "block_id": block, "value": press.chosen or ""}
