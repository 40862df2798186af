"""Alembic's entry: runs the migrations on the connection that `webapp.store.database` hands over."""

from alembic import context

from webapp.store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    # SQLite cannot alter most of a table in place: alembic makes it anew.
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
