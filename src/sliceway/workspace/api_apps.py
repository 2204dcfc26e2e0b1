"""The method that an app calls with its own token: `apps.connections.open`."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from sliceway.workspace.arguments import Arguments
from sliceway.workspace.callers import Caller, Method
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Json
from sliceway.workspace.sockets import PATH


def _open_connection(hub: Hub, _caller: Caller, _arguments: Arguments) -> Json:
    query = urlencode({"ticket": hub.sockets.tickets.mint(), "app_id": hub.workspace.app.id})
    return {"url": f"{hub.url.replace('http', 'ws', 1)}{PATH}?{query}"}


METHODS: Mapping[str, Method] = {"apps.connections.open": _open_connection}
