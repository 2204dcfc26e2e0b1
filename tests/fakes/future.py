"""Steps of a schema that a later version might take: today's, and one more."""

from __future__ import annotations

import shutil
from pathlib import Path

import sliceway

STEP = "9001"
_PACKAGE = Path(sliceway.__file__).parent / "store"
_STEP = '''"""A step of a later version."""

import sqlalchemy as sa
from alembic import op

revision = "{step}"
down_revision = "{head}"
branch_labels = None
depends_on = None
{says}


def upgrade() -> None:
    """Take it."""
    {does}
'''
ADDS = """op.add_column("pages", sa.Column("mood", sa.Text(), nullable=True))
    op.add_column("tokens", sa.Column("colour", sa.Text(), nullable=True))
    op.create_table("moods", sa.Column("slice", sa.Text(), primary_key=True), sa.Column("mood", sa.Text()))
    op.create_index("pages_by_mood", "pages", ["slice", "mood"])"""
"""What an addition may do to tables that are written meanwhile."""


def future(folder: Path, head: str, does: str, says: str, *, of: str = "migrations") -> str:
    """Write today's steps and one more after `head` into a folder, and return what names them.

    :param does: what the step does, as its program says it. :param says: what it says of itself.
    """
    shutil.copytree(_PACKAGE / of, folder, ignore=shutil.ignore_patterns("__pycache__"))
    step = _STEP.format(step=STEP, head=head, does=does, says=says)
    (folder / "versions" / f"{STEP}_later.py").write_text(step)
    return str(folder)
