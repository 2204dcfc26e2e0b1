"""The isolation matrix on PostgreSQL, where the rows that a call touches are the server's own count.

`test_matrix.py` holds every caller and slice to the grid on SQLite, over the same wire and by the same brain. What
another engine may change is what its statements touch and what its second wall lets through; so every operation is
aimed at every slice here too, by one caller of each kind whose access is made in another way, and by no bad token,
which is refused before the store is asked for anything but the token.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("psycopg")  # the fixture `_postgres_server` fails in CI where it is missing

from tests.fakes.postgres import database
from tests.isolation import test_ids as by_id
from tests.isolation.operations import OPERATIONS
from tests.isolation.test_matrix import TELLS_NOTHING, differences, misjudged
from tests.isolation.world import World

ONE_OF_EACH = ("agent", "in private", "in a channel", "from nowhere", "reads shared", "admin")
_BY_INDEX = "&options=-c%20enable_seqscan%3Doff"
"""Read whole, a small table tells nothing of which of its rows were wanted."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, _postgres_server: None) -> Iterator[World]:
    """A brain on PostgreSQL with all there can be in it, behind a server."""
    with database() as made:
        opened = World(tmp_path_factory.mktemp("world"), made.url + _BY_INDEX)
        yield opened
        opened.close()


@pytest.mark.parametrize("name", OPERATIONS)
def test_br4_sc9_the_matrix_on_postgresql(there: World, name: str) -> None:
    """BR2 BR4 SC9 GT1: one caller of each kind is answered for each slice as the grid says; what is not theirs answers,
    byte for byte, statement for statement and row for row, as one that was never written."""
    operation, wrong = OPERATIONS[name], []
    for caller in (caller for caller in ONE_OF_EACH if caller in operation.grid):
        row = operation.grid[caller]
        protected = [place for place, said in row.items() if said in TELLS_NOTHING]
        wrong += differences(there, operation, caller, protected)
        wrong += misjudged(there, operation, caller, [place for place in row if place not in protected])
    assert not wrong, "\n".join([f"{name}:", *wrong])


@pytest.fixture(scope="module")
def things_there(there: World) -> by_id.Things:
    """What there is to be found by an id."""
    return by_id.Things(there)


@pytest.mark.parametrize("call", by_id.OF_PROPOSALS)
def test_ap26_br4_proposals_by_id_on_postgresql(there: World, things_there: by_id.Things, call: str) -> None:
    """AP26 BR4: who may not see a proposal is told by this engine's same work what they are told of nobody's id."""
    by_id.test_ap26_br4_a_foreign_proposal_is_as_one_that_never_was(there, things_there, call)


@pytest.mark.parametrize("call", by_id.REFUSED)
def test_br4_gt9_grants_tokens_turns_and_agents_by_id_on_postgresql(
    there: World, things_there: by_id.Things, call: str
) -> None:
    """BR4 AP15 BR6 GT9: alias, rename, merge and retire of an agent, and what else is called by an id, by whom it is
    nothing to: the same answer by the same work as for an id that is nobody's."""
    by_id.test_br4_a_foreign_grant_token_or_turn_is_as_one_that_never_was(there, things_there, call)


def test_br4_the_server_s_count_sees_one_row_more(there: World) -> None:
    """BR4: what the twins are compared by is no constant: one page more is more rows, by the same statements."""
    took = []
    for _ in range(3):
        there.fresh("agent-ada")
        took.append(there.measured("GET", "/v1/pages?slice=agent-ada", who="agent")[1])
    _, fewer, more = took  # what is read once and kept is read before
    assert fewer.statements == more.statements
    assert 0 < fewer.steps < more.steps
