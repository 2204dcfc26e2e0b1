"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None
adds_only = False  # True: rows and stores without what it adds are whole, for this version and the one before


def upgrade() -> None:
    """Take the step."""
    ${upgrades if upgrades else "pass"}
