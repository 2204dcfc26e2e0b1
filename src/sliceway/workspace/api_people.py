"""The methods about who is who: `auth.test`, `users.*`, `bots.info`, `team.info`; and `api.test`."""

from __future__ import annotations

from collections.abc import Mapping

from sliceway.workspace.arguments import Arguments
from sliceway.workspace.callers import Caller, Method, one_page
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Json
from sliceway.workspace.refusals import SlackRefusal
from sliceway.workspace.shapes import bot_shape, person_shape


def _auth_test(hub: Hub, caller: Caller, _arguments: Arguments) -> Json:
    workspace = hub.workspace
    person = workspace.people[caller.user]
    answer = {
        "url": f"{hub.url}/",
        "team": workspace.home.name,
        "user": person.name,
        "team_id": workspace.home.id,
        "user_id": person.id,
        "is_enterprise_install": False,
    }
    return answer | ({"bot_id": caller.bot_id} if caller.kind == "bot" else {})


def _api_test(_hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    error = arguments.text("error")
    if error:
        raise SlackRefusal(error, args=arguments.decoded())
    return {"args": arguments.decoded()}


def _users_info(hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    person = hub.workspace.people.get(arguments.required("user"))
    if person is None:
        raise SlackRefusal("user_not_found")
    return {"user": person_shape(hub.workspace, person)}


def _users_list(hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    page, following = one_page(list(hub.workspace.people.values()), arguments)
    shapes = [person_shape(hub.workspace, person) for person in page]
    return {"members": shapes, "cache_ts": int(hub.workspace.clock.now()), "response_metadata": following}


def _bots_info(hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    bot_id = arguments.required("bot")
    bot = next((person for person in hub.workspace.people.values() if person.bot_id == bot_id), None)
    if bot is None:
        raise SlackRefusal("bot_not_found")
    return {"bot": bot_shape(hub.workspace, bot)}


def _team_info(hub: Hub, _caller: Caller, arguments: Arguments) -> Json:
    teams = {team.id: team for team in (hub.workspace.home, hub.workspace.far)}
    team = teams.get(arguments.text("team") or hub.workspace.home.id)
    if team is None:
        raise SlackRefusal("team_not_found")
    return {"team": {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": "", "icon": {}}}


METHODS: Mapping[str, Method] = {
    "api.test": _api_test,
    "auth.test": _auth_test,
    "bots.info": _bots_info,
    "team.info": _team_info,
    "users.info": _users_info,
    "users.list": _users_list,
}
