"""Views coming, changing and going: the stack of modals in front of a person, and the home tab."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from sliceway.workspace.choices import still_there
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Json, View
from sliceway.workspace.posting import filled
from sliceway.workspace.refusals import SlackRefusal, invalid_arguments
from sliceway.workspace.view_shapes import check_view

DEEPEST = 3  # modals on top of each other
LARGEST = 250_000  # characters of a view as it is stored


def checked_content(view: Any, kind: str) -> Json:
    """Return a view as Slack stores it.

    :raises SlackRefusal: `invalid_arguments` with every problem, `view_too_large`.
    """
    errors = check_view(view)
    if not errors and view["type"] != kind:
        errors = [f"must be {kind} here [json-pointer:/view/type]"]
    if errors:
        raise invalid_arguments(*errors)
    if len(repr(view)) > LARGEST:
        raise SlackRefusal("view_too_large")
    return {**view, "blocks": list(filled(view["blocks"]))}


def modals_of(hub: Hub, user: str) -> list[View]:
    """Return the modals in front of a person, the lowest first."""
    views = [view for view in hub.workspace.views.values() if view.user == user and view.type == "modal"]
    depth = {view.id: view for view in views}
    return sorted(views, key=lambda view: _depth(view, depth))


def open_modal(hub: Hub, user: str, content: Json) -> View:
    """Show a modal to somebody; other modals in front of them give way."""
    _check_external_id(hub, content, None)
    for view in modals_of(hub, user):
        hub.workspace.drop_view(view)
    return _shown(hub, user, content, previous=None)


def push_modal(hub: Hub, user: str, content: Json) -> View:
    """Put a modal on top of those in front of somebody.

    :raises SlackRefusal: `push_limit_reached`; `not_found`: there is none to push onto.
    """
    stack = modals_of(hub, user)
    if not stack:
        raise SlackRefusal("not_found")
    if len(stack) >= DEEPEST:
        raise SlackRefusal("push_limit_reached")
    _check_external_id(hub, content, None)
    return _shown(hub, user, content, previous=stack[-1])


def update_view(hub: Hub, view: View, content: Json) -> View:
    """Replace what a view shows; what people filled in stays where the block and action are still there."""
    _check_external_id(hub, content, view)
    kept = still_there(view.values, content["blocks"])
    after = replace(view, content=content, values=kept, hash=_hash(hub))
    hub.workspace.put_view(after)
    return after


def publish_home(hub: Hub, user: str, content: Json, known_hash: str | None) -> View:
    """Show somebody the app's home tab.

    :raises SlackRefusal: `hash_conflict`: it changed since the app saw it.
    """
    before = home_of(hub, user)
    if known_hash and before is not None and before.hash != known_hash:
        raise SlackRefusal("hash_conflict")
    if before is not None:
        return update_view(hub, before, content)
    _check_external_id(hub, content, None)
    return _shown(hub, user, content, previous=None)


def home_of(hub: Hub, user: str) -> View | None:
    """Return the home tab that was published for somebody, or None."""
    homes = (view for view in hub.workspace.views.values() if view.user == user and view.type == "home")
    return next(homes, None)


def named_view(hub: Hub, view_id: str | None, external_id: str | None) -> View:
    """Return the view that an app names by either id.

    :raises SlackRefusal: `not_found`.
    """
    for view in hub.workspace.views.values():
        if view.id == view_id or (external_id and view.content.get("external_id") == external_id):
            return view
    raise SlackRefusal("not_found")


def _shown(hub: Hub, user: str, content: Json, previous: View | None) -> View:
    view_id = f"V{secrets.token_hex(5).upper()}"
    view = View(
        id=view_id,
        user=user,
        type=content["type"],
        hash=_hash(hub),
        content=content,
        root_view_id=previous.root_view_id if previous else view_id,
        previous_view_id=previous.id if previous else None,
    )
    hub.workspace.put_view(view)
    return view


def _check_external_id(hub: Hub, content: Json, own: View | None) -> None:
    external_id = content.get("external_id")
    others = (view for view in hub.workspace.views.values() if own is None or view.id != own.id)
    if external_id and any(view.content.get("external_id") == external_id for view in others):
        raise SlackRefusal("duplicate_external_id")


def _depth(view: View, known: dict[str, View]) -> int:
    below = known.get(view.previous_view_id or "")
    return 0 if below is None else 1 + _depth(below, known)


def _hash(hub: Hub) -> str:
    return f"{int(hub.workspace.clock.now())}.{secrets.token_hex(4)}"
