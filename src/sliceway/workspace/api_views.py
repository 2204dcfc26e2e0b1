"""The `views.*` methods."""

from __future__ import annotations

from collections.abc import Mapping

from sliceway.workspace.arguments import Arguments
from sliceway.workspace.callers import Caller, Method
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Json, View
from sliceway.workspace.refusals import SlackRefusal
from sliceway.workspace.view_shapes import view_shape
from sliceway.workspace.views import (
    checked_content,
    named_view,
    open_modal,
    publish_home,
    push_modal,
    update_view,
)


def _open(hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    content = checked_content(arguments.structure("view"), "modal")
    return _shown(hub, open_modal(hub, _whose(hub, arguments), content))


def _push(hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    content = checked_content(arguments.structure("view"), "modal")
    return _shown(hub, push_modal(hub, _whose(hub, arguments), content))


def _update(hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    view = named_view(hub, arguments.text("view_id"), arguments.text("external_id"))
    content = checked_content(arguments.structure("view"), view.type)
    known_hash = arguments.text("hash")
    if known_hash and known_hash != view.hash:
        raise SlackRefusal("hash_conflict")
    return _shown(hub, update_view(hub, view, content))


def _publish(hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    content = checked_content(arguments.structure("view"), "home")
    user = arguments.required("user_id")
    if user not in hub.workspace.people:
        raise SlackRefusal("user_not_found")
    return _shown(hub, publish_home(hub, user, content, arguments.text("hash")))


def _whose(hub: Hub, arguments: Arguments) -> str:
    return hub.triggers.exchange(arguments.required("trigger_id"))


def _shown(hub: Hub, view: View) -> Json:
    return {"view": view_shape(hub.workspace, view)}


METHODS: Mapping[str, Method] = {
    "views.open": _open,
    "views.publish": _publish,
    "views.push": _push,
    "views.update": _update,
}
