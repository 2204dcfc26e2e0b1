"""The arrangements of the scenarios; the two ways in which a workspace reaches the Slack side of a gateway in this
process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Literal

from aiohttp import web

from sliceway.slack.app import SlackDoor, Wiring
from sliceway.slack.socket_mode import Patience, SlackSocket
from sliceway.web.serving import bound, port_of, served
from tests.contract.workspace_client import Client

Transport = Literal["http", "socket"]
BOTH: tuple[Transport, ...] = ("http", "socket")
Arrangement = Literal["http", "socket", "http+remote", "socket+remote"]
REMOTE: Arrangement = "http+remote"
"""By requests, and the gateway's brain is elsewhere, behind a server that it shows a token."""
SOCKET_REMOTE: Arrangement = "socket+remote"
"""By Socket Mode, and the brain is elsewhere: for scenarios that are about that way."""
ARRANGEMENTS: tuple[Arrangement, ...] = (*BOTH, REMOTE)
"""What a scenario runs in that says nothing else; it may name its own by a parameter `arrangement`."""
ELSEWHERE: frozenset[Arrangement] = frozenset({REMOTE, SOCKET_REMOTE})


ONE_WAY = {
    "test_agent_command.py": "no chat takes part",
    "test_erase_command.py": "no chat takes part",
    "test_erase_kills.py": "no chat takes part",
    "test_backup_command.py": "no chat takes part",
    "test_brain_on_postgres.py": "no chat takes part",
    "test_brain_races.py": "no chat takes part",
    "test_brain_serve.py": "no chat takes part",
    "test_brain_wire.py": "no chat takes part",
    "test_client_kills.py": "no chat takes part",
    "test_progress.py": "no chat takes part",
    "test_record_command.py": "no chat takes part",
    "test_command_elsewhere.py": "no chat takes part",
    "test_command_ends.py": "no chat takes part",
    "test_command_line.py": "no chat takes part",
    "test_connect.py": "the README connects by Socket Mode",
    "test_demo.py::test_three_journeys_play_by_either_way_on_the_same_data": "it plays by both, one after the other",
    "test_demo.py::test_three_journeys_play_with_the_brain_elsewhere": "HTTP: the test above plays by both",
    "test_demo.py::test_a_folder_or_port_that_cannot_be_used_is_said_in_words": "nothing starts",
    "test_demo.py::test_the_transcript_says_first_who_alone_sees_a_message": "nothing starts",
    "test_demo.py::test_the_demo_shows_a_page_keeps_its_data_and_ends_cleanly_at_ctrl_c": "nothing is delivered",
    "test_demo.py::test_a_killed_demo_leaves_no_gateway_behind": "nothing is delivered",
    "test_doctor.py::test_id5_a_revoked_token_and_an_unreachable_slack_are_named": "nothing is delivered",
    "test_doctor.py::test_r38_who_may_decide_and_where_cards_go": "nothing is delivered",
    "test_doctor.py::test_cf2_unknown_settings_wrong_tokens_and_a_brain_elsewhere": "nothing is delivered",
    "test_doctor.py::test_br12_a_store_that_is_newer_or_no_store_is_named_and_left_alone": "nothing is delivered",
    "test_doctor.py::test_id12_an_id_that_changed_since_the_last_run": "nothing is delivered",
    "test_doctor.py::test_a_wrong_signing_secret_is_seen_by_the_gateway_that_hears_it": "HTTP: signatures",
    "test_doctor_elsewhere.py": "nothing is delivered",
    "test_doctor_ways.py": "nothing is delivered",
    "test_drain.py::test_op4_while_it_drains_slack_is_asked_to_come_again": (
        "HTTP: the status 503; by socket nothing is acknowledged (test_slack_socket.py)"
    ),
    "test_gateway_elsewhere.py": "HTTP: it is about the brain, which is elsewhere in all of it",
    "test_operate_elsewhere.py": "Socket Mode, as the document has it",
    "test_slack_http.py": "HTTP: signatures, headers, bodies, statuses, the challenge",
    "test_slack_socket.py": "Socket Mode: disconnects, the app token, shared connections",
    "test_slack_watchdog.py": "Socket Mode: connections that only seem alive",
    "test_socket_stage.py": "Socket Mode: readiness of the connection, the app token",
    "test_two_gateways.py": "HTTP: the workspace is pointed at one gateway, then at the other",
    "test_two_processes.py": "HTTP: a proxy chooses one of two; Socket Mode in the one test of two sockets",
    "test_ways.py": "it checks this table",
    "test_workspace_bolt.py::test_t1_bolt_loses_a_command_whose_text_says_payload": "HTTP: how Bolt parses a form",
    "test_workspace_bolt.py::test_t13_bolt_goes_to_a_new_socket_and_misses_nothing": "Socket Mode: disconnects",
    "test_workspace_command.py": "no bot takes part",
}
"""The files and tests that run over one way to Slack alone, each with why. `test_ways.py` holds every test to this."""

