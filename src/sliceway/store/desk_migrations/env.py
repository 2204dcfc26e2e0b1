"""Alembic's way in to the desk: it is given a connection inside a transaction and makes none of its own."""

from alembic import context

from sliceway.store.desk_tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=False,
    render_as_batch=True,
)
context.run_migrations()
