"""Why something that was owed was given up."""

import sqlalchemy as sa
from alembic import op

revision = "d0002"
down_revision: str | None = "d0001"
branch_labels: str | None = None
depends_on: str | None = None
adds_only = False


def upgrade() -> None:
    """Add the reason to what is owed."""
    op.add_column("owed", sa.Column("error", sa.Text))
