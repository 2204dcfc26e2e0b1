"""The desk of one agent on PostgreSQL: a schema of its own, in a database of its own or in the brain's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from sqlalchemy import Connection, text

from sliceway.core.ids import partition_name
from sliceway.core.slices import agent_slice
from sliceway.errors import StoreUnavailable
from sliceway.store.engine import Result
from sliceway.store.engine_postgres import PostgresDatabase
from sliceway.store.migrate import migrate

_LONGEST_NAME = 63
_ALONE = text("SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), 0))")
_STANDS = text(
    "SELECT pg_get_userbyid(nspowner) AS owner, pg_has_role(nspowner, 'USAGE') AS ours "
    "FROM pg_namespace WHERE nspname = :name"
)
_MAY_MAKE = text("SELECT has_database_privilege(current_database(), 'CREATE'), current_database(), current_user")


def schema_of(agent: str) -> str:
    """Return the name of the schema that the agent's desk is in, another for any two agents.

    :raises InvalidAgentId: no agent is called so.
    """
    name = f"desk_{agent_slice(agent)}"
    return name if len(name) <= _LONGEST_NAME else f"desk_{partition_name('agent', agent, plain=False)}"


class DeskDatabase(PostgresDatabase):
    """One agent's desk. Whoever writes waits until nobody else writes this desk, in any process: what is first in its
    queue is judged by what stands, as on SQLite."""

    words: ClassVar[Mapping[str, str]] = {
        **PostgresDatabase.words,
        "3D000": "{where} cannot be opened, for there is no such database; create it, or correct SLICEWAY_STATE__URL.",
        "42P01": "{where} has lost its tables; start the gateway again, and it makes them.",
        "42501": "{where} is kept from this login; its schema and tables have to be the login's own.",
        "53300": "{where} has no connection left; lower state.pool_size, or raise the server's max_connections.",
    }
    unknown: ClassVar[str] = "whether the last write was kept is not known, and shows at the next try"

    def __init__(
        self,
        url: str,
        agent: str,
        *,
        sync: str = "full",
        pool_size: int = 4,
        statement_timeout: float = 30.0,
        looks_only: bool = False,
    ) -> None:
        """Stand before the agent's desk in the database at `url`; arguments are those of `PostgresDatabase`.

        :param looks_only: the database lets nothing be written.
        """
        self.schema = schema_of(agent)
        super().__init__(
            url, sync=sync, pool_size=pool_size, statement_timeout=statement_timeout, schema=self.schema
        )  # fmt: skip
        self.where = f"the desk of agent {agent} in {self.where}"
        self._looks_only = looks_only

    def _write_with(self, work: Callable[[Connection], Result]) -> Result:
        def alone(connection: Connection) -> Result:
            connection.execute(_ALONE).close()
            return work(connection)

        return self._run(alone, writes=not self._looks_only)

    def prepare(self, scripts: str) -> None:
        """Make the schema and bring it to this program's tables where needed, as the login that owns them. Several may
        start at once.

        :raises StoreUnavailable: it cannot be done; the words say who has to do what.
        """
        with self.read() as connection:
            there = self.stands(connection)
        if not there:
            with self.migrating() as connection:
                if not self.stands(connection):
                    self._make(connection)
        migrate(self, scripts)

    def stands(self, connection: Connection) -> bool:
        """Say whether the schema is there; see that it may be made where it is not.

        :raises StoreUnavailable: it is another login's, or is not there and this login may not make it.
        """
        found = connection.execute(_STANDS, {"name": self.schema}).first()
        if found is not None and not found.ours:
            raise StoreUnavailable(
                f"{self._named()} is another login's, {found.owner}: the schema {self.schema} is not for the login of "
                "SLICEWAY_STATE__URL. All gateways of one agent use one login; other agents' use others, or other ids."
            )
        if found is None:
            self._see_that_it_may(connection)
        return found is not None

    def _make(self, connection: Connection) -> None:
        connection.exec_driver_sql(f'CREATE SCHEMA "{self.schema}"').close()

    def _see_that_it_may(self, connection: Connection) -> None:
        may, database, login = connection.execute(_MAY_MAKE).one()
        if not may:
            raise StoreUnavailable(
                f"{self._named()} is not made yet, and its login may not make it; nothing was changed. Whoever owns "
                f'the database runs: CREATE SCHEMA "{self.schema}" AUTHORIZATION "{login}"; or, for every agent of '
                f'that login: GRANT CREATE ON DATABASE "{database}" TO "{login}";'
            )