_NO_GATEWAY = "no gateway takes part"
_ITS_OWN = "its brain is elsewhere in all of it"
ONE_BRAIN = {
    "test_agent_command.py": _NO_GATEWAY,
    "test_erase_command.py": _NO_GATEWAY,
    "test_erase_kills.py": _NO_GATEWAY,
    "test_progress.py": _NO_GATEWAY,
    "test_backup_command.py": _NO_GATEWAY,
    "test_brain_on_postgres.py": _NO_GATEWAY,
    "test_brain_races.py": _NO_GATEWAY,
    "test_brain_serve.py": _NO_GATEWAY,
    "test_brain_wire.py": _NO_GATEWAY,
    "test_client_kills.py": _NO_GATEWAY,
    "test_command_elsewhere.py": _ITS_OWN,
    "test_command_ends.py": _NO_GATEWAY,
    "test_command_line.py": "gateways in it end before they have a brain; test_gateway_elsewhere.py has more such ends",
    "test_connect.py": "the README's steps begin with a store; those with a brain are in test_operate_elsewhere.py",
    "test_demo.py::test_three_journeys_play_by_either_way_on_the_same_data": (
        "the demo embeds its brain; test_three_journeys_play_with_the_brain_elsewhere has the same play"
    ),
    "test_demo.py::test_three_journeys_play_with_the_brain_elsewhere": _ITS_OWN,
    "test_demo.py::test_a_folder_or_port_that_cannot_be_used_is_said_in_words": "nothing starts",
    "test_demo.py::test_the_transcript_says_first_who_alone_sees_a_message": "nothing starts",
    "test_demo.py::test_the_demo_shows_a_page_keeps_its_data_and_ends_cleanly_at_ctrl_c": "the demo embeds its brain",
    "test_demo.py::test_a_killed_demo_leaves_no_gateway_behind": "the demo embeds its brain",
    "test_doctor.py": "test_doctor_elsewhere.py has those of a brain elsewhere",
    "test_doctor_elsewhere.py": _ITS_OWN,
    "test_doctor_ways.py": "test_doctor_elsewhere.py has those of a brain elsewhere",
    "test_gateway_elsewhere.py": _ITS_OWN,
    "test_operate_elsewhere.py": _ITS_OWN,
    "test_record_command.py": _NO_GATEWAY,
    "test_slack_app.py": "the Slack side alone: no brain takes part",
    "test_slack_chat.py": "the Slack side alone: no brain takes part",
    "test_slack_http.py": "the Slack side alone: no brain takes part",
    "test_slack_socket.py": "the Slack side alone: no brain takes part",
    "test_slack_watchdog.py": "the Slack side alone: no brain takes part",
    "test_socket_stage.py::test_id5_a_process_with_a_wrong_app_token_ends_and_says_why": "no brain is asked",
    "test_two_gateways.py": _ITS_OWN,
    "test_two_processes.py::test_r57_two_processes_share_a_desk_on_postgresql": "it is about the desk, on PostgreSQL",
    "test_ways.py": "it checks this table",
    "test_workspace_bolt.py": "bots of others: no brain takes part",
    "test_workspace_bots.py": "bots of others: no brain takes part",
    "test_workspace_command.py": "no bot takes part",
}
"""The files and tests that do not run with the brain both embedded and elsewhere, each with why, whatever their way to
Slack; `test_ways.py` holds every test to this too."""


@dataclass(frozen=True)
class Way:
    """How it is reached: at an address, or through a socket."""

    url: str = ""
    socket: SlackSocket | None = None


def connected(
    slack: Client, wiring: Wiring, transport: Transport, patience: Patience | None = None
) -> AbstractAsyncContextManager[Way]:
    """Connect a Slack side to the workspace while the context is open; `patience` is the socket's."""
    return _by_http(slack, wiring) if transport == "http" else _by_socket(slack, wiring, patience)


@asynccontextmanager
async def _by_http(slack: Client, wiring: Wiring) -> AsyncIterator[Way]:
    app = web.Application()
    app.add_routes(SlackDoor(wiring).routes())
    listener = bound(0)
    url = f"http://127.0.0.1:{port_of(listener)}/slack/events"
    async with served(app, listener):
        slack.workspace.connect(url)
        try:
            yield Way(url=url)
        finally:
            slack.workspace.connect(None)


@asynccontextmanager
async def _by_socket(slack: Client, wiring: Wiring, patience: Patience | None) -> AsyncIterator[Way]:
    door = SlackDoor(replace(wiring, signing_secret=None))
    socket = SlackSocket(door, wiring.client, slack.workspace.tokens.app, patience=patience)
    try:
        await socket.start()
        yield Way(socket=socket)
    finally:
        await socket.stop()
