"""On PostgreSQL: numbers that never run out, and text that sorts by its bytes. SQLite has both."""

import sqlalchemy as sa
from alembic import op

revision = "d0003"
down_revision: str | None = "d0002"
branch_labels: str | None = None
depends_on: str | None = None
adds_only = False


def upgrade() -> None:
    """Change the types of columns where the engine has more than one of a kind."""
    bind = op.get_bind()
    if bind.dialect.name != "postgresql":
        return
    for name in ("inbox", "owed", "locks", "turns", "leases", "cursors"):
        for column in sa.inspect(bind).get_columns(name):
            if isinstance(column["type"], sa.Text):
                op.alter_column(name, column["name"], type_=sa.Text(collation="C"))
            elif column["name"] == "seq":
                op.alter_column(name, "seq", type_=sa.BigInteger())
                op.execute(f"ALTER SEQUENCE {name}_seq_seq AS bigint")
