"""Run the desk's migrations on the connection that the desk hands over, inside its transaction."""

from alembic import context

from sliceway.store.desk_tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
