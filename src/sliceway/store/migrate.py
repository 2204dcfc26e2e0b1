"""Bringing a store to this program's schema, under the lock that migrations queue on (BR12)."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, inspect

from sliceway.errors import StoreUnavailable
from sliceway.store.engine import Database
from sliceway.store.steps import Fit, Standing, Steps, config_of, keep_oldest, standing, steps_of

Done = Callable[[Connection], None]
"""What is done in the transaction of a migration."""


def migrate(database: Database, scripts: str, *, reindex: Done | None = None, finish: Done | None = None) -> bool:
    """Take every step that the store has not seen; return whether there were any. A store that a newer program only
    added to is left as it is.

    Several processes may start on one empty store: the first migrates, the others wait and find it done.

    :param scripts: where the steps are, as `package:folder`.
    :param reindex: makes the index again, once and after all steps, where one of them asks for it.
    :param finish: what is done each time in the same transaction, with steps or without.
    :raises StoreUnavailable: a newer version of this program changed the store, or it cannot be used.
    """
    steps = steps_of(scripts)
    with database.read() as connection:
        fit = steps.fit(standing(connection))
    if fit.done and finish is None:
        database.close_to_others()
        return False
    with database.migrating() as connection:
        stands = standing(connection)
        fit = steps.fit(stands)
        if fit is Fit.AHEAD:  # roles and rights there are the newer program's, too
            return False
        if fit is Fit.SAME:
            if finish is not None:
                finish(connection)
            return False
        if stands.step is None and inspect(connection).get_table_names():
            raise StoreUnavailable(
                f"What is in {database.where} is a database of another kind, "
                "not a store of this program. Name another one."
            )
        if fit is Fit.TOO_NEW:
            raise _newer(database, stands, steps)
        from alembic import command  # see `config_of`

        config = config_of(scripts)
        config.attributes["connection"] = connection
        database.close_to_others()
        command.upgrade(config, "head")
        if reindex is not None and stands.step is not None and steps.reindexes.intersection(steps.after(stands.step)):
            reindex(connection)
        keep_oldest(connection, steps)
        if finish is not None:
            finish(connection)
        return True


def expect_schema(database: Database, scripts: str) -> Fit:
    """Look that this program may work on the tables as they stand; whoever serves may not change them. Return how they
    fit.

    :raises StoreUnavailable: they are too old or too new, or not there.
    """
    with database.read() as connection:
        stands = standing(connection)
    steps = steps_of(scripts)
    fit = steps.fit(stands)
    if fit is Fit.TOO_NEW:
        raise _newer(database, stands, steps)
    if fit is Fit.TOO_OLD:
        raise StoreUnavailable(
            f"The schema of {database.where} is {stands.step or 'not made yet'}, not {steps.head}. Run: sliceway brain "
            "migrate, with SLICEWAY_STORE__OWNER_URL set.", schema=stands.step, knows=steps.head,
        )  # fmt: skip
    return fit


def _newer(database: Database, stands: Standing, steps: Steps) -> StoreUnavailable:
    return StoreUnavailable(
        f"The store {database.where} is from a newer version of this program, which changed what this one relies on "
        f"(schema {stands.step}, this one knows up to {steps.head}). Upgrade this program; nothing was changed.",
        schema=stands.step, knows=steps.head,
    )  # fmt: skip
