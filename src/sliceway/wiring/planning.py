"""What bringing the store of the settings to this program's schema would do."""

from __future__ import annotations

from sliceway.brain.local import SCRIPTS
from sliceway.settings import Settings
from sliceway.store.opening import open_database
from sliceway.store.plan import MigrationPlan, plan
from sliceway.wiring.store import needs_store


def migration_plan(settings: Settings) -> MigrationPlan:
    """Return what `migrate_store` would do, step by step; nothing is changed.

    :raises SettingsError: the settings name a brain elsewhere. :raises Unavailable: there is no store, or it cannot be
        read.
    """
    needs_store(settings)
    database = open_database(settings.store.owner_url or settings.store_url, looks_only=True)
    try:
        return plan(database, SCRIPTS)
    finally:
        database.let_go()
