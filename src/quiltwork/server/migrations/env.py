"""Runs the migrations on the connection that the store hands over."""

from alembic import context

from quiltwork.server.database import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
