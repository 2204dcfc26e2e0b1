"""What Slack says of a person, judged."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.core.turns import Standing
from sliceway.slack.people import facts_of

GRID: dict[str, Any] = {"id": "W1", "enterprise_user": {"id": "W1", "enterprise_id": "E1", "teams": ["T1", "T2"]}}


@pytest.mark.parametrize(
    ("user", "team", "standing"),
    [
        (GRID, "T1", Standing.MEMBER),
        ({"id": "W1", "teams": ["T2", "T1"]}, "T1", Standing.MEMBER),
        ({**GRID, "team_id": "T2"}, "T1", Standing.MEMBER),
        ({"id": "W1", "enterprise_user": {"enterprise_id": "E1", "teams": ["T7"]}}, "T7", Standing.MEMBER),
        ({"id": "U1", "profile": {"team": "T8"}}, "T8", Standing.MEMBER),
        ({"id": "U1"}, "?", Standing.STRANGER),
        ({"id": "U1", "enterprise_user": {"teams": None}, "teams": [7]}, "?", Standing.STRANGER),
        ({**GRID, "is_restricted": True}, "T1", Standing.GUEST),
    ],
)
def test_r35_a_grid_person_without_a_team_belongs_to_their_teams(
    user: dict[str, Any], team: str, standing: Standing
) -> None:
    """R35: without `team_id` the teams of the enterprise's user count, ours first; with none a person is a stranger."""
    facts = facts_of(user, "T1")
    assert (facts.person.team, facts.standing, facts.person.standing) == (team, standing, standing)
    assert facts.person.enterprise == ("E1" if "enterprise_id" in str(user) else None)
